/** Answers about batches and withdrawals as the collector hands them to the store, and what the store then says. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { UnitKey } from '../../../src/store/orders/order-due.ts';
import type { TransferObservation } from '../../../src/orders/order-observations.ts';
import { saveOrders } from '../../../src/orders/orders.ts';
import type {
  BatchLook,
  ListedOrder,
  OrderAnswer,
  OrderSave,
  OrdersSaved,
} from '../../../src/orders/orders.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { aTransferLook, aWithdrawalLook, lookAt } from './order-observations.ts';
import { zone } from '../service-time.ts';

export const RULES = {
  agingDays: 3,
  withdrawDays: 10,
  batchDays: 90,
  batchSchedule: [1, 2, 3, 5, 8, 13, 21, 34, 55, 90],
};

export const batchUnit = (number: string): UnitKey => ({ kind: 'batch', numberKind: 'out', number });
export const withdrawalUnit = (number: string): UnitKey => ({
  kind: 'withdrawal',
  numberKind: 'out',
  number,
});

/** Puts units on the list, as enrolling would. */
export async function enrolled(
  db: Db,
  units: readonly (UnitKey & { accountNo?: string; submittedAt?: string; origin?: 'registry' | 'ledger' })[],
): Promise<void> {
  await db
    .insertInto('order_due')
    .values(
      units.map((unit) => ({
        kind: unit.kind,
        number_kind: unit.numberKind,
        number: unit.number,
        account_no: unit.accountNo ?? 'P',
        origin: unit.origin ?? 'registry',
        submitted_at: unit.submittedAt ?? null,
        final_day: null,
        asked_at: null,
        not_found_since: null,
      })),
    )
    .execute();
}

/** A listed order: a state and what else is stated; `T1` of payer `P` unless it says otherwise. */
export function listed(
  state: string,
  over: Partial<TransferObservation> & { payerAccountNo?: string } = {},
): ListedOrder {
  const outOrderNo = over.outOrderNo ?? 'T1';
  const look = aTransferLook(state, { orderNo: `N-${outOrderNo}`, ...over });
  return { ...look, payerAccountNo: over.payerAccountNo ?? 'P' };
}

export function batchAnswer(
  seconds: number,
  orders: readonly ListedOrder[],
  over: Partial<BatchLook> & { unit?: UnitKey; foundAs?: UnitKey } = {},
): OrderAnswer {
  const { unit = batchUnit('B1'), foundAs, ...batch } = over;
  return {
    kind: 'batch',
    unit,
    ...(foundAs && { foundAs }),
    moments: momentsAt(seconds),
    evidence: evidenceOf([unit, seconds, orders, batch]),
    batch: {
      outBatchNo: 'B1',
      batchNo: 'N-B1',
      state: 'PROCESSING',
      extParam: '',
      note: '',
      orders,
      ...batch,
    },
  };
}

export function withdrawalAnswer(
  seconds: number,
  state: string,
  over: Partial<TransferObservation> & { unit?: UnitKey; foundAs?: UnitKey } = {},
): OrderAnswer {
  const { unit = withdrawalUnit('W1'), foundAs, ...look } = over;
  return {
    kind: 'withdrawal',
    unit,
    ...(foundAs && { foundAs }),
    moments: momentsAt(seconds),
    evidence: evidenceOf([unit, seconds, state]),
    withdrawal: aWithdrawalLook(state, look),
  };
}

export function notFound(seconds: number, unit: UnitKey): OrderAnswer {
  return { kind: 'not_found', unit, moments: momentsAt(seconds) };
}

function momentsAt(seconds: number) {
  const { day: _day, ...moments } = lookAt(seconds);
  return moments;
}

function evidenceOf(of: unknown) {
  const bizText = JSON.stringify(of, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const sha256 = createHash('sha256').update(bizText).digest('hex');
  return { sha256, endpoint: 'test', reqId: 'r', requestedAt: lookAt(0).sentAt, signed: true, bizText };
}

/** Saves answers as run `night-1` of 1 March, asked on 2 March, unless it says otherwise. */
/** Of a night of 2026-03-01. */
export const SAVE: Omit<OrderSave, 'answers'> = {
  runId: 'night-1',
  day: '2026-03-01',
  today: '2026-03-02',
  zone,
  rules: RULES,
  keepsList: true,
};

export function save(
  db: Db,
  answers: readonly OrderAnswer[],
  over: Partial<OrderSave> = {},
): Promise<OrdersSaved> {
  return saveOrders(db, { ...SAVE, ...over, answers });
}

/** One line a row: the values of these columns. */
export async function lines(db: Db, table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Record<string, string | number | bigint | boolean | null>>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}`.execute(db);
  return rows.map((row) => columns.map((column) => String(row[column] ?? '-')).join(' ')).toSorted();
}
