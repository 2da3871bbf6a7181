/** Pushes for the tests of their table. */
import { createHash } from 'node:crypto';
import type { ReceivedPush } from '../../src/store/pushes/push-take.ts';

/** A push whose body is its text. */
export function aPush(text: string, over: Partial<ReceivedPush> = {}): ReceivedPush {
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    body: new TextEncoder().encode(text),
    kind: 'transfer',
    ownNo: 'B1',
    platformNo: '',
    accountNo: '',
    statedState: 'SUCCESS',
    signed: true,
    ...over,
  };
}
