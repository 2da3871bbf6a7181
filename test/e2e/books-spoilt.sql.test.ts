/** Books that are spoilt as a whole, and put right as a whole: all of it is told, and all of it ends. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { onPostgres } from '../helpers/database.ts';
import { Night } from '../helpers/night.ts';

const DEPOSITS = 600;
const ACCOUNTS = ['A1', 'A2', 'A3'];
/**
 * Rows of a table that a night may read by reading all of it, for each row that there is: as often as it has statements
 * that do. Where one looks through the table for each of its rows it is as many as there are rows.
 */
const READS_PER_ROW_MAX = 100;

let night: Night;
afterEach(() => night.close());

const deposits = Array.from({ length: DEPOSITS }, (_, place) => ({
  payeeAcctNo: ACCOUNTS[place % ACCOUNTS.length] ?? '',
  orderNo: `D${place}`,
  amountFen: BigInt(1_000 + place),
  depositTime: '2026-03-10 09:00:00',
}));

async function book(prefix: string): Promise<void> {
  await night.entries(
    deposits.map(({ payeeAcctNo, orderNo, amountFen, depositTime }) => ({
      id: `E${orderNo}`,
      account: payeeAcctNo,
      fen: amountFen,
      at: depositTime,
      reference: `${prefix}${orderNo}`,
    })),
  );
}

async function countOfBreaks(): Promise<unknown> {
  const { rows } = await sql`
    select class, status, cleared_cause as cause, count(*)::integer as count, bool_and(cleared_by <> '') as named
    from break group by class, status, cleared_cause order by class, status`.execute(night.db);
  return rows;
}

/** Tables with a row for each deposit, of which more is read so; the embedded database does not count. */
async function readOften(): Promise<string[]> {
  if (!onPostgres) return [];
  await sql`select pg_stat_force_next_flush()`.execute(night.db);
  const { rows } = await sql<{ name: string }>`
    select relname || ': ' || seq_tup_read / n_live_tup as name from pg_stat_user_tables
    where n_live_tup >= ${DEPOSITS} and seq_tup_read > n_live_tup * ${READS_PER_ROW_MAX}
    order by relname`.execute(night.db);
  return rows.map(({ name }) => name);
}

test(
  'every number of the books is wrong for a night, and right in the next',
  { timeout: 300_000 },
  async () => {
    night = await Night.open({ now: '2026-03-11 02:00:00' });
    const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
    await night.accounts(...ACCOUNTS.map((no) => ({ no, opening })));
    night.deposits(...deposits);
    await book('');
    expect((await night.night('2026-03-10')).result.run.verdict).toBe('reconciled');

    night.moveTo('2026-03-12 02:00:00');
    await book('X');
    const spoilt = await night.night('2026-03-11');
    expect(await readOften()).toEqual([]);
    expect(spoilt.result.run.verdict).toBe('breaks');
    expect(await countOfBreaks()).toEqual([
      { class: 'ledger_only', status: 'open', cause: null, count: DEPOSITS, named: null },
      { class: 'platform_only', status: 'open', cause: null, count: DEPOSITS, named: null },
    ]);

    night.moveTo('2026-03-13 02:00:00');
    await book('');
    const mended = await night.night('2026-03-12');
    expect(await readOften()).toEqual([]);
    expect(mended.result.run.verdict).toBe('reconciled');
    expect(await countOfBreaks()).toEqual([
      { class: 'ledger_only', status: 'closed', cause: 'record', count: DEPOSITS, named: true },
      { class: 'platform_only', status: 'closed', cause: 'entry', count: DEPOSITS, named: true },
    ]);
  },
);
