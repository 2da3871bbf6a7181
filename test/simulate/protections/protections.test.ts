/**
 * Every protection of the protocol is needed, and the simulation sees where one is missing: each is taken away by
 * wrapping a port, and a seed that was found by `npm run simulate -- --missing` shows what happens then.
 */
import { expect, test } from 'vitest';
import { drawPlan } from '../world/draw-plan.ts';
import { MemoryStore } from '../memory-store.ts';
import type { ViolationKind } from '../oracle.ts';
import { CALL_PROTECTIONS } from './call-protections.ts';
import { PROTECTIONS } from './protections.ts';
import type { Protection } from './protections.ts';
import { runSeed } from '../run-seed.ts';

interface Found {
  without: readonly Protection[];
  seed: number;
  kind: ViolationKind;
}

/** Where one protection is missing; most of them are enough for a double payment. */
const FOUND: Readonly<Partial<Record<Protection, Omit<Found, 'without'>>>> = {
  intent: { seed: 48, kind: 'double payment' },
  'one-open': { seed: 33, kind: 'double payment' },
  'late-answer': { seed: 1_810, kind: 'double payment' },
  'one-send': { seed: 1, kind: 'double payment' },
  fence: { seed: 6, kind: 'sent without the lease' },
  'hold-end': { seed: 109, kind: 'beyond a limit' },
  hold: { seed: 227, kind: 'double payment' },
  'set-back memory': { seed: 227, kind: 'double payment' },
  'server-start': { seed: 227, kind: 'double payment' },
  'accepted-stays': { seed: 26, kind: 'closed wrongly' },
  'view-lag': { seed: 1_173, kind: 'double payment' },
  margin: { seed: 1_308, kind: 'closed wrongly' },
  'sent-is-unknown': { seed: 1_380, kind: 'double payment' },
  'refusal-is-unknown': { seed: 3_140, kind: 'closed wrongly' },
  'look-age': { seed: 791, kind: 'double payment' },
  'stood-still': { seed: 267, kind: 'double payment' },
  'signed-looks': { seed: 4_378, kind: 'double payment' },
  'fresh-look': { seed: 2, kind: 'double payment' },
};

/** Of these the one makes up for the other; without both an order is paid twice. */
const PAIRS: readonly Found[] = [{ without: ['fence', 'one-open'], seed: 6, kind: 'sent without the lease' }];

/** The same of those that keep refunds and retries apart, in seeds in which somebody calls for refunds. */
const FOUND_WITH_REFUNDS: typeof FOUND = {
  'refund-waits': { seed: 213, kind: 'paid and refunded' },
  'call-open': { seed: 172, kind: 'paid and refunded' },
  'call-stored': { seed: 213, kind: 'paid and refunded' },
  'call-memory': { seed: 4_750, kind: 'paid and refunded' },
  'order-words': { seed: 36, kind: 'paid and refunded' },
  'batch-words': { seed: 257, kind: 'paid and refunded' },
  'refund-unanswered': { seed: 541, kind: 'paid and refunded' },
  'refund-refused': { seed: 939, kind: 'sent though refunded' },
};

const rows = [
  ...Object.entries({ ...FOUND, ...FOUND_WITH_REFUNDS }).map(([name, found]) => ({
    without: [name as Protection],
    ...found,
  })),
  ...PAIRS,
].map((found) => ({
  ...found,
  refunds: found.without.some((name) => Object.hasOwn(CALL_PROTECTIONS, name))
    ? ('always' as const)
    : ('off' as const),
  said: found.without.map((name) => PROTECTIONS[name].without).join('" and "'),
}));

test.each(rows)('without "$said" seed $seed ends in: $kind', async ({ without, seed, kind, refunds }) => {
  const store = new MemoryStore();
  const plan = drawPlan(seed, { guard: 'off', refunds });
  const sound = await runSeed({ store, plan });
  expect(sound.violations).toEqual([]);
  const { violations } = await runSeed({ store, plan, without });
  expect(violations.map((violation) => violation.kind)).toContain(kind);
});
