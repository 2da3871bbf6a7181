/** Everything the sheets of one run need, read once: sums of all lists, never the lists themselves. */
import type { Zone } from '../../src/core/time.ts';
import { addDays } from '../../src/core/time.ts';
import { windowOf } from '../../src/core/window.ts';
import type { Tone } from '../../src/excel/style.ts';
import { SHEET_ROWS_MAX } from '../../src/excel/address.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';
import { askedOf } from './read-asked.ts';
import type { Asked } from './read-asked.ts';
import { allDeposits, stageDeposits, sumDeposits } from './read-deposits.ts';
import type { DepositSum } from './read-deposits.ts';
import { readFiles } from './read-files.ts';
import type { FileRow } from './read-files.ts';
import { readHistory } from './read-history.ts';
import type { History } from './read-history.ts';
import { stageItems, sumItems } from './read-items.ts';
import type { ItemList, ItemSum } from './read-items.ts';
import { stageOrders, sumOrders } from './read-orders.ts';
import type { OrderList, OrderTotals } from './read-orders.ts';
import { readAccounts, readCompanyAccounts, readExtraction, readRun } from './read-run.ts';
import type { AccountRow, Extraction, RunHead } from './read-run.ts';
import { readSettlements } from './read-settlements.ts';
import type { Settlements } from './read-settlements.ts';
import { readSigned } from './read-signed.ts';
import type { Signed } from './read-signed.ts';
import { stageSideLists, sumSideLists } from './read-side-lists.ts';
import type { SideLists } from './read-side-lists.ts';
import { sumAges, sumWork } from './read-work.ts';
import type { AgeSum, WorkSum } from './read-work.ts';
import { stageStatementItems } from './read-statement-items.ts';
import { stageVouchers, sumVouchers } from './read-vouchers.ts';
import type { Vouchers } from './read-vouchers.ts';
import { NO_TRAIL } from './check-code.ts';
import type { WrittenWith } from './check-code.ts';
import type { DepositResult } from '../words/terms.ts';
import type { Words } from '../words/words.ts';

export interface Limits {
  /** Detail of more rows stands in a workbook of its own, and no formula sums it. */
  detailRows: number;
  sheetRows: number;
}

/** SUMIFS over more rows makes every recalculation felt. */
export const USUAL_LIMITS: Limits = { detailRows: 100_000, sheetRows: SHEET_ROWS_MAX };

/** The long lists of a run. */
export type ListKey =
  'openItems' | 'breaks' | 'offsets' | 'writeOffs' | 'deposits' | 'vouchers' | 'changes' | OrderList;

export interface Report {
  session: Db;
  head: RunHead;
  accounts: readonly AccountRow[];
  /** The company's registry accounts with their names: no secret, so they stay readable in free text. */
  accountNames: ReadonlyMap<string, string>;
  items: readonly ItemSum[];
  /** What the rows of sheet 差异 say that they were written with. */
  written: WrittenWith;
  work: readonly WorkSum[];
  sideLists: SideLists;
  signed: Signed;
  ages: readonly AgeSum[];
  history: History;
  deposits: Readonly<Record<DepositResult, DepositSum>>;
  orders: Readonly<Record<OrderList, OrderTotals>>;
  settlements: Settlements;
  vouchers: Vouchers;
  asked: Asked;
  extraction: Extraction;
  files: readonly FileRow[];
  words: Words;
  zone: Zone;
  companyName: string;
  serviceName: string;
  limits: Limits;
  /** Whether the reconciled accounts have a statement of their own too. */
  allStatements: boolean;
}

export interface ReportRequest {
  runId: string;
  words: Words;
  zone: Zone;
  companyName: string;
  serviceName: string;
  limits: Limits;
  allStatements: boolean;
}

/**
 * Reads the run and lays its lists aside in the session.
 * @throws Stopped when there is no such run
 */
export async function readReport(session: Db, request: ReportRequest): Promise<Report> {
  const { runId, zone, words, companyName, serviceName, limits, allStatements } = request;
  const accounts = await readAccounts(session, runId);
  const head = await readRun(session, runId, accounts);
  const period = windowOf(zone, { from: head.fromDay, to: addDays(head.toDay, 1) });
  await stageItems(session, head);
  await stageStatementItems(session);
  await stageSideLists(session, zone.name);
  // The records' own sheets show what became of their vouchers.
  await stageVouchers(session, head, { period, zone });
  await stageDeposits(session, head, period);
  await stageOrders(session, head, period);
  const items = await sumItems(session);
  return {
    session,
    head,
    accounts,
    accountNames: await readCompanyAccounts(session, accounts),
    items,
    written: {
      runId,
      trail: head.trail ?? NO_TRAIL,
      today: head.toDay,
      rows: sumOf(items, 'break') + sumOf(items, 'attention'),
    },
    work: await sumWork(session),
    sideLists: await sumSideLists(session),
    signed: await readSigned(session, head),
    ages: await sumAges(session),
    history: await readHistory(session, head, accounts),
    deposits: await sumDeposits(session),
    orders: await sumOrders(session, head, period),
    settlements: await readSettlements(session, head),
    vouchers: await sumVouchers(session, head, zone),
    asked: askedOf(head),
    extraction: await readExtraction(session, head, zone.name),
    files: await readFiles(session, head),
    words,
    zone,
    companyName,
    serviceName,
    limits,
    allStatements,
  };
}

/** How many rows a list has. */
export function countOf(report: Report, list: ItemList): number {
  return sumOf(report.items, list);
}

function sumOf(items: readonly ItemSum[], list: ItemList): number {
  return items.reduce((count, item) => (item.list === list ? count + item.count : count), 0);
}

export function depositCount(report: Report): number {
  return allDeposits(report.deposits).count;
}

export function orderCount(report: Report, list: OrderList): number {
  return report.orders[list].sums.reduce((count, sum) => count + sum.count, 0);
}

/** The rows that the sheet of a list holds below its header, all blocks together. */
export function listRows(report: Report, key: ListKey): number {
  if (key === 'deposits') return depositCount(report);
  if (key === 'transfers' || key === 'withdrawals') return orderCount(report, key);
  if (key === 'offsets' || key === 'writeOffs' || key === 'changes') return report.sideLists[key].rows;
  if (key === 'vouchers') return report.vouchers.missingRows + report.vouchers.otherRows;
  const [first, second] =
    key === 'breaks' ? (['break', 'attention'] as const) : (['open', 'cleared'] as const);
  return countOf(report, first) + countOf(report, second);
}

/** Whether a list is small enough for the main workbook, where formulas sum it. */
export function isLive(report: Report, key: ListKey): boolean {
  return listRows(report, key) <= report.limits.detailRows;
}

const TONE_OF: Readonly<Record<Verdict, Tone>> = {
  reconciled: 'good',
  reconciled_with_timing: 'notice',
  breaks: 'bad',
  unverified: 'unknown',
  incomplete: 'broken',
};

export function toneOf(verdict: Verdict): Tone {
  return TONE_OF[verdict];
}

/** `示例公司 · 平台 · 2026-03-01 · 第 1 版 · 单位：人民币元`: under each sheet's title. */
export function subtitleOf({ head, words, companyName, serviceName }: Report): string {
  const { period, version, unit } = words.common;
  const parts = [
    companyName,
    serviceName,
    period({ from: head.fromDay, to: head.toDay }),
    version(head.version),
    unit,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
