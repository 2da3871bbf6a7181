/**
 * What a look shows of an order, as it is compared with what another look showed: states, codes and amounts. Sentences
 * of the platform may be others each time and mean the same: they are shown, and never compared.
 */
import { jsonText } from '../../../src/core/json.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { ListedOrder } from '../../../src/orders/orders.ts';
import { noteText } from './settle-answer.ts';
import type { SettleLook } from './settle-look.ts';

interface Numbers {
  outOrderNo: string;
  orderNo: string;
}

/** The same text where the same is shown of it: by whom it was signed, and in which rows, whatever is wrong with them. */
export function shownOf(look: SettleLook, order: Numbers): string {
  const { answer, signed, kept } = look;
  switch (answer.kind) {
    case 'failed':
      return jsonText([answer.isUnanswered === true ? 'unanswered' : 'refused', answer.code ?? '']);
    case 'not_found':
      return jsonText(['not_found', signed]);
    case 'withdrawal':
      return jsonText(['withdrawal']);
    case 'batch':
      return jsonText(['batch', signed, kept, rowsShown(look, order).map(kindOf)]);
  }
}

/** How the rows of the order state it, in the platform's words; empty where there are none. */
export function rowsText(look: SettleLook, order: Numbers): string {
  const rows = rowsOf(look, order).map(
    ({ state, settleState }) =>
      `order ${state || 'without a state'}, settlement ${settleState || 'not stated'}`,
  );
  return rows.length === 0 ? '' : noteText(`its batch states: ${rows.join('; ')}`);
}

/**
 * What is known but for what these looks themselves have changed, which is nothing that nobody was shown. What others
 * stored is news, before, between and after them, and so is what came and cannot be taken.
 */
export function withoutLooks(now: OpenAttempt, looks: readonly SettleLook[]): OpenAttempt {
  return looks.reduceRight(withoutLook, now);
}

function withoutLook(now: OpenAttempt, { answer, stored }: SettleLook): OpenAttempt {
  const ofNow = ({ reqId }: { reqId: string }): boolean => reqId === now.reqId;
  const [before, after] = [stored?.before.find(ofNow), stored?.after.find(ofNow)];
  if (before === undefined || after === undefined || answer.unread !== undefined) return now;
  return {
    ...now,
    ...(now.elseShownAt === after.elseShownAt && { elseShownAt: before.elseShownAt }),
    ...(now.unkeptAt === after.unkeptAt && { unkeptAt: before.unkeptAt }),
  };
}

/** Where no record has a number of it, each may be its. */
function rowsShown(look: SettleLook, order: Numbers): readonly ListedOrder[] {
  const own = rowsOf(look, order);
  return own.length > 0 || look.answer.kind !== 'batch' ? own : look.answer.batch.orders;
}

/** Under either number, also of another payer, or without one: what is wrongly listed may be what was paid. */
function rowsOf({ answer }: SettleLook, { outOrderNo, orderNo }: Numbers): ListedOrder[] {
  if (answer.kind !== 'batch') return [];
  return answer.batch.orders.filter(
    (row) => row.outOrderNo === outOrderNo || (orderNo !== '' && row.orderNo === orderNo),
  );
}

function kindOf(row: ListedOrder) {
  const { outOrderNo, orderNo, payerAccountNo, payeeAccountNo, feeType, state, settleState } = row;
  const { meaning, settlement, refundWaits, unreadable, remarks } = row;
  const sums = [row.amountFen, row.realFen, row.feeFen, row.refundFen].map((fen) => fen ?? '');
  const stated = [outOrderNo, orderNo, payerAccountNo, payeeAccountNo, feeType, state, settleState];
  return [...stated, ...sums, meaning, settlement, refundWaits, unreadable.length, remarks.length];
}
