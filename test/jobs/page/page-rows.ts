/** Rows of a company that has run for a while: nights, breaks, retried settlements, vouchers and published files. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Day } from '../../../src/core/time.ts';
import type { AttemptState, Db } from '../../../src/store/schema/schema.ts';
import { anIntakeFile, at } from '../../helpers/company/run-rows.ts';

export function nightId(day: Day): string {
  return `nightly-${day}-v1`;
}

/**
 * Nights of so many accounts that end with the day of `last`. Every ninth has breaks, every seventh timing items; the
 * 30th last is incomplete and the one before it is missing.
 */
export async function manyNights(db: Db, of: { nights: number; accounts: number; last: Day }): Promise<void> {
  await anIntakeFile(db);
  await sql`
    insert into account (account_no, name, file_id)
    select ${FIRST_ACCOUNT} + a, '', 'file-accounts' from generate_series(1, ${of.accounts}::integer) a`.execute(
    db,
  );
  await sql`
    insert into run (run_id, job, from_day, to_day, version, step, state, verdict, fence, clock_at, started_at,
      finished_at, published_at, settings_digest, profile_digest, assumptions)
    select 'nightly-' || day || '-v1', 'nightly', day, day, 1, 'published',
      case no when 30 then 'incomplete' else 'finished' end,
      case when no = 30 then 'incomplete' when no % 9 = 0 then 'breaks' when no % 7 = 3 then 'reconciled_with_timing'
        else 'reconciled' end,
      1, begun, begun, begun + interval '5 minutes', begun + interval '7 minutes', '', '', '[]'
    from (select no, to_char(${of.last}::date - no, 'YYYY-MM-DD') as day,
        (${of.last}::date - no + 1 + time '02:00') at time zone 'Asia/Shanghai' as begun
      from generate_series(0, ${of.nights}::integer - 1) no) n
    where no <> 31`.execute(db);
  await sql`
    insert into run_account (run_id, account_no, verdict, platform_fen, ledger_fen, unexplained_fen, difference_fen)
    select n.run_id, ${FIRST_ACCOUNT} + a, case when a <= 3 then n.verdict else 'reconciled' end,
      case when n.verdict = 'incomplete' and a = 1 then null else n.balance + a end,
      n.balance + a - case when n.verdict = 'breaks' and a <= 3 then 12345 * a else 0 end,
      case when n.verdict = 'incomplete' and a = 1 then null when n.verdict = 'breaks' and a = 2 then -n.no * 77
        else 0 end, 0
    from (select run_id, verdict, no, 5000000 + (no * 7919) % 400000 + 2000 * no as balance
      from (select run_id, verdict, row_number() over (order by to_day) as no from run) r) n
    cross join generate_series(1, ${of.accounts}::integer) a`.execute(db);
  await sql`analyze run, run_account`.execute(db);
}

const FIRST_ACCOUNT = sql`622200100000`;

const CLASSES = [
  ['platform_only', 'break'],
  ['ledger_only', 'break'],
  ['amount', 'break'],
  ['unexplained', 'break'],
  ['settle_failed', 'attention'],
  ['voucher_missing', 'attention'],
  ['in_flight', 'timing'],
  ['late', 'timing'],
] as const;

/** Open breaks of several classes and ages, `each` of a class, the oldest `each` × 5 days old. */
export async function openBreaks(db: Db, of: { each: number; last: Day }): Promise<void> {
  for (const [itemClass, severity] of CLASSES) {
    await sql`
      insert into break (break_id, account_no, item_key, occurrence, class, severity, reference, difference_fen,
        first_day, first_run, last_day, last_run)
      select 'B' || substr(md5(${itemClass} || no), 1, 15), '622200100001', ${itemClass} || no, 1, ${itemClass},
        ${severity}, 'D' || no, case no % 2 when 0 then -1 else 1 end * no * 12345,
        to_char(${of.last}::date - (no - 1) * 5, 'YYYY-MM-DD'), 'x', ${of.last}, 'y'
      from generate_series(1, ${of.each}::integer) no`.execute(db);
  }
}

export async function anAttempt(
  db: Db,
  of: { no: number; state: AttemptState; isAwaiting?: boolean; amountFen?: bigint },
): Promise<void> {
  const key = { account_no: '622200100001', out_order_no: `T202603-${of.no}`, attempt_no: 1 };
  const sentAt = at('2026-03-01 02:05:00');
  const isClosed = of.state === 'CLOSED';
  await db
    .insertInto('settle_attempt')
    .values({
      ...key,
      req_id: `req-${of.no}`,
      order_no: `P${of.no}`,
      payee_account_no: '622200100002',
      amount_fen: of.amountFen ?? 250_000n,
      remark: '张三 的 结算',
      state: of.state,
      outcome: isClosed ? 'SUCCESS' : null,
      closed_at: isClosed ? sentAt : null,
      run_id: 'settle',
      fence: 1n,
      planned_at: sentAt,
      req_time: sentAt,
      sent_at: sentAt,
      runner: 'test',
    })
    .execute();
  await db
    .insertInto('settle_event')
    .values({
      ...key,
      sequence: BigInt(of.no),
      at: sentAt,
      run_id: 'settle',
      state: of.state,
      outcome: isClosed ? 'SUCCESS' : null,
      is_awaiting: of.isAwaiting ?? false,
    })
    .execute();
}

export async function vouchersDue(
  db: Db,
  of: { month: string; count: number; asked: number },
): Promise<void> {
  await sql`
    insert into voucher_due (account_no, kind, number, order_no, moved_at, month, counterparty, tries)
    select '622200100001', 'deposit', ${of.month} || no, 'x', '2026-03-01', ${of.month}, '李四',
      case when no <= ${of.asked}::integer then 1 else 0 end
    from generate_series(1, ${of.count}::integer) no`.execute(db);
}

/** A file as it was published: in its place, and in the list of its run. */
export async function aPublishedFile(
  db: Db,
  of: { home: string; runId: string; name: string; content: string },
): Promise<string> {
  const day = /\d{4}-\d{2}-\d{2}/.exec(of.runId)?.[0] ?? 'some';
  const file = path.join(of.home, 'reports', day, 'v1', of.name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, of.content);
  const sha256 = createHash('sha256').update(of.content).digest('hex');
  await db
    .insertInto('run_file')
    .values({ run_id: of.runId, path: file, sha256, bytes: BigInt(Buffer.byteLength(of.content)) })
    .execute();
  return file;
}

/** The night of that day has begun and read some of its windows. */
export async function aNightUnderWay(db: Db, day: Day): Promise<void> {
  await sql`
    insert into lease (name, holder, host, pid, fence, until) values ('run', 'h', 'night-1', 7, 42, '2099-01-01')`.execute(
    db,
  );
  await sql`
    insert into run (run_id, job, from_day, to_day, version, step, state, fence, clock_at, started_at, settings_digest,
      profile_digest, assumptions, begun)
    select 'nightly-' || ${day} || '-v1', 'nightly', ${day}, ${day}, 1, 'opened', 'open', 42, at, at, '', '', '[]', 2
    from (select (${day}::date + 1 + time '02:00') at time zone 'Asia/Shanghai' as at) t`.execute(db);
  await sql`
    insert into sync_window (run_id, account_no, from_day, to_day, state)
    select 'nightly-' || ${day} || '-v1', '622200100' || no, ${day}, ${day},
      case when no <= 640 then 'verified' when no <= 642 then 'failed' else 'planned' end
    from generate_series(1, 1000) no`.execute(db);
}
