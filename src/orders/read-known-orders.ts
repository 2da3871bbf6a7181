/**
 * What is known of the orders that were just asked for: read in one go for hundreds of answers, locked in the
 * order of their keys, so that two writers never wait for each other.
 */
import { sql } from 'kysely';
import type { RawBuilder, Selectable, Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import { latest } from './order-changes-rows.ts';
import { keySet, unitText } from '../store/orders/order-claims.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import { REGISTRATIONS } from '../store/orders/registrations.ts';
import type { ChangeRow, Known, TransferRow, WithdrawalRow } from './order-observations.ts';
import type {
  OrderDueTable,
  FaultSubject,
  OrderFaultTable,
  RegisteredOutcome,
  Tables,
  TransferBatchTable,
} from '../store/schema/schema.ts';

export type DueRow = Selectable<OrderDueTable>;
export type BatchRow = Selectable<TransferBatchTable>;
type FaultRow = Selectable<OrderFaultTable>;

/** An order or a batch: the account it belongs to and its own number. */
export interface OrderKey {
  accountNo: string;
  outNo: string;
}

export function keyText({ accountNo, outNo }: OrderKey): string {
  return `${accountNo}\t${outNo}`;
}

/** Of orders of either kind and of batches, which may share a number. */
export interface FaultKey extends OrderKey {
  subject: FaultSubject;
}

export function faultText(key: FaultKey): string {
  return `${key.subject}\t${keyText(key)}`;
}

/** Pairs as a set to join with, in the order in which rows are locked. */
function pairs(keys: readonly OrderKey[], secondName: string): RawBuilder<unknown> {
  const sorted = [...new Map(keys.map((key) => [keyText(key), key])).entries()].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const firsts = sorted.map(([, { accountNo }]) => accountNo);
  const seconds = sorted.map(([, { outNo }]) => outNo);
  return sql`unnest(${firsts}::text[], ${seconds}::text[]) k (account_no, ${sql.ref(secondName)})`;
}

export async function lockDues(
  trx: Transaction<Tables>,
  units: readonly UnitKey[],
): Promise<Map<string, DueRow>> {
  const { rows } = await sql<DueRow>`
    select d.* from ${keySet(units)}
    cross join lateral (
      select * from order_due d
      where d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number for update
    ) d`.execute(trx);
  return new Map(
    rows.map((row) => [unitText({ kind: row.kind, numberKind: row.number_kind, number: row.number }), row]),
  );
}

export async function readBatches(
  trx: Transaction<Tables>,
  keys: readonly OrderKey[],
): Promise<Map<string, BatchRow>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<BatchRow>`
    select b.* from ${pairs(keys, 'out_batch_no')}
    cross join lateral (
      select * from transfer_batch b
      where b.account_no = k.account_no and b.out_batch_no = k.out_batch_no for update
    ) b`.execute(trx);
  return new Map(rows.map((row) => [keyText({ accountNo: row.account_no, outNo: row.out_batch_no }), row]));
}

/** Whose batches are, and what they are known by, by the platform's numbers; of several that had one, the first. */
export async function readOwnBatchNumbers(
  trx: Transaction<Tables>,
  batchNos: readonly string[],
): Promise<Map<string, OrderKey>> {
  const numbers = [...new Set(batchNos)].filter((batchNo) => batchNo !== '');
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ batch_no: string } & OrderKey>`
    select b.batch_no, b.account_no as "accountNo", b.out_batch_no as "outNo" from unnest(${numbers}::text[]) k (batch_no)
    cross join lateral (
      select b.* from transfer_batch b
      where b.batch_no = k.batch_no and b.batch_no <> '' order by b.first_seen_at, b.out_batch_no limit 1
    ) b`.execute(trx);
  return new Map(rows.map(({ batch_no: batchNo, ...key }) => [batchNo, key]));
}

/** The own numbers of orders that the platform's numbers stand for. */
export async function readAliases(
  trx: Transaction<Tables>,
  orderNos: readonly string[],
): Promise<Map<string, string>> {
  if (orderNos.length === 0) return new Map();
  const rows = await trx.selectFrom('order_alias').selectAll().where('order_no', 'in', orderNos).execute();
  return new Map(rows.map((row) => [row.order_no, row.out_order_no]));
}

/**
 * Whether no batch but the one of the key `k` goes by its number: orders that are known of that are its own then, whoever pays.
 * Another payer may have used the number too; under one number of the platform that is one batch all the same.
 */
const IS_ALONE = sql<boolean>`not exists (select from transfer_batch n
  where n.out_batch_no = k.out_batch_no and n.account_no <> k.account_no and not exists (
    select from transfer_batch b where b.account_no = k.account_no and b.out_batch_no = k.out_batch_no
      and b.batch_no = n.batch_no and b.batch_no <> ''))`;

/** Every known order of these batches, and every order of these numbers, or of these of the platform, whatever batch it is in. */
export async function readTransfers(
  trx: Transaction<Tables>,
  of: { batches: readonly OrderKey[]; orders: readonly OrderKey[]; numbers: readonly string[] },
): Promise<TransferRow[]> {
  const { rows: listed } = await sql<TransferRow>`
    select o.* from ${pairs(of.orders, 'out_order_no')}
    cross join lateral (
      select * from transfer_order o
      where o.account_no = k.account_no and o.out_order_no = k.out_order_no for update
    ) o`.execute(trx);
  const known = listed.map((row) => ({ accountNo: row.account_no, outNo: row.out_order_no }));
  const { rows: inBatch } = await sql<TransferRow>`
    select o.* from ${pairs(of.batches, 'out_batch_no')}
    cross join lateral (
      select * from transfer_order o
      where o.out_batch_no = k.out_batch_no and (o.account_no = k.account_no or ${IS_ALONE})
        and (o.account_no, o.out_order_no) not in (select * from ${pairs(known, 'out_order_no')})
      order by o.account_no, o.out_order_no for update
    ) o`.execute(trx);
  return [...listed, ...inBatch, ...(await readNumbered(trx, of.numbers, [...listed, ...inBatch]))];
}

async function readNumbered(
  trx: Transaction<Tables>,
  numbers: readonly string[],
  known: readonly TransferRow[],
): Promise<TransferRow[]> {
  if (numbers.length === 0) return [];
  const keys = known.map((row) => ({ accountNo: row.account_no, outNo: row.out_order_no }));
  const { rows } = await sql<TransferRow>`
    select * from transfer_order o where o.order_no = any(${numbers}::text[]) and o.order_no <> ''
      and (o.account_no, o.out_order_no) not in (select * from ${pairs(keys, 'out_order_no')})
    order by o.account_no, o.out_order_no for update`.execute(trx);
  return rows;
}

export async function readWithdrawals(
  trx: Transaction<Tables>,
  keys: readonly OrderKey[],
): Promise<WithdrawalRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<WithdrawalRow>`
    select w.* from ${pairs(keys, 'out_order_no')}
    cross join lateral (
      select * from withdrawal w
      where w.account_no = k.account_no and w.out_order_no = k.out_order_no for update
    ) w`.execute(trx);
  return rows;
}

/** The last look that did not find it under that number, where none has found it yet. */
export function notFoundAt(
  due: DueRow | undefined,
  { foundAs }: { foundAs?: UnitKey | undefined },
): Instant | null {
  return due?.state === 'not_found' && foundAs === undefined ? due.asked_at : null;
}

/** What goes with each known order: its changes, and by `faultText` its open faults. Of withdrawals only that subject, of others the rest. */
export interface Particulars {
  changes: ReadonlyMap<string, readonly ChangeRow[]>;
  faults: ReadonlyMap<string, Known<unknown>['faults']>;
}

/** @param references orders and batches; batches have faults only */
export async function readParticulars(
  trx: Transaction<Tables>,
  references: readonly OrderKey[],
): Promise<Particulars> {
  if (references.length === 0) return { changes: new Map(), faults: new Map() };
  const { rows: changes } = await sql<ChangeRow>`
    select s.* from ${pairs(references, 'out_order_no')}
    cross join lateral (
      select * from order_state_seen s
      where s.account_no = k.account_no and s.out_order_no = k.out_order_no offset 0
    ) s
    order by s.account_no, s.out_order_no, s.subject, s.change_no`.execute(trx);
  const { rows: faults } = await sql<FaultRow>`
    select f.* from ${pairs(references, 'reference')}
    cross join lateral (
      select * from order_fault f where f.account_no = k.account_no and f.reference = k.reference offset 0
    ) f
    where f.cured_day is null`.execute(trx);
  const byFault = Map.groupBy(faults, ({ account_no: accountNo, reference: outNo, subject }) =>
    faultText({ accountNo, outNo, subject }),
  );
  const noted = ({ class: kind, note, first_day: firstDay }: FaultRow) => [kind, { note, firstDay }] as const;
  return {
    changes: Map.groupBy(changes, (row) => keyText({ accountNo: row.account_no, outNo: row.out_order_no })),
    faults: new Map([...byFault].map(([key, rows]) => [key, new Map(rows.map(noted))])),
  };
}

/** What the company registered of a batch or withdrawal. */
export interface Registration {
  kind: 'transfer' | 'withdrawal';
  outBatchNo: string;
  batchNo: string;
  outOrderNo: string;
  orderNo: string;
  payerAccountNo: string;
  payeeAccountNo: string;
  amountFen: Fen | null;
  submittedAt: Instant | null;
  outcome: RegisteredOutcome;
}

const REGISTRATION = sql`r.kind, r.out_batch_no as "outBatchNo", r.batch_no as "batchNo",
  r.out_order_no as "outOrderNo", r.order_no as "orderNo", r.payer_account_no as "payerAccountNo",
  r.payee_account_no as "payeeAccountNo", r.amount_fen as "amountFen", r.submitted_at as "submittedAt", r.outcome`;

/**
 * Registrations of batches and withdrawals by either of their numbers: one of the two may be wrong. What stands comes
 * before what was registered otherwise.
 */
export async function readRegistered(
  trx: Transaction<Tables>,
  of: { outBatchNos: readonly string[]; batchNos: readonly string[]; withdrawals: readonly UnitKey[] },
): Promise<Registration[]> {
  const found: Registration[] = [];
  if (of.outBatchNos.length > 0) {
    const { rows } = await sql<Registration>`
      select ${REGISTRATION} from unnest(${of.outBatchNos}::text[]) k (out_batch_no)
      cross join lateral (
        select * from ${REGISTRATIONS} r
        where r.kind = 'transfer' and r.out_batch_no = k.out_batch_no offset 0
      ) r
      order by r.registered_as, r.stands desc`.execute(trx);
    found.push(...rows);
  }
  if (of.batchNos.length > 0) {
    const { rows } = await sql<Registration>`
      select ${REGISTRATION} from ${REGISTRATIONS} r
      where r.kind = 'transfer' and r.batch_no <> '' and r.batch_no = any(${of.batchNos}::text[])
        and r.out_batch_no <> all(${of.outBatchNos}::text[])
      order by r.registered_as, r.stands desc`.execute(trx);
    found.push(...rows);
  }
  const withdrawals = Map.groupBy(of.withdrawals, ({ numberKind }) => numberKind);
  const numbersBy = (kind: UnitKey['numberKind']) =>
    (withdrawals.get(kind) ?? []).map(({ number }) => number);
  if (of.withdrawals.length > 0) {
    const { rows } = await sql<Registration>`
      select ${REGISTRATION} from order_registry r
      where r.kind = 'withdrawal' and r.registered_as = any(${numbersBy('out')}::text[])
      union
      select ${REGISTRATION} from order_registry r
      where r.kind = 'withdrawal' and r.order_no <> '' and r.order_no = any(${numbersBy('platform')}::text[])
      order by "outOrderNo", "orderNo"`.execute(trx);
    found.push(...rows);
  }
  return found;
}

/**
 * The last look that certainly did not show what a look shows now: the last answered one, unless something was wrong
 * with what it showed; then the last one before it of which that is known; null: there is none.
 */
export function observedAtOf(
  askedAt: Instant | null,
  known: Omit<Known<unknown>, 'observedAt'>,
): Instant | null {
  if (askedAt !== null && known.faults.size === 0) return askedAt;
  const looks = known.changes.flatMap(({ first_final_at: final, last_open_at: open, is_odd: isOdd }) =>
    isOdd ? [open] : [final, open],
  );
  const [first = null, ...others] = looks.filter((look) => look !== null);
  return first && latest(first, ...others);
}
