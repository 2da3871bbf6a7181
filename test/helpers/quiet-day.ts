/** A day on which nothing is wrong, for tests in which something else is. */
import { expect } from 'vitest';
import { Night, findingsOf } from './night.ts';

/** The night of 10 March: two accounts with three deposits each on that day, in the books as well. */
export async function openQuietDay(): Promise<Night> {
  const night = await Night.open({ now: '2026-03-11 02:00:00', workbooks: 'each' });
  const opening = { fen: 100_000n, at: '2026-03-08 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening });
  const lines = ['A1', 'A2'].flatMap((account) =>
    [1, 2, 3].map((hour) => ({
      account,
      orderNo: `${account}D${hour}`,
      fen: 100n * BigInt(hour),
      at: `2026-03-10 0${hour}:00:00`,
    })),
  );
  night.deposits(
    ...lines.map(({ account, orderNo, fen, at }) => ({
      payeeAcctNo: account,
      orderNo,
      amountFen: fen,
      depositTime: at,
    })),
  );
  await night.entries(
    lines.map(({ account, orderNo, fen, at }) => ({
      id: `E${orderNo}`,
      account,
      fen,
      at,
      reference: orderNo,
    })),
  );
  return night;
}

/** Runs that night: all six deposits are stored once, and nothing is found. */
export async function expectGreen(night: Night): Promise<void> {
  const outcome = await night.night('2026-03-10');
  expect(findingsOf(outcome)).toEqual([]);
  expect(outcome.result.run.verdict).toBe('reconciled');
  expect(await countOf(night, 'deposit')).toBe(6);
}

export async function countOf(
  { db }: Night,
  table: 'deposit' | 'sync_window' | 'balance_snapshot' | 'raw_answer',
): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** How many calls the platform has had, since that request. */
export function callsTo({ sandbox }: Night, endpoint: string, since = 0): number {
  return sandbox.requests(since).filter(({ path }) => path.endsWith(endpoint)).length;
}
