/**
 * The lines of a state file: what the sandbox began as, then its inputs, one JSON document a line. A line is
 * whole when it ends with its newline: JSON has none within.
 */
import { z } from 'zod';

import { epochMs } from '../../core/time.ts';
import { scenarioSchema } from '../scenarios/scenario.ts';

/** As the clock writes it, of any year it can be set to. */
const instant = z.string().refine((text) => Number.isFinite(epochMs(text)), 'must be an instant');
/** How far the clock was ahead of the machine's, in ms; null while it stood. */
const offsetMs = z.number().nullable();

/** Another format gets another number: an older program must not guess. */
export const FORMAT = 1;

export const headerSchema = z.strictObject({
  sandboxState: z.literal(FORMAT),
  scenario: scenarioSchema,
  seed: z.int(),
  startedAt: instant,
  offsetMs,
  channelCode: z.string(),
  /** SHA-256 of the credentials, of RSA keys that were given, and of the profile with the first switches. */
  credentials: z.string(),
  settings: z.string(),
});
export type Header = z.output<typeof headerSchema>;

const request = z.strictObject({
  method: z.string(),
  path: z.string(),
  contentType: z.string(),
  body: z.string(),
});

/** What an input found that is not made by inputs alone. */
const found = z.strictObject({
  /** The sandbox's clock. */
  at: instant,
  random: z.int(),
  /** The second and how many calls it has had, while calls are limited. */
  calls: z.tuple([z.int(), z.int()]).optional(),
  /** Whether the reqId had been used, where that was asked. */
  reused: z.boolean().optional(),
});
export type Found = z.output<typeof found>;

export const entrySchema = z.union([
  z.strictObject({
    request,
    found,
    /** What was answered: the code, or one of the words of `result.ts`. */
    code: z.string(),
    offsetMs,
  }),
  z.strictObject({
    /** The line of a request that was held: it is carried out. */
    resumed: z.int(),
    found,
    code: z.string(),
    offsetMs,
  }),
  z.strictObject({ control: request, found, code: z.string(), offsetMs }),
  z.strictObject({
    push: z.strictObject({
      no: z.int(),
      isExtra: z.boolean(),
      acknowledged: z.boolean(),
      attempt: z.strictObject({
        at: instant,
        sent: z.string(),
        status: z.int().optional(),
        answer: z.string(),
      }),
    }),
    at: instant,
    offsetMs,
  }),
  z.strictObject({
    rsaKeys: z.strictObject({ clientPrivateKeyPem: z.string(), platformPrivateKeyPem: z.string() }),
    at: instant,
    offsetMs,
  }),
]);
export type Entry = z.output<typeof entrySchema>;
