/** Chance from the real world: request numbers from the system's secure source, jitter from a cheap one. */
import { randomBytes } from 'node:crypto';

import type { Ids } from './ports.ts';

/** 128 bits make a collision within ten minutes, or ever, impossible in practice (N17, S3). */
const REQ_ID_BYTES = 16;

export function randomIds(): Ids {
  return {
    reqId: () => randomBytes(REQ_ID_BYTES).toString('hex'),
    jitter: () => Math.random(),
  };
}
