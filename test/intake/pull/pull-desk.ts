/** A pull of a company's table `voucher` into books of our own, as a job calls it. */
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { pullBooks } from '../../../src/intake/pull/pull.ts';
import type { PullRequest, Pulled } from '../../../src/intake/pull/pull.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import { quietLog } from '../../helpers/log.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { shanghai } from '../books.ts';

export const VOUCHERS = `create table voucher (entry_id varchar(40), account_no varchar(40), amount_fen bigint,
  booked_at timestamp null, changed_at timestamp null)`;

/** @param at for the wall clock of recon */
export const atWall = (at: string): Partial<PullRequest> => ({
  clock: { wall: () => at, monoMs: () => 0, sleep: () => Promise.reject(new Error('nothing here sleeps')) },
});

export const namedDays = (fromDay: string, toDay: string): Partial<PullRequest> => ({
  days: { fromDay, toDay },
});

/** What a night pulls, in one piece, unless it is said otherwise. */
export async function pullVouchers(
  company: CompanyDatabase,
  of: { db: Db; file: string; lookBack: string },
  over: Partial<PullRequest> = {},
): Promise<Pulled> {
  await writeFile(of.file, `select v.*, 'deposit' as kind from voucher v`);
  const env = {
    LEDGER_DATABASE_URL: company.url,
    LEDGER_DATABASE_QUERY: of.file,
    LEDGER_DATABASE_LOOK_BACK: of.lookBack,
  };
  const { books = expect.unreachable() } = readSettings({ env, needs: { platform: false } });
  const { signal } = new AbortController();
  const { clock = expect.unreachable() } = atWall('2026-03-10T18:00:00.000Z');
  const { pulls } = await pullBooks({
    db: of.db,
    zone: shanghai,
    clock,
    log: quietLog,
    signal,
    books,
    days: undefined,
    rehearse: false,
    replace: false,
    force: false,
    adjustmentKind: 'adjustment',
    keep: () => Promise.resolve(),
    ...over,
  });
  return pulls[0] ?? expect.unreachable();
}
