/** Calls of the client under test, and what came of them in a word. */
import type { CallOutcome } from '../../src/platform/outcome.ts';
import type { Answers, EndpointName, Requests } from '../../src/platform/contract.ts';
import { PAYER } from './bench.ts';

/** A transfer of one order. */
export const PAY: Requests['division/pay'] = {
  outBatchNo: 'B1',
  payerAcctNo: PAYER,
  num: 1,
  amount: 10_000n,
  currency: 'CNY',
  clientIp: '10.0.0.1',
  orderList: '[{"outOrderNo":"O1","body":"货款","amount":"10000","payeeAcctNo":"200001"}]',
};

export const WITHDRAW: Requests['account/withdraw'] = { outOrderNo: 'W1', acctNo: PAYER, amount: 10_000n };

/** `accepted`, `refused`, `unknown`, or the class of the error. */
export async function kindOf(call: Promise<{ kind: string }>): Promise<string> {
  try {
    return (await call).kind;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

/** `000000` of what was accepted, the code of what was refused. */
export function codeOf(outcome: { kind: string; code?: string }): string {
  return outcome.kind === 'accepted' ? '000000' : (outcome.code ?? outcome.kind);
}

/** The typed answer of a call that is accepted. */
export function answerOf<K extends EndpointName>(outcome: CallOutcome<K>): Answers[K] {
  if (outcome.kind === 'accepted') return outcome.answer;
  throw new Error(`expected an accepted call, got ${outcome.kind}`);
}
