/** The archive read again against its digests: what lies in it, what was found wrong, and when it was whole again. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction, VoucherCheckTable } from '../schema/schema.ts';

/** Originals in the order of their digests, each once, of vouchers whose money moved in the window. */
export async function listArchived(
  db: DbOrTransaction,
  window: { from: Instant; to: Instant } | undefined,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const isInside =
    window === undefined
      ? sql`true`
      : sql`exists (select from voucher_due d where d.account_no = v.account_no and d.kind = v.kind
          and d.number = v.number and d.moved_at >= ${window.from} and d.moved_at < ${window.to})`;
  const { rows } = await sql<{ sha256: string }>`
    select distinct v.sha256 from voucher v
    where v.condition <> 'rejected' and v.sha256 > ${after} and ${isInside}
    order by v.sha256 limit ${limit}`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

export async function countArchived(
  db: DbOrTransaction,
  window: { from: Instant; to: Instant } | undefined,
): Promise<number> {
  const isInside =
    window === undefined
      ? sql`true`
      : sql`exists (select from voucher_due d where d.account_no = v.account_no and d.kind = v.kind
          and d.number = v.number and d.moved_at >= ${window.from} and d.moved_at < ${window.to})`;
  const { rows } = await sql<{ n: number }>`
    select count(distinct v.sha256)::integer as n from voucher v
    where v.condition <> 'rejected' and ${isInside}`.execute(db);
  return rows[0]?.n ?? 0;
}

export interface CheckFault {
  /** As recorded. */
  sha256: string;
  /** Of the bytes on disk; null where there are none that can be read. */
  actualSha256: string | null;
  result: VoucherCheckTable['result'];
}

/** Keeps what is wrong now, once as long as it stays as it is, and closes what is whole again. */
export async function saveChecks(
  db: DbOrTransaction,
  checks: { at: Instant; whole: readonly string[]; faults: readonly CheckFault[] },
): Promise<void> {
  const { at, whole, faults } = checks;
  await sql`
    update voucher_check set cured_at = ${at}
    where cured_at is null and sha256 = any(${whole}::text[])`.execute(db);
  for (const { sha256, actualSha256, result } of faults) {
    await sql`
      update voucher_check set cured_at = ${at}
      where cured_at is null and sha256 = ${sha256}
        and (actual_sha256, result) is distinct from (${actualSha256}, ${result})`.execute(db);
    await sql`
      insert into voucher_check (checked_at, sha256, actual_sha256, result)
      select ${at}, ${sha256}, ${actualSha256}, ${result}
      where not exists (select from voucher_check where sha256 = ${sha256} and cured_at is null)
      on conflict do nothing`.execute(db);
  }
}
