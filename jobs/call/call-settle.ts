/** `recon call order/settle`: it goes through the attempts of step 3 like any other retry, never beside them. */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { jsonText, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { AttemptResult } from '../../src/settlements/settle-list.ts';
import type { GivenApproval } from '../cli/approve-option.ts';
import type { Context } from '../context/context.ts';
import { runSettle } from '../night/settle/settle-run.ts';
import type { Settlement } from '../night/settle/settle-resolve.ts';
import type { SettleOutcome } from '../night/settle/settle-step.ts';
import type { OrderChoice } from '../night/settle/settle-ports.ts';

export interface SettleCall {
  only: OrderChoice;
  /** Instead of the profile's. */
  remark: string | undefined;
}

const KNOWN = ['outOrderNo', 'orderNo', 'remark'];
const CARD = ['recvAcctNo', 'recvAcctName'];

/** @throws WrongInput naming every member that is missing, unknown or not allowed (STL-02, U52) */
export function parseSettleCall(biz: JsonObject): SettleCall {
  const faults = Object.keys(biz).flatMap((name) => {
    if (CARD.includes(name)) return [`${name}: another card is never chosen (settle.allowRecvAcct)`];
    if (!KNOWN.includes(name)) return [`${name} is no member of order/settle`];
    return typeof member(biz, name) === 'string'
      ? []
      : [`${name} must be text: ${jsonText(member(biz, name))}`];
  });
  const text = (name: string): string | undefined => {
    const value = member(biz, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [outOrderNo, orderNo, remark] = [text('outOrderNo'), text('orderNo'), text('remark')];
  if ((outOrderNo === undefined) === (orderNo === undefined)) {
    faults.push('exactly one of outOrderNo and orderNo says which transfer order it is');
  }
  if (faults.length > 0) throw new WrongInput('wrong data for order/settle:', faults);
  return { only: { outOrderNo, orderNo }, remark };
}

/** What came of it, in the words of `recon call`. */
export interface SettleCallOutcome {
  outcome: 'accepted' | 'refused' | 'unknown';
  reqId: string | null;
  msg: string;
  data: JsonObject | null;
}

export async function callSettle(
  context: Context,
  { only, remark }: SettleCall,
  approve: GivenApproval | undefined,
): Promise<SettleCallOutcome> {
  const now = context.clock.wall();
  const runId = `call-${context.zone.compactText(now)}-${context.ids.token().slice(0, 6)}`;
  const request = { runId, mode: 'retry', only, remark, approve } as const;
  return settleCallOutcome(await runSettle(context, request, context.zone.dayOf(now)));
}

/** Of what was sent in that very call: an earlier attempt that it only asked about is no answer to it. */
export function settleCallOutcome(outcome: SettleOutcome): SettleCallOutcome {
  const sent = outcome.settlements.find(({ runId }) => runId === outcome.runId);
  return sent === undefined ? notSent(outcome) : sentAs(sent);
}

function sentAs({ outcome, reqId, note, outOrderNo, attemptNo, amountFen }: Settlement): SettleCallOutcome {
  const kind = KINDS[outcome];
  const data = { outOrderNo, attempt: attemptNo, amountFen, outcome, note };
  return { outcome: kind, reqId, msg: kind === 'accepted' ? '' : note, data };
}

const KINDS: Readonly<Record<AttemptResult, SettleCallOutcome['outcome']>> = {
  SUCCESS: 'accepted',
  PROCESSING: 'accepted',
  RETURNED: 'accepted',
  // Taken, and it came to nothing.
  FAIL: 'accepted',
  NOT_SENT: 'refused',
  UNKNOWN: 'unknown',
  AWAITING: 'unknown',
};

function notSent({
  plan,
  settlements,
  notRetried,
  heldUntil,
  breaker,
  digest,
}: SettleOutcome): SettleCallOutcome {
  const before = settlements.map(beforeOf);
  // That an attempt is open is said by what came of it.
  const others = notRetried.filter(({ code }) => code !== 'open_attempt' || before.length === 0);
  const why = [...before, ...others.map(({ outOrderNo, reason }) => `${outOrderNo}: ${reason}`)];
  if (heldUntil !== undefined)
    why.unshift(`held until ${heldUntil}: what was sent before is not known for certain`);
  const isStopped = breaker.approvalDiffers || (breaker.tripped && !breaker.approved);
  for (const { outOrderNo, amountFen, payeeAccountNo } of isStopped && heldUntil === undefined ? plan : []) {
    const what = `${outOrderNo}, ${yuanForPeople(amountFen)} yuan to ${payeeAccountNo}`;
    const restored = breaker.isAfterRestore ? ' because the database was restored today' : '';
    why.unshift(`${what}, needs an approval${restored}: the same call with --approve ${digest} --by NAME`);
  }
  if (breaker.approvalDiffers) why.unshift('the approval is of something else, or of another day');
  const none = 'no failed settlement of that number is known: register the order and run a night first';
  return { outcome: 'refused', reqId: null, msg: `nothing was sent: ${why.join('; ') || none}`, data: null };
}

function beforeOf({ outOrderNo, attemptNo, outcome, awaiting, approval }: Settlement): string {
  const { digest = '', missing } = awaiting ?? {};
  return [
    `${outOrderNo}: what came of its attempt ${attemptNo} is ${outcome}`,
    ...(typeof approval === 'object' ? [`not approved: ${approval.refused}`] : []),
    ...(awaiting === undefined ? [] : [`${awaiting.why}. recon settle shows the balances`]),
    ...(missing === undefined ? [] : [`nothing can be approved now: ${missing}`]),
    ...(digest === ''
      ? []
      : [`only when it was certainly not paid: recon settle --approve ${digest} --by NAME`]),
  ].join('; ');
}
