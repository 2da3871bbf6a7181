/**
 * Who bears a number that a person asks about. Every look-up goes by a key, so that it takes as long with a million
 * records as with ten; more than `BEARERS_MAX` of one kind are not listed.
 */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface RecordKey {
  kind: 'deposit' | 'transfer' | 'withdrawal';
  /** Of a transfer order its payer. */
  accountNo: string;
  /** Of a deposit the platform's number, else the company's. */
  number: string;
}

export interface EntryKey {
  source: string;
  entryId: string;
}

export interface Bearers {
  /** It is the number of an account of the list. */
  isAccount: boolean;
  records: RecordKey[];
  batches: { accountNo: string; outBatchNo: string; batchNo: string; state: string; orderCount: number }[];
  /** Orders that were registered under it and that the platform has not shown. */
  registered: { kind: 'transfer' | 'withdrawal'; registeredAs: string }[];
  entries: EntryKey[];
  breakIds: string[];
}

const BEARERS_MAX = 50;

export async function findBearers(db: DbOrTransaction, number: string): Promise<Bearers> {
  const account = await db
    .selectFrom('account')
    .select('account_no')
    .where('account_no', '=', number)
    .executeTakeFirst();
  const breakIds = await breaksAbout(db, number);
  return {
    isAccount: account !== undefined,
    records: [...(await depositsOf(db, number)), ...(await ordersOf(db, number))],
    batches: await batchesOf(db, number),
    registered: await registeredUnder(db, number),
    entries: await entriesOf(db, number),
    breakIds,
  };
}

/** Account by account, each by its key: there are few accounts and any number of deposits. */
async function depositsOf(db: DbOrTransaction, number: string): Promise<RecordKey[]> {
  const { rows } = await sql<RecordKey>`
    select 'deposit' as kind, d.account_no as "accountNo", d.order_no as number
    from account a cross join lateral (
      select account_no, order_no from deposit d where d.account_no = a.account_no and d.order_no = ${number} offset 0
    ) d
    order by d.account_no limit ${BEARERS_MAX}`.execute(db);
  return rows;
}

async function ordersOf(db: DbOrTransaction, number: string): Promise<RecordKey[]> {
  const of = (table: 'transfer_order' | 'withdrawal', column: string) => sql`
    select ${sql.lit(table === 'withdrawal' ? 'withdrawal' : 'transfer')} as kind, account_no, out_order_no
    from ${sql.table(table)} where ${sql.ref(column)} = ${number}`;
  const { rows } = await sql<RecordKey>`
    select kind, account_no as "accountNo", out_order_no as number from (
      ${of('transfer_order', 'out_order_no')} union ${of('transfer_order', 'order_no')}
      union ${of('transfer_order', 'stated_no')} and stated_no <> ''
      union ${of('withdrawal', 'out_order_no')} union ${of('withdrawal', 'order_no')}
    ) o order by kind, account_no, out_order_no limit ${BEARERS_MAX}`.execute(db);
  return rows;
}

async function batchesOf(db: DbOrTransaction, number: string): Promise<Bearers['batches']> {
  const { rows } = await sql<Bearers['batches'][number]>`
    select account_no as "accountNo", out_batch_no as "outBatchNo", batch_no as "batchNo", state,
      order_count as "orderCount"
    from (
      select b.* from transfer_batch b where b.batch_no = ${number} and b.batch_no <> ''
      union
      select b.* from account a cross join lateral (
        select * from transfer_batch b where b.account_no = a.account_no and b.out_batch_no = ${number} offset 0) b
    ) b order by account_no, out_batch_no limit ${BEARERS_MAX}`.execute(db);
  return rows;
}

/** The first orders of a batch by their numbers. */
export async function listOrdersOfBatch(
  db: DbOrTransaction,
  of: { accountNo: string; outBatchNo: string; limit: number },
): Promise<{ outOrderNo: string; payeeAccountNo: string; amountFen: Fen | null; state: string }[]> {
  const rows = await db
    .selectFrom('transfer_order')
    .select(['out_order_no', 'payee_account_no', 'amount_fen', 'state'])
    .where('account_no', '=', of.accountNo)
    .where('out_batch_no', '=', of.outBatchNo)
    .orderBy('out_order_no')
    .limit(of.limit)
    .execute();
  return rows.map((row) => ({
    outOrderNo: row.out_order_no,
    payeeAccountNo: row.payee_account_no,
    amountFen: row.amount_fen,
    state: row.state,
  }));
}

async function registeredUnder(db: DbOrTransaction, number: string): Promise<Bearers['registered']> {
  const { rows } = await sql<Bearers['registered'][number]>`
    select kind, registered_as as "registeredAs" from (
      select kind, registered_as, out_order_no, order_no from order_registry
      where out_order_no = ${number} and out_order_no <> ''
      union
      select kind, registered_as, out_order_no, order_no from order_registry
      where order_no = ${number} and order_no <> ''
    ) r
    where not exists (select from transfer_order t where r.kind = 'transfer' and r.out_order_no <> ''
        and t.out_order_no = r.out_order_no)
      and not exists (select from transfer_order t where r.kind = 'transfer' and r.order_no <> ''
        and t.order_no = r.order_no)
      and not exists (select from withdrawal w where r.kind = 'withdrawal' and r.out_order_no <> ''
        and w.out_order_no = r.out_order_no)
      and not exists (select from withdrawal w where r.kind = 'withdrawal' and r.order_no <> ''
        and w.order_no = r.order_no)
    order by kind, registered_as limit ${BEARERS_MAX}`.execute(db);
  return rows;
}

async function breaksAbout(db: DbOrTransaction, number: string): Promise<string[]> {
  const { rows } = await sql<{ break_id: string }>`
    select break_id from (
      select break_id, last_day from break where break_id = ${number}
      union select break_id, last_day from break where reference = ${number}
    ) b order by last_day desc, break_id limit ${BEARERS_MAX}`.execute(db);
  return rows.map((row) => row.break_id);
}

/** By their own id in each source; by the number they refer to where they are open, or came after the last match. */
async function entriesOf(db: DbOrTransaction, number: string): Promise<EntryKey[]> {
  const { rows } = await sql<EntryKey>`
    select distinct source, entry_id as "entryId" from (
      select e.source, e.entry_id
      from (select distinct source from intake_file where kind = 'ledger') s
      cross join lateral (
        (select source, entry_id from ledger_entry e where e.source = s.source and e.entry_id = ${number} and e.current)
        union all
        (select source, entry_id from ledger_entry e
          where e.source = s.source and e.entry_id = ${number} and not e.current limit 1)
      ) e
      union all
      select e.source, e.entry_id
      from (select distinct account_no from break where reference = ${number}) b
      cross join lateral (
        select item_key from unmatched u where u.account_no = b.account_no and u.side = 'ledger' offset 0) u
      join ledger_entry e on e.entry_no = u.item_key::bigint and e.reference = ${number}
      union all
      select e.source, e.entry_id from ledger_entry e
      where e.written_no > coalesce((select done_no from progress where step = 'match'), 0)
        and e.reference = ${number} and e.current
    ) x order by source, "entryId" limit ${BEARERS_MAX}`.execute(db);
  return rows;
}
