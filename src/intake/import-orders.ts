/** `orders import`: brings the order registry to what a file says, whole or not at all. */
import type { Transaction } from 'kysely';

import { yuanText } from '../core/fen.ts';
import { claimIntake, saveIntakeFile } from '../store/intake-files.ts';
import { planForWholeFiles } from '../store/ledger-entries.ts';
import {
  ORDER_STAGE,
  contradictingOrders,
  countUnlistedPayers,
  nameByOwnNumbers,
  orderStageRow,
  saveStagedOrders,
  stagedSubmissions,
  withdrawalsWithoutAmount,
} from '../store/order-registry.ts';
import type { Contradiction } from '../store/order-registry.ts';
import type { Tables } from '../store/schema.ts';
import { FAULTS_KEPT_MAX, shownValue } from './fault-list.ts';
import type { CellFault } from './fault-list.ts';
import { NOTHING, importFile, stageFile } from './import-file.ts';
import type { Counts, ImportRequest, ImportResult } from './import-file.ts';
import { ORDERS_LAYOUT, ORDER_AMOUNT, readOrderRow } from './read-orders.ts';
import type { ReadingOf } from './row-check.ts';
import type { OpenTable } from './table-file.ts';

export interface OrdersImportResult extends ImportResult {
  /** Orders whose payer is not in the account list: they are asked for, but no balance is proven with them. */
  unlistedPayers: number;
}

/**
 * Empty cells and columns the file does not have keep what the registry says; an order that was accepted stays so
 * when a file only knows it as sent or unknown. Orders the file does not have stay as they are. Rows of a file
 * that say the same of an order, or each something more, are one order; rows that contradict each other are a
 * fault.
 * @throws WrongInput when the file cannot be read as a table of orders
 * @throws LockHeld when another import is under way
 */
export async function importOrders(request: ImportRequest): Promise<OrdersImportResult> {
  let unlistedPayers = 0;
  const result = await importFile(request, ORDERS_LAYOUT, (table, faults) =>
    request.db.transaction().execute(async (trx) => {
      await claimIntake(trx);
      const reading = { zone: request.zone, faults, columns: table.columns };
      const rows = await stageFile(trx, {
        table,
        stage: ORDER_STAGE,
        reading,
        read: (row, of) => orderStageRow(readOrderRow(row, of)),
        progress: request.progress,
      });
      await planForWholeFiles(trx);
      await checkStage(trx, reading);
      if (faults.count > 0) return { rows, counts: NOTHING };
      unlistedPayers = await countUnlistedPayers(trx);
      return { rows, counts: await saveStage(trx, { request, table, rows }) };
    }),
  );
  return { ...result, unlistedPayers };
}

async function checkStage(trx: Transaction<Tables>, reading: ReadingOf): Promise<void> {
  await nameByOwnNumbers(trx);
  const { first, count } = await contradictingOrders(trx, FAULTS_KEPT_MAX);
  reading.faults.addFirst(
    first.map((found) => ({ row: found.row, ...faultOf(found, reading) })),
    count,
  );
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

async function saveStage(
  trx: Transaction<Tables>,
  { request, table, rows }: { request: ImportRequest; table: OpenTable; rows: number },
): Promise<Counts> {
  const span = await stagedSubmissions(trx);
  const fileId = await saveIntakeFile(trx, {
    kind: 'orders',
    source: '',
    name: table.file,
    sha256: table.sha256,
    rowCount: rows,
    spansFrom: span.from,
    spansTo: span.to,
    replaced: false,
    importedAt: request.clock.wall(),
  });
  const { added, changed } = await saveStagedOrders(trx, fileId);
  return { added, replaced: changed, withdrawn: 0 };
}
