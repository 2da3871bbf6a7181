/** `recon orders import` and `recon orders list`. */
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import type { OrderCorrection, OrdersImportResult } from '../../src/intake/import-orders.ts';
import { ORDERS_LAYOUT } from '../../src/intake/read-orders.ts';
import { requireAccount } from '../../src/store/intake/accounts.ts';
import { listRegisteredOrders } from '../../src/store/orders/registered-orders.ts';
import type { RegisteredOrder } from '../../src/store/orders/registered-orders.ts';
import { runJob, withContext } from '../cli/command.ts';
import type { CommonOptions, Job, Outcome } from '../cli/command.ts';
import { countingRows } from '../context/progress.ts';
import { importOutcome, requireTable } from './import-outcome.ts';
import { tableText } from '../cli/table-text.ts';
import { counted } from '../../src/core/text.ts';

export interface OrderImportOptions extends CommonOptions {
  replace?: boolean;
}

export interface OrderListOptions extends CommonOptions {
  open?: boolean;
  account?: string;
  all?: boolean;
}

/** What a person looks through; `--json` has more. */
const CORRECTIONS_SHOWN_MAX = 20;

/** A screenful or a few; who wants more says so. */
const LISTED_MAX = 200;

export function importOrdersCommand(file: string, options: OrderImportOptions): Promise<void> {
  return runJob(options, importOrdersJob(file, options));
}

export function importOrdersJob(file: string, options: OrderImportOptions): Job<void, OrdersImportResult> {
  return {
    needs: { platform: false, arguments: () => requireTable(file, ORDERS_LAYOUT) },
    work: async (context) => {
      const { db, zone, clock, log } = context;
      const request = { db, zone, clock, log, path: file, replace: options.replace === true };
      const bar = context.progress('order rows');
      return outcomeOf(await countingRows(bar, (progress) => importOrders({ ...request, progress })));
    },
  };
}

function outcomeOf(result: OrdersImportResult): Outcome<OrdersImportResult> {
  const outcome = importOutcome('orders', result);
  const unlisted = result.unlistedPayers;
  const names = counted(unlisted, 'order names a payer that is', 'orders name a payer that is');
  const lines = [
    outcome.text,
    ...correctionLines(result),
    ...(unlisted === 0 ? [] : [`${names} not in the account list: no balance is proven with it`]),
  ];
  return { ...outcome, text: lines.join('\n') };
}

function correctionLines({ corrections, correctionCount }: OrdersImportResult): string[] {
  const shown = corrections.slice(0, CORRECTIONS_SHOWN_MAX);
  const more = correctionCount - shown.length;
  return [
    ...shown.map(correctionText),
    ...(more > 0 ? [`and ${more} more (recon orders list --all --json has every one)`] : []),
  ];
}

/** `- row 2, T1: amount_yuan 1.50 instead of 1.00` */
function correctionText({ row, order, column, before, now, stated }: OrderCorrection): string {
  const platform = stated === '' ? '' : `; the platform states ${stated}, which stays a break`;
  return `- row ${row}, ${order}: ${column} ${now} instead of ${before}${platform}`;
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
    const changed = orders.flatMap((order) => changeLines(order, zone));
    const text = [`${listText(orders, zone)}${more}`, ...changed].join('\n');
    return { status: 0, document: { schema: 1, orders }, text };
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

/** `T1: amount_fen was 100, changed to 150 at 2026-03-01 09:00:00 by right.csv` */
function changeLines(order: RegisteredOrder, zone: Zone): string[] {
  const name = order.outOrderNo || order.orderNo || order.outBatchNo || order.batchNo;
  const when = (at: Instant | null): string =>
    at === null ? 'since the last run' : `at ${zone.localText(at)}`;
  const changed = order.changes.map(({ member, before, after, at, role, file }) => {
    const who = file === '' ? `SQL of the role ${role}` : file;
    return `${name}: ${member} was ${before}, changed to ${after || 'nothing'} ${when(at)} by ${who}`;
  });
  const otherwise = order.contradictions.map(({ member, value, at, role, settledAt, settledBy }) => {
    const settled = settledAt === null ? '' : `; put right ${when(settledAt)} by ${settledBy}`;
    return `${name}: ${member} ${value} was registered too, ${when(at)} by SQL of the role ${role}${settled}`;
  });
  return [...changed, ...otherwise];
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
