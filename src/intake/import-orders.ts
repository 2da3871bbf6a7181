/** `orders import`: brings the order registry to what a file says, whole or not at all. */
import type { Transaction } from 'kysely';

import { yuanText } from '../core/fen.ts';
import { claimIntake, saveIntakeFile } from '../store/intake/intake-files.ts';
import { planForWholeFiles } from '../store/intake/ledger-entries.ts';
import { changeInTheNameOf, correctRegistered } from '../store/orders/order-corrections.ts';
import type { ByFile } from '../store/orders/order-corrections.ts';
import {
  ORDER_STAGE,
  countUnlistedPayers,
  nameByOwnNumbers,
  saveStagedOrders,
  stagedSubmissions,
  withdrawalsWithoutAmount,
} from '../store/orders/order-registry.ts';
import { contradictingOrders, registeredOtherwise } from '../store/orders/registry-contradictions.ts';
import type { Contradiction, RegisteredOtherwise } from '../store/orders/registry-contradictions.ts';
import type { Tables } from '../store/schema/schema.ts';
import { checkAccountSpelling } from './account-spelling.ts';
import { FAULTS_KEPT_MAX, shownValue } from './fault-list.ts';
import type { CellFault } from './fault-list.ts';
import { NOTHING, importFile, inTransaction, nameFaults, stageFile } from './import-file.ts';
import type { ImportRequest, ImportResult } from './import-file.ts';
import { ORDERS_LAYOUT, ORDER_AMOUNT, readOrderRow } from './read-orders.ts';
import type { ReadingOf } from './row-check.ts';
import type { OpenTable } from './table-file.ts';

/** What an order is called by: the company's number, else the platform's, else that of its batch. */
const OWN_NAMES = ['out_order_no', 'order_no', 'out_batch_no', 'batch_no'];

export interface OrdersImportRequest extends ImportRequest {
  /** What the file states takes the place of another amount or party that is registered. */
  replace?: boolean;
}

/** What was registered of an order and was put right. */
export interface OrderCorrection {
  row: number;
  /** The company's number of the order, else the platform's, else that of its batch. */
  order: string;
  /** Of the file; amounts are as in the file. */
  column: string;
  before: string;
  now: string;
  /** What the platform states, where it answered something else than the file says; else empty. */
  stated: string;
}

export interface OrdersImportResult extends ImportResult {
  /** The first hundred, by row; only `--replace` makes any. */
  corrections: OrderCorrection[];
  correctionCount: number;
  /** Orders whose payer is not in the account list: they are asked for, but no balance is proven with them. */
  unlistedPayers: number;
}

/**
 * Empty cells and columns the file does not have keep what the registry says; an order that was accepted stays so
 * when a file only knows it as sent or unknown. Orders the file does not have stay as they are. Rows of a file
 * that say the same of an order, or each something more, are one order; rows that contradict each other are a
 * fault, and so are those that contradict what is registered, unless they are to take its place.
 * @throws WrongInput when the file cannot be read as a table of orders
 * @throws LockHeld when another import is under way
 */
export async function importOrders(request: OrdersImportRequest): Promise<OrdersImportResult> {
  let unlistedPayers = 0;
  let corrected: Corrected = { corrections: [], correctionCount: 0 };
  const result = await importFile(request, ORDERS_LAYOUT, (table, faults) =>
    inTransaction(request, async (trx) => {
      await claimIntake(trx);
      const reading = { zone: request.zone, faults, columns: table.columns };
      const rows = await stageFile(trx, {
        table,
        stage: ORDER_STAGE,
        reading,
        read: readOrderRow,
        progress: request.progress,
      });
      await planForWholeFiles(trx);
      const isCorrecting = request.replace === true;
      await checkStage(trx, { reading, isCorrecting });
      await nameFaults(trx, faults, { request, stage: ORDER_STAGE, keys: OWN_NAMES });
      if (faults.count > 0) return { rows, counts: NOTHING };
      unlistedPayers = await countUnlistedPayers(trx);
      const by = await saveFile(trx, { request, table, rows });
      if (isCorrecting) corrected = await correct(trx, by, reading);
      const { added, changed } = await saveStagedOrders(trx, { fileId: by.fileId, isCorrecting });
      await request.alongside?.(trx);
      return { rows, counts: { added, replaced: changed, withdrawn: 0 } };
    }),
  );
  return { ...result, ...corrected, unlistedPayers };
}

type Corrected = Pick<OrdersImportResult, 'corrections' | 'correctionCount'>;

async function correct(trx: Transaction<Tables>, by: ByFile, reading: ReadingOf): Promise<Corrected> {
  const { first, count } = await correctRegistered(trx, by, FAULTS_KEPT_MAX);
  const corrections = first.map((found) => {
    const { column, value, before, inFile } = besideRegistered(found, reading);
    const stated = found.stated.split(' and ').filter(Boolean).map(inFile).join(' and ');
    return { row: found.row, order: found.order, column, before: before.join(' and '), now: value, stated };
  });
  return { corrections, correctionCount: count };
}

async function checkStage(
  trx: Transaction<Tables>,
  { reading, isCorrecting }: { reading: ReadingOf; isCorrecting: boolean },
): Promise<void> {
  await nameByOwnNumbers(trx);
  const { first, count } = await contradictingOrders(trx, FAULTS_KEPT_MAX);
  reading.faults.addFirst(
    first.map((found) => ({ row: found.row, ...faultOf(found, reading) })),
    count,
  );
  if (!isCorrecting) {
    const otherwise = await registeredOtherwise(trx, FAULTS_KEPT_MAX);
    reading.faults.addFirst(
      otherwise.first.map((found) => ({ row: found.row, ...otherwiseFault(found, reading) })),
      otherwise.count,
    );
  }
  const columns = ['payer_account_no', 'payee_account_no'];
  await checkAccountSpelling(trx, { table: 'stage_order', columns }, reading.faults);
  // A cell that was refused already is not called empty as well.
  if (reading.faults.count === 0) await checkAmounts(trx, reading);
}

/** What nobody said a withdrawal may pay out cannot be held against what it paid. */
async function checkAmounts(trx: Transaction<Tables>, reading: ReadingOf): Promise<void> {
  const { rows, count } = await withdrawalsWithoutAmount(trx, FAULTS_KEPT_MAX);
  const reason = 'is required: without it nobody can say what the platform may pay out';
  const column = amountColumn(reading);
  reading.faults.addFirst(
    rows.map((row) => ({ row, column, value: '', reason })),
    count,
  );
}

function amountColumn({ columns }: ReadingOf): string {
  return columns.has(ORDER_AMOUNT.yuan) ? ORDER_AMOUNT.yuan : ORDER_AMOUNT.fen;
}

function faultOf(found: Contradiction, reading: ReadingOf): CellFault {
  const inYuan = reading.columns.has(ORDER_AMOUNT.yuan);
  const inFile = (value: string): string => {
    if (found.column === 'submitted_at' && value.endsWith('.000Z')) return reading.zone.localText(value);
    return found.column === 'amount' && inYuan ? yuanText(BigInt(value)) : value;
  };
  const column = found.column === 'amount' ? amountColumn(reading) : found.column;
  const first = shownValue(column, inFile(found.firstValue));
  const reason = `row ${found.firstRow} says "${first}" of the same ${found.same}`;
  return { column, value: inFile(found.value), reason };
}

/** What a row and the registry say, as the file would write it. */
function besideRegistered(
  { column: name, value, registered }: RegisteredOtherwise,
  reading: ReadingOf,
): { column: string; value: string; before: string[]; inFile: (said: string) => string } {
  const column = name === 'amount' ? amountColumn(reading) : name;
  const inFile = (said: string): string =>
    column === ORDER_AMOUNT.yuan ? yuanText(BigInt(said)) : shownValue(column, said);
  return {
    column,
    value: name === 'amount' ? inFile(value) : value,
    before: registered.split(' and ').map(inFile),
    inFile,
  };
}

function otherwiseFault(found: RegisteredOtherwise, reading: ReadingOf): CellFault {
  const { column, value, before } = besideRegistered(found, reading);
  const quoted = before.map((said) => `"${said}"`).join(' and ');
  return { column, value, reason: `${quoted} is registered of the same order` };
}

/** The file, in whose name what follows is changed. */
async function saveFile(
  trx: Transaction<Tables>,
  { request, table, rows }: { request: OrdersImportRequest; table: OpenTable; rows: number },
): Promise<ByFile> {
  const span = await stagedSubmissions(trx);
  const importedAt = request.clock.wall();
  const fileId = await saveIntakeFile(trx, {
    kind: 'orders',
    source: '',
    name: table.file,
    sha256: table.sha256,
    rowCount: rows,
    spansFrom: span.from,
    spansTo: span.to,
    replaced: request.replace === true,
    importedAt,
    delivered: request.delivered,
  });
  const by = { fileId, at: importedAt };
  await changeInTheNameOf(trx, by);
  return by;
}
