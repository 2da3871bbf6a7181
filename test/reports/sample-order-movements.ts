/** What the sample orders did to the accounts, and the entries of the books they are matched with. */
import type { Fen } from '../../src/core/fen.ts';
import type { Db, Family } from '../../src/store/schema/schema.ts';
import { at } from '../helpers/company/run-rows.ts';
import { DAY, ORDER_ACCOUNTS } from './sample-order-run.ts';

const [B1, B2, B3, B4] = ORDER_ACCOUNTS;

export interface MovedLine {
  account: string;
  key: string;
  family: Family;
  kind: string;
  deltaFen: Fen;
  feeFen?: Fen;
  reference: string;
  orderAccount: string;
  changeNo?: number;
  at: string;
  /** The first look that showed it; default: when it counts. */
  seenAt?: string;
  writtenNo?: bigint;
  /** What the books have for it. */
  entry?: { id: string; amountFen: Fen };
}

export const transfer = { family: 'transfer', orderAccount: B1 } as const;
const refund = {
  family: 'refund',
  reference: 'T5',
  orderAccount: B1,
  changeNo: 1,
  at: `${DAY} 16:00:00`,
} as const;
const T1 = { ...transfer, reference: 'T1', at: `${DAY} 10:00:00`, seenAt: `${DAY} 10:05:00` } as const;
const T2 = { ...transfer, reference: 'T2', at: `${DAY} 10:00:00`, seenAt: `${DAY} 10:06:00` } as const;
const W1 = {
  family: 'withdrawal',
  reference: 'W1',
  orderAccount: B2,
  at: `${DAY} 09:00:00`,
  seenAt: `${DAY} 09:30:00`,
} as const;
const W2 = { family: 'withdrawal', reference: 'W2', orderAccount: B3, account: B3 } as const;

export const MOVED: readonly MovedLine[] = [
  {
    ...T1,
    account: B1,
    key: 'transfer_out:T1',
    kind: 'transfer_out',
    deltaFen: -1_000_000n,
    entry: { id: 'E-T1', amountFen: -1_000_000n },
  },
  {
    ...T1,
    account: B2,
    key: 'transfer_in:T1',
    kind: 'transfer_in',
    deltaFen: 997_000n,
    feeFen: 3_000n,
    entry: { id: 'E-T1b', amountFen: 997_000n },
  },
  {
    family: 'settlement',
    reference: 'T1',
    orderAccount: B1,
    account: B2,
    key: 'settlement:T1',
    kind: 'settlement',
    deltaFen: -997_000n,
    at: `${DAY} 12:00:00`,
    entry: { id: 'E-S1', amountFen: -997_000n },
  },
  {
    ...T2,
    account: B1,
    key: 'transfer_out:T2',
    kind: 'transfer_out',
    deltaFen: -200_000n,
    entry: { id: 'E-T2', amountFen: -200_000n },
  },
  { ...T2, account: B1, key: 'transfer_fee:T2', kind: 'fee', deltaFen: -500n, feeFen: 500n },
  {
    ...T2,
    account: B2,
    key: 'transfer_in:T2',
    kind: 'transfer_in',
    deltaFen: 200_000n,
    entry: { id: 'E-T2b', amountFen: 200_000n },
  },
  { ...refund, account: B1, key: 'refund_in:T5:1', kind: 'refund_in', deltaFen: 30_000n },
  {
    ...refund,
    account: B2,
    key: 'refund_out:T5:1',
    kind: 'refund_out',
    deltaFen: -30_000n,
    entry: { id: 'E-R5b', amountFen: -30_000n },
  },
  {
    ...transfer,
    account: B1,
    key: 'transfer_out:=1+1',
    kind: 'transfer_out',
    deltaFen: -12_345n,
    reference: '=1+1',
    at: `${DAY} 10:00:00`,
    seenAt: `${DAY} 10:07:00`,
    entry: { id: '+E-T6', amountFen: -12_345n },
  },
  {
    ...W1,
    account: B2,
    key: 'withdrawal:W1',
    kind: 'withdrawal',
    deltaFen: -100_000n,
    entry: { id: 'E-W1', amountFen: -100_000n },
  },
  { ...W1, account: B4, key: 'withdrawal_fee:W1', kind: 'fee', deltaFen: -100n, feeFen: 100n },
  {
    ...W2,
    key: 'withdrawal:W2',
    kind: 'withdrawal',
    deltaFen: -300_000n,
    at: '2026-03-04 09:00:00',
    entry: { id: 'E-W2', amountFen: -300_000n },
  },
  {
    ...W2,
    key: 'withdrawal:W2:2',
    kind: 'withdrawal',
    deltaFen: 300_000n,
    changeNo: 2,
    at: `${DAY} 11:00:00`,
  },
  {
    family: 'withdrawal',
    reference: 'W5',
    orderAccount: B3,
    account: B3,
    key: 'withdrawal:W5',
    kind: 'withdrawal',
    deltaFen: -20_000n,
    at: '2026-03-06 01:30:00',
  },
];

/** The movement, and the entry of the books it is matched with; a fee or a return shares its order's group. */
export async function aMovement(db: Db, fileId: string, line: MovedLine): Promise<void> {
  const moment = at(line.at);
  await db
    .insertInto('movement')
    .values({
      account_no: line.account,
      dedup_key: line.key,
      family: line.family,
      kind: line.kind,
      delta_fen: line.deltaFen,
      fee_fen: line.feeFen ?? 0n,
      reference: line.reference,
      effective_from: moment,
      effective_to: at(line.seenAt ?? line.at),
      written_no: line.writtenNo ?? 1n,
      order_account: line.orderAccount,
      change_no: line.changeNo ?? 1,
    })
    .execute();
  const isBeside = line.kind === 'fee' && line.account === line.orderAccount;
  const isReturn = line.family === 'withdrawal' && line.changeNo === 2;
  if (line.entry === undefined && !isBeside && !isReturn) return;
  await db
    .insertInto('match')
    .values({
      account_no: line.account,
      group_key: `${line.family}:${line.reference}`,
      line_no: isBeside || isReturn ? 2 : 1,
      dedup_key: line.key,
      entry_no: line.entry ? await anEntry(db, fileId, { ...line, entry: line.entry }) : null,
      rule: 'reference',
      outcome: isBeside ? 'fee' : 'equal',
    })
    .execute();
}

async function anEntry(
  db: Db,
  fileId: string,
  { account, at: bookedAt, entry, reference }: MovedLine & { entry: { id: string; amountFen: Fen } },
): Promise<bigint> {
  const row = await db
    .insertInto('ledger_entry')
    .values({
      account_no: account,
      source: 'erp',
      entry_id: entry.id,
      version: 1,
      kind: 'transfer_out',
      amount_fen: entry.amountFen,
      reference,
      booked_at: at(bookedAt),
      status: 'posted',
      file_id: fileId,
      written_no: 1n,
    })
    .returning('entry_no')
    .executeTakeFirstOrThrow();
  return row.entry_no;
}
