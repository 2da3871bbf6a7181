/** What `recon prune` never removes, because a night, a person or a guard would miss it. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { verifyPeriods } from '../../../jobs/sign-off/verify-periods.ts';
import { underLease } from '../../../jobs/context/under-lease.ts';
import { hasSignedAnswers } from '../../../src/store/deposits/answers.ts';
import { layEvidence } from '../../../src/store/prune/evidence.ts';
import { layAnswers, pruneSomeAnswers } from '../../../src/store/prune/old-answers.ts';
import { daysBetween } from '../../../src/core/time.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { LATER, answersOf, booked, oldBooks, pruneOf, sign, toldOf } from './old-books.ts';

let night: Night;
afterEach(() => night.close());

const EVER = { fromDay: '2000-01-01', toDay: '9999-12-31' };

/** Everything that is known of breaks, settlements and proofs. */
async function known(): Promise<unknown> {
  const tables = [
    'break',
    'finding',
    'break_found',
    'break_told',
    'run',
    'run_account',
    'run_file',
    'run_unexplained',
    'run_cleared',
    'settle_attempt',
    'settle_event',
    'settle_evidence',
    'deposit',
    'deposit_version',
    'transfer_order',
    'balance_snapshot',
    'sync_day',
    'movement',
    'match',
    'ledger_entry',
    'signed_row',
  ];
  const dump: Record<string, unknown> = {};
  for (const name of tables) {
    const { rows } = await sql`select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`.execute(
      night.db,
    );
    dump[name] = rows;
  }
  const { rows } = await sql`select * from break_event where pruned is null order by trail_no`.execute(
    night.db,
  );
  return { ...dump, break_event: rows };
}

test('of facts, proofs and the history of breaks nothing goes', async () => {
  night = await oldBooks({ unbooked: true });
  night.moveTo(LATER);
  const before = await known();
  await pruneOf(night);
  expect(await known()).toEqual(before);
});

test('an account that has an open break keeps its answers, and the night after it tells the same break', async () => {
  night = await oldBooks({ unbooked: true });
  const { break_id: id } = await night.db
    .selectFrom('break')
    .selectAll()
    .where('reference', '=', 'LATE')
    .executeTakeFirstOrThrow();
  night.moveTo(LATER);
  const before = await answersOf(night);
  expect(toldOf(await pruneOf(night), 'answers')).toMatch(/^goes 0 · open_break \d+$/);
  expect(await answersOf(night)).toEqual(before);
  const next = await night.night('2029-05-31');
  expect(next.result.run.verdict).toBe('breaks');
  expect(next.result.breaks.map((found) => [found.id, found.reference, found.ageDays])).toEqual([
    [id, 'LATE', daysBetween({ from: '2026-03-01', to: '2029-05-31' })],
  ]);
});

test('once the break is closed, they go', async () => {
  night = await oldBooks({ unbooked: true });
  await night.entries([booked('LATE', 70n, '2026-03-01 10:00:00')]);
  night.moveTo('2026-03-05 02:00:00');
  expect(findingsOf(await night.night('2026-03-04'))).toEqual([]);
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'answers')).not.toMatch(/^goes 0|open_break/);
});

test('a period that is signed off keeps all it rests on, and is verified as before', async () => {
  night = await oldBooks();
  await sign(night, '2026-03-01');
  night.moveTo(LATER);
  const before = await answersOf(night);
  expect(toldOf(await pruneOf(night), 'answers')).toMatch(/^goes 0 · .*signed_period \d/);
  expect(await answersOf(night)).toEqual(before);
  const context = await night.process();
  expect(await verifyPeriods(context, EVER)).toEqual({ periods: 1, changes: [] });
});

test('that the platform signs is known for good: else an answer that nobody signed would pass', async () => {
  night = await oldBooks();
  await sql`
    update raw_answer set signed = false where sha256 in (select answer_sha256 from balance_snapshot)`.execute(
    night.db,
  );
  night.moveTo(LATER);
  await pruneOf(night);
  expect(await hasSignedAnswers(night.db)).toBe(true);
});

test('the last balance of an account is kept: a proof begins there, however long ago it was', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  await pruneOf(night);
  const { rows } = await sql<{ kept: boolean }>`
    select exists (select from raw_answer r where r.sha256 = s.answer_sha256) as kept
    from balance_snapshot s order by closed_at desc limit 1`.execute(night.db);
  expect(rows).toEqual([{ kept: true }]);
});

/** @returns the digest of the answer that it was read from */
async function storedOrder(over: object): Promise<string> {
  const digest = 'a'.repeat(64);
  const answer = { sha256: digest, endpoint: 'query/batch', account_no: 'A1', req_id: 'R', signed: true };
  await night.db
    .insertInto('raw_answer')
    .values({ ...answer, requested_at: '2026-03-02T00:00:00.000Z', body_zstd: Buffer.from('') })
    .execute();
  const at = '2026-03-02T00:00:00.000Z';
  const order = {
    account_no: 'A1',
    out_order_no: 'T1',
    order_no: 'P1',
    out_batch_no: 'B1',
    payee_account_no: 'Q',
    amount_fen: 5n,
    real_fen: 5n,
    fee_fen: 0n,
    fee_type: '',
    state: '',
    effective_state: 'moved',
    settle_state: '',
    settlement: 'settled',
    settle_remark: '',
    ext_param: '',
    note: '',
    version: 1,
    submitted_at: at,
    first_seen_at: at,
    seen_at: at,
    answer_sha256: digest,
    signed: true,
    written_no: 1n,
    ...over,
  } as const;
  await night.db.insertInto('transfer_order').values(order).execute();
  return digest;
}

const UNSETTLED: readonly [string, object][] = [
  ['is under way', { effective_state: 'open' }],
  ['has a settlement under way', { settlement: 'open' }],
  ['has a settlement that failed, which may be sent again', { settlement: 'failed' }],
  ['has a settlement of which nobody knows', { settlement: 'unknown' }],
  ['has a refund that waits', { refund_waiting_fen: 3n }],
];
test.each(UNSETTLED)('the evidence of an order stays that %s', async (_, over) => {
  night = await oldBooks();
  const digest = await storedOrder(over);
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'answers')).toContain('settlement 1');
  expect(await answersOf(night)).toContain(digest);
});

test('the evidence of an order that is over goes', async () => {
  night = await oldBooks();
  const digest = await storedOrder({});
  night.moveTo(LATER);
  await pruneOf(night);
  expect(await answersOf(night)).not.toContain(digest);
});

test('an answer is as young as the last fact that was read from it', async () => {
  night = await oldBooks();
  const [digest] = await answersOf(night);
  await sql`
    update deposit set answer_sha256 = ${digest}, seen_at = '2029-05-01T00:00:00Z' where order_no = 'D1'`.execute(
    night.db,
  );
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'answers')).toContain('read_since 1');
  expect(await answersOf(night)).toContain(digest);
});

test('an answer from which a fact is read while others are pruned stays', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  const { zone } = await night.process();
  const before = '2028-01-01T00:00:00.000Z';
  await night.db.connection().execute(async (session) => {
    await layEvidence(session, zone);
    await layAnswers(session, { before, zone });
    const { rows } = await sql<{
      sha256: string;
    }>`select sha256 from prune_answer where why is null order by 1`.execute(session);
    const digest = rows[0]?.sha256 ?? '';
    await sql`update deposit set answer_sha256 = ${digest}, seen_at = '2029-05-31T00:00:00Z' where order_no = 'D1'`.execute(
      night.db,
    );
    const pruning = {
      kind: 'answers',
      actor: 'recon prune',
      at: '2029-06-01T00:00:00.000Z',
      before: '2028-01-01',
      days: 400,
    } as const;
    const gone = await session.transaction().execute((trx) => pruneSomeAnswers(trx, pruning, before));
    expect(gone?.map(({ key }) => key)).toEqual(rows.slice(1).map((row) => row.sha256));
    expect(await answersOf(night)).toContain(digest);
  });
});

test('while a night runs nothing is pruned', async () => {
  night = await oldBooks();
  night.moveTo(LATER);
  const context = await night.process();
  await underLease(context, 'run', async () => {
    await expect(pruneOf(night)).rejects.toThrow('another run holds the lock run');
  });
  expect((await night.db.selectFrom('pruned').selectAll().execute()).length).toBe(0);
});
