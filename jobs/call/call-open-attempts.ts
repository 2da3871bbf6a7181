/**
 * A call that moves money by hand must not meet a retry of a settlement that is on its way for the same order, or out of
 * the same account.
 */
import { sql } from 'kysely';
import { WrongInput } from '../../src/core/errors.ts';
import { isJsonObject, member, parseJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { textMember } from '../../src/platform/decode-members.ts';
import type { DbOrTransaction } from '../../src/store/schema/schema.ts';

const CALLS_OF_MONEY: ReadonlySet<EndpointName> = new Set([
  'division/pay',
  'division/refund',
  'account/withdraw',
]);

/** Whether the call may be sent only while nothing is retried; `order/settle` is an attempt itself. */
export function movesMoneyByHand(endpoint: EndpointName): boolean {
  return CALLS_OF_MONEY.has(endpoint);
}

/**
 * Call it under the lease of the retries: then none begins before the call has ended.
 * @throws WrongInput where an attempt is open for an order that the call names, or pays out the account it withdraws from
 */
export async function requireNoOpenAttempt(
  db: DbOrTransaction,
  endpoint: EndpointName,
  biz: JsonObject,
): Promise<void> {
  const numbers = numbersOf(biz);
  const accounts = textsOf(biz, 'acctNo');
  const { rows } = await sql<{ outOrderNo: string; attemptNo: number; state: string; payee: string }>`
    select out_order_no as "outOrderNo", attempt_no as "attemptNo", state, payee_account_no as payee
    from settle_attempt t
    where state <> 'CLOSED' and (out_order_no = any(${numbers}::text[]) or order_no = any(${numbers}::text[])
      or payee_account_no = any(${accounts}::text[])
      or exists (select from account a
        where a.account_no = t.payee_account_no and a.ele_acct_no = any(${accounts}::text[])))
    order by account_no, out_order_no, attempt_no`.execute(db);
  const faults = rows.map(
    ({ outOrderNo, attemptNo, state, payee }) =>
      `${endpoint}: nothing was sent: attempt ${attemptNo} to settle ${outOrderNo} is open (${state}), so its money may be ` +
      `on its way from account ${payee} to the bank. recon settle says what came of it; call it again once it is closed`,
  );
  if (faults.length > 0) throw new WrongInput(faults.join('; '), faults);
}

/** Every number of an order that a call of money names, in whichever member. */
function numbersOf(biz: JsonObject): string[] {
  const given = member(biz, 'orderList');
  const list = typeof given === 'string' ? parsedList(given) : given;
  const paid = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const own = [biz, ...paid].flatMap((one) =>
    ['outOrderNo', 'orderNo'].flatMap((name) => textsOf(one, name)),
  );
  const refunded = textsOf(biz, 'outOrderNos').flatMap((joined) => joined.split(','));
  return [...own, ...refunded.map((number) => number.trim()).filter((number) => number !== '')];
}

/** The member as the platform may read it: also one that is written as a number. */
function textsOf(object: JsonObject, name: string): string[] {
  const text = textMember(object, name)?.trim() ?? '';
  return text === '' ? [] : [text];
}

/** What is no JSON is the platform's to refuse. */
function parsedList(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}
