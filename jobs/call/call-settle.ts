/** `recon call order/settle`: it goes through the attempts of step 3 like any other retry, never beside them. */
import { WrongInput } from '../src/core/errors.ts';
import { jsonText, member } from '../src/core/json.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Context } from './context.ts';
import { runSettle } from './settle-run.ts';
import type { Settlement } from './settle-resolve.ts';
import type { OrderChoice, SettleOutcome } from './settle-step.ts';

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

export async function callSettle(context: Context, { only, remark }: SettleCall): Promise<SettleCallOutcome> {
  const now = context.clock.wall();
  const runId = `call-${context.zone.compactText(now)}-${context.ids.reqId().slice(0, 6)}`;
  const request = { runId, mode: 'retry', only, remark } as const;
  const outcome = await runSettle(context, request, context.zone.dayOf(now));
  const settlement = outcome.settlements.at(-1);
  return settlement === undefined ? notSent(outcome) : sentAs(settlement);
}

function sentAs({ outcome, reqId, note, outOrderNo, attemptNo, amountFen }: Settlement): SettleCallOutcome {
  const kind = outcome === 'UNKNOWN' ? 'unknown' : outcome === 'NOT_SENT' ? 'refused' : 'accepted';
  const data = { outOrderNo, attempt: attemptNo, amountFen, outcome, note };
  return { outcome: kind, reqId, msg: kind === 'accepted' ? '' : note, data };
}

function notSent({ notRetried, heldUntil, breaker, digest }: SettleOutcome): SettleCallOutcome {
  const why = notRetried.map(({ outOrderNo, reason }) => `${outOrderNo}: ${reason}`);
  if (heldUntil !== undefined)
    why.unshift(`held until ${heldUntil}: what was sent before is not known for certain`);
  if (breaker.tripped && !breaker.approved)
    why.unshift(
      breaker.isAfterRestore
        ? 'the database was restored today: recon settle --dry-run shows the plan, recon settle --approve carries it out'
        : `needs an approval: recon settle --approve ${digest}`,
    );
  const none = 'no failed settlement of that number is known: register the order and run a night first';
  return { outcome: 'refused', reqId: null, msg: `nothing was sent: ${why.join('; ') || none}`, data: null };
}
