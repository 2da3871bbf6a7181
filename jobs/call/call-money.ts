/**
 * A call that moves money by hand must not meet a retry of a settlement for the same order, or out of the same account:
 * none that is on its way, none that is forgotten, and none that begins while the call may be on its own way. It is sent
 * under the lease of the retries, and stored right before it leaves, so that they wait until queries show it.
 */
import { WrongInput } from '../../src/core/errors.ts';
import { isJsonObject, member, parseJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { addMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Intent } from '../../src/platform/client.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { textMember } from '../../src/platform/decode-members.ts';
import type { MoneyNamed, OpenForCall } from '../../src/settlements/call-store.ts';
import { becomeSure, trustForCall } from '../night/settle/settle-memory.ts';
import { callLagMs } from '../night/settle/settle-cooling.ts';
import type { SettlePorts } from '../night/settle/settle-ports.ts';
import type { Call } from './call-request.ts';

const CALLS_OF_MONEY: ReadonlySet<EndpointName> = new Set([
  'division/pay',
  'division/refund',
  'account/withdraw',
]);

/** A call of money: what is stored before it leaves, and what is kept of one that did not. */
export interface MoneyCall {
  intent: Intent;
  /** Whatever left counts as taken: a refusal may be that of its second delivery (N12). */
  notSent(): Promise<void>;
}

/** Whether the call may be sent only while nothing is retried; `order/settle` is an attempt itself. */
export function movesMoneyByHand(endpoint: EndpointName): boolean {
  return CALLS_OF_MONEY.has(endpoint);
}

/**
 * What is stored before the call leaves. Where the memory of what was sent is in doubt, as of a retry, this waits first.
 * @param ports under the lease of the retries
 * @throws WrongInput where a refund names no order, and where an attempt is open that the call would meet, or may be
 *   forgotten since a restore; the commit throws the same, and Stopped where the lease was lost or the database replaced
 */
export async function moneyCall(
  ports: SettlePorts,
  { endpoint, biz }: Pick<Call, 'endpoint' | 'biz'>,
): Promise<MoneyCall> {
  const { book, ids } = ports;
  requireRefundNamed(endpoint, biz);
  const named = namedIn(biz);
  requireNoOpenAttempt(endpoint, await book.openMet(named));
  const trust = await trustForCall(ports);
  requireNotHeld(ports, endpoint, trust.heldUntil);
  if (trust.doubtMs > 0) await becomeSure(ports, trust);
  const reqId = ids.reqId();
  const intent: Intent = {
    reqId,
    commit: ({ correctedAt: reqTime }) =>
      book.saveCall({ reqId, endpoint, reqTime, ...named }, trust.server, ({ holdUntil, open }) => {
        requireNotHeld(ports, endpoint, holdUntil);
        requireNoOpenAttempt(endpoint, open);
      }),
  };
  return { intent, notSent: () => book.saveNotTaken(reqId) };
}

/** A platform may read it as the refund of a whole batch, whose orders nothing would keep from being retried. */
function requireRefundNamed(endpoint: EndpointName, biz: JsonObject): void {
  if (endpoint !== 'division/refund') return;
  const numbers = textsOf(biz, 'outOrderNos').flatMap((joined) => joined.split(SIGNS));
  if (numbers.some((number) => number !== '')) return;
  throw new WrongInput(
    `${endpoint}: nothing was sent: it names no order. outOrderNos names each that is to be refunded`,
  );
}

function requireNoOpenAttempt(endpoint: EndpointName, met: readonly OpenForCall[]): void {
  const faults = met.map(({ outOrderNo, attemptNo, state, payeeAccountNo }) => {
    const isOpen = state !== 'CLOSED';
    const what = isOpen
      ? `is open (${state})`
      : 'was sent beside one that the platform had taken too, and what ended it may have been shown of that';
    const next = isOpen
      ? 'recon settle says what came of it; call it again once it is closed'
      : 'Ask the platform what came of each, and do it there: recon does not';
    return (
      `${endpoint}: nothing was sent: attempt ${attemptNo} to settle ${outOrderNo} ${what}, so its money may be on its ` +
      `way from account ${payeeAccountNo} to the bank. ${next}`
    );
  });
  if (faults.length > 0) throw new WrongInput(faults.join('; '), faults);
}

function requireNotHeld(
  { clock, zone }: SettlePorts,
  endpoint: EndpointName,
  heldUntil: Instant | undefined,
): void {
  if (heldUntil === undefined || clock.wall() >= heldUntil) return;
  throw new WrongInput(
    `${endpoint}: nothing was sent: the database was restored or replaced, so a settlement that it has forgotten may be ` +
      `on its way to the bank. Call it again after ${zone.localText(heldUntil)}, when queries show what became of it`,
  );
}

/** What to do with a call of which no verified answer came, for people. */
export function unknownMoney(
  { clock, zone, profile }: Pick<SettlePorts, 'clock' | 'zone' | 'profile'>,
  { endpoint, slowestLookMs }: { endpoint: EndpointName; slowestLookMs: number },
): string {
  const lagMs = callLagMs(profile, slowestLookMs);
  const query = endpoint === 'account/withdraw' ? 'account/queryWithdraw' : 'division/query';
  return (
    `it may have been done, or still be: ask with recon call ${query} before you send it again, and believe that it was ` +
    `not done only after ${zone.localText(addMs(clock.wall(), lagMs))}; until then no settlement of what ` +
    'it names is retried'
  );
}

/** Every number of an order that a call of money names, in whichever member, and the account it withdraws from. */
function namedIn(biz: JsonObject): MoneyNamed {
  const given = member(biz, 'orderList');
  const list = typeof given === 'string' ? parsedList(given) : given;
  const paid = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const own = [biz, ...paid].flatMap((one) =>
    ['outOrderNo', 'orderNo'].flatMap((name) => textsOf(one, name)),
  );
  const refunded = textsOf(biz, 'outOrderNos').flatMap(joinedIn);
  return { orders: [...new Set([...own, ...refunded])], accounts: textsOf(biz, 'acctNo') };
}

/** What may part the numbers of a refund besides the comma of REF-02, as people type it and a list is written. */
const PARTING = /[\s,，;；、"[\]]+/u;
/** Any other sign may do so too, but for those by which numbers are written as one. */
const SIGNS = /[^\p{L}\p{N}_-]+/u;

/** Each number, by the comma alone too: one may hold what else parts them. */
function joinedIn(joined: string): string[] {
  const parts = [',', PARTING, SIGNS].flatMap((by) => joined.split(by));
  return parts.map((number) => number.trim()).filter((number) => number !== '');
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
