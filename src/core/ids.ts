/** Chance from the real world: numbers of requests and names from the system's secure source, jitter from a cheap one. */
import { randomBytes } from 'node:crypto';

import type { Ids } from './ports.ts';

/** 128 bits make a collision within ten minutes, or ever, impossible in practice (N17, S3). */
const NAME_BYTES = 16;

export function randomIds(): Ids {
  const name = (): string => randomBytes(NAME_BYTES).toString('hex');
  return {
    reqId: name,
    token: name,
    jitter: () => Math.random(),
  };
}
