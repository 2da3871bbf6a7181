/** `recon orders import` and `recon orders list`. */
import { yuanForPeople } from '../src/core/fen.ts';
import type { Zone } from '../src/core/time.ts';
import { importOrders } from '../src/intake/import-orders.ts';
import type { OrdersImportResult } from '../src/intake/import-orders.ts';
import { ORDERS_LAYOUT } from '../src/intake/read-orders.ts';
import { requireAccount } from '../src/store/accounts.ts';
import { listRegisteredOrders } from '../src/store/registered-orders.ts';
import type { RegisteredOrder } from '../src/store/registered-orders.ts';
import { withContext } from './command.ts';
import type { CommonOptions, Outcome } from './command.ts';
import { importOutcome, requireTable } from './import-outcome.ts';
import { tableText } from './table-text.ts';

export interface OrderListOptions extends CommonOptions {
  open?: boolean;
  account?: string;
  all?: boolean;
}

/** A screenful or a few; who wants more says so. */
const LISTED_MAX = 200;

export function importOrdersCommand(file: string, options: CommonOptions): Promise<void> {
  const needs = { platform: false, arguments: () => requireTable(file, ORDERS_LAYOUT) };
  return withContext(options, needs, async (context) => {
    const { db, zone, clock, log } = context;
    const bar = context.progress('order rows');
    const progress = (rows: number): void => bar.show({ rows });
    return outcomeOf(await importOrders({ db, zone, clock, log, path: file, progress }));
  });
}

function outcomeOf(result: OrdersImportResult): Outcome {
  const outcome = importOutcome('orders', result);
  const unlisted = result.unlistedPayers;
  if (unlisted === 0) return outcome;
  const names = unlisted === 1 ? '1 order names a payer that is' : `${unlisted} orders name a payer that is`;
  const hint = 'not in the account list: no balance is proven with it';
  return { ...outcome, text: `${outcome.text}\n${names} ${hint}` };
}

export function listOrdersCommand(options: OrderListOptions): Promise<void> {
  return withContext(options, { platform: false }, async ({ db, zone }) => {
    const limit = options.all === true ? undefined : LISTED_MAX;
    const found = await listRegisteredOrders(db, {
      accountNo: options.account,
      onlyOpen: options.open === true,
      limit: limit === undefined ? undefined : limit + 1,
    });
    if (found.length === 0 && options.account !== undefined) await requireAccount(db, options.account);
    const orders = found.slice(0, limit);
    const more = found.length > orders.length ? `\nthe latest ${LISTED_MAX}; --all lists every one` : '';
    return { status: 0, document: { schema: 1, orders }, text: `${listText(orders, zone)}${more}` };
  });
}

function listText(orders: readonly RegisteredOrder[], zone: Zone): string {
  if (orders.length === 0) return 'no orders';
  return tableText(
    ['kind', 'batch', 'order', 'payer', 'payee', 'amount', 'submitted', 'outcome', 'asked', 'state'],
    orders.map((order) => [
      order.kind,
      order.outBatchNo || order.batchNo,
      order.outOrderNo || order.orderNo,
      order.payerAccountNo,
      order.payeeAccountNo,
      order.amountFen === null ? '' : yuanForPeople(order.amountFen),
      order.submittedAt === null ? '' : zone.localText(order.submittedAt),
      order.outcome,
      askedText(order),
      stateText(order),
    ]),
    { right: [5] },
  );
}

function askedText({ asked, failure }: RegisteredOrder): string {
  if (asked === null) return 'not yet';
  return failure === '' ? asked : `${asked}, failed: ${failure}`;
}

function stateText({ state, settlement, refundFen }: RegisteredOrder): string {
  const isSettling = settlement !== null && settlement !== 'none';
  return [
    state ?? '',
    ...(isSettling ? [`settlement ${settlement}`] : []),
    ...(refundFen !== null && refundFen > 0n ? [`refunded ${yuanForPeople(refundFen)}`] : []),
  ].join(', ');
}
