/** Open attempts: what is certain is closed, what is not is asked for; nothing here is ever sent again (STL-12). */
import type { Instant } from '../src/core/time.ts';
import type { AttemptOutcome } from '../src/store/schema.ts';
import type { Fen } from '../src/core/fen.ts';
import type { OpenAttempt, OrderKey } from '../src/store/settle-book.ts';
import { lookAtOrder } from './settle-look.ts';
import type { SettlePorts } from './settle-ports.ts';
import { judgeLook, resolvedWithoutLook } from './settle-resolution.ts';
import type { Resolution } from './settle-resolution.ts';

/** An attempt as far as it is known now. */
export interface Settlement extends OrderKey {
  attemptNo: number;
  reqId: string;
  payeeAccountNo: string;
  amountFen: Fen;
  /** PROCESSING: the platform took it and has not paid it yet. UNKNOWN: nobody can say. */
  outcome: AttemptOutcome | 'PROCESSING' | 'UNKNOWN';
  /** For people; masked. */
  note: string;
}

/** Resolves what can be resolved, in the order of the keys; `isChosen` leaves others as they are. */
export async function resolveOpen(
  ports: SettlePorts,
  isChosen: (attempt: OpenAttempt) => boolean = () => true,
): Promise<Settlement[]> {
  const settlements: Settlement[] = [];
  for (const attempt of (await ports.book.listOpen()).filter(isChosen)) {
    ports.signal.throwIfAborted();
    settlements.push(await resolveAttempt(ports, attempt));
  }
  return settlements;
}

/** Closes an attempt, or asks the platform about it once. */
export async function resolveAttempt(ports: SettlePorts, attempt: OpenAttempt): Promise<Settlement> {
  const { profile, runner } = ports;
  const rules = { marginSeconds: profile.settle.marginSeconds, runner };
  const resolution =
    resolvedWithoutLook(attempt) ??
    judgeLook(attempt, await lookAtOrder(ports, attempt, sendOf(attempt, runner)), rules);
  await keep(ports, attempt, resolution);
  const settlement = settlementOf(attempt, resolution);
  const { accountNo, outOrderNo, attemptNo, reqId, outcome, note } = settlement;
  const why = 'why' in resolution ? { why: resolution.why } : {};
  ports.log.info({
    event: resolution.kind === 'close' ? 'settle.resolved' : 'settle.unresolved',
    accountNo,
    outOrderNo,
    attemptNo,
    reqId,
    outcome,
    note,
    ...why,
  });
  return settlement;
}

/** Right after our own send a look must not seem to come before it: by that the retry is known that made a change. */
function sendOf({ sent, runner }: OpenAttempt, ours: string): Instant | undefined {
  return runner === ours ? sent?.reqTime : undefined;
}

async function keep(ports: SettlePorts, attempt: OpenAttempt, resolution: Resolution): Promise<void> {
  const { book, clock } = ports;
  const { reqId, failedSeenAt } = attempt;
  switch (resolution.kind) {
    case 'close': {
      const { outcome, note } = resolution;
      return book.close(reqId, { outcome, at: clock.wall(), note });
    }
    case 'first':
      return book.saveFailedSeen(reqId, resolution.seenAt);
    case 'forget':
      return failedSeenAt === undefined ? undefined : book.saveFailedSeen(reqId, undefined);
    case 'wait':
      return undefined;
  }
}

function settlementOf(attempt: OpenAttempt, resolution: Resolution): Settlement {
  const { accountNo, outOrderNo, attemptNo, reqId, payeeAccountNo, amountFen } = attempt;
  const what = { accountNo, outOrderNo, attemptNo, reqId, payeeAccountNo, amountFen };
  if (resolution.kind === 'close') return { ...what, outcome: resolution.outcome, note: resolution.note };
  return { ...what, outcome: openOutcome(attempt), note: attempt.note };
}

function openOutcome({ state }: OpenAttempt): 'PROCESSING' | 'UNKNOWN' {
  return state === 'ACK_PROCESSING' || state === 'ACK_SUCCESS' ? 'PROCESSING' : 'UNKNOWN';
}
