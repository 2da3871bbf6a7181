/**
 * Who asks for which orders, among all processes: a claim on each row of `order_due`, by the database's clock. No lock is
 * held while the platform is asked; that an answer was asked for under the claim in force is looked at when it is stored.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import type { Db, DbOrTransaction } from '../schema/schema.ts';
import type { UnitKey } from './order-due.ts';

/** Of a process that died, others wait so long. */
const CLAIM_MS = 30_000;

/** Often enough that two renewals may be lost. */
export const RENEW_MS = 10_000;

export interface ClaimedUnit extends UnitKey {
  /** Undefined: it is on no list, and nobody else asks for it by that number. */
  claimFence: bigint | undefined;
  /** The last answered look at it, and whose that was. */
  askedAt: Instant | null;
  askedRun: string;
}

const UNTIL = sql`clock_timestamp() + ${CLAIM_MS}::double precision * interval '1 ms'`;

/** As a set `k` to join with, in the order in which rows are locked. */
export function keySet(units: readonly UnitKey[]): RawBuilder<unknown> {
  const sorted = units.toSorted((a, b) => (unitText(a) < unitText(b) ? -1 : 1));
  return sql`unnest(${sorted.map(({ kind }) => kind)}::text[],
    ${sorted.map(({ numberKind }) => numberKind)}::text[],
    ${sorted.map(({ number }) => number)}::text[]) k (kind, number_kind, number)`;
}

/** The same, each with the number of its claim as `k.fence`; for what stands on the list. */
function claimSet(units: readonly ClaimedUnit[]): RawBuilder<unknown> {
  const sorted = units.toSorted((a, b) => (unitText(a) < unitText(b) ? -1 : 1));
  return sql`unnest(${sorted.map(({ kind }) => kind)}::text[],
    ${sorted.map(({ numberKind }) => numberKind)}::text[],
    ${sorted.map(({ number }) => number)}::text[],
    ${sorted.map(({ claimFence }) => claimFence ?? -1n)}::bigint[]) k (kind, number_kind, number, fence)`;
}

export function unitText({ kind, numberKind, number }: UnitKey): string {
  return `${kind}\t${numberKind}\t${number}`;
}

type ClaimRow = UnitKey & { fence: bigint | null; askedAt: Instant | null; askedRun: string };

/** Of the due `d`, after one look more that may have shown anything: a change, whatever the clock that dated one before. */
export function mayHaveShown(at: Instant | RawBuilder<unknown>): RawBuilder<Instant> {
  return sql`greatest(d.may_have_shown_at + interval '1 millisecond', ${at}::timestamptz)`;
}

/**
 * Claims what nobody else has claimed; a claim that ends later than any can was made before the database's clock was set back.
 * Who had claimed it before and stored nothing may have been shown anything.
 * @param claim.by whose the claims are, and when by the clock that dates looks
 * @param claim.takesOver also what another one asks for just now, whose answers are overtaken then
 * @returns what was claimed, and what another one asks for just now
 */
export async function claimUnits<T extends UnitKey>(
  db: Db,
  units: readonly T[],
  { by, at, takesOver = false }: { by: string; at: Instant; takesOver?: boolean },
): Promise<{ claimed: (T & ClaimedUnit)[]; held: T[] }> {
  const rows = await unitOfWork(db, async (trx) => {
    const answer = await sql<ClaimRow>`
      with due as materialized (
        select d.kind, d.number_kind, d.number, d.asked_at, d.asked_run from ${keySet(units)}
        cross join lateral (
          select * from order_due d
          where d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number for update
        ) d
      ), claimed as (
        update order_due d set claim_by = ${by}, claim_fence = d.claim_fence + 1, claim_until = ${UNTIL},
          may_have_shown_at = case when d.claim_until is null then d.may_have_shown_at
            else ${mayHaveShown(at)} end
        from due
        where d.kind = due.kind and d.number_kind = due.number_kind and d.number = due.number
          and (d.claim_until is null or d.claim_until <= clock_timestamp() or d.claim_until > ${UNTIL} or d.claim_by = ${by}
            or ${takesOver}::boolean)
        returning d.kind, d.number_kind, d.number, d.claim_fence
      )
      select due.kind, due.number_kind as "numberKind", due.number, c.claim_fence as fence,
        due.asked_at as "askedAt", due.asked_run as "askedRun"
      from due left join claimed c using (kind, number_kind, number)`.execute(trx);
    return answer.rows;
  });
  const found = new Map(rows.map((row) => [unitText(row), row]));
  const claimed: (T & ClaimedUnit)[] = [];
  const held: T[] = [];
  for (const unit of units) {
    const row = found.get(unitText(unit));
    if (row === undefined) claimed.push({ ...unit, claimFence: undefined, askedAt: null, askedRun: '' });
    else if (row.fence === null) held.push(unit);
    else claimed.push({ ...unit, claimFence: row.fence, askedAt: row.askedAt, askedRun: row.askedRun });
  }
  return { claimed, held };
}

/**
 * Those that are still in force last on.
 * @returns which on the list are not
 */
export async function renewClaims<T extends ClaimedUnit>(db: Db, units: readonly T[]): Promise<T[]> {
  const { rows } = await sql<UnitKey>`
    update order_due d set claim_until = ${UNTIL}
    from ${claimSet(units)}
    where d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number
      and d.claim_fence = k.fence and d.claim_until is not null
    returning d.kind, d.number_kind as "numberKind", d.number`.execute(db);
  const renewed = new Set(rows.map(unitText));
  return units.filter((unit) => unit.claimFence !== undefined && !renewed.has(unitText(unit)));
}

/**
 * What was claimed and is not stored after all is free at once, unless it is another's by now.
 * @param askedAt what was asked for may have been shown anything by then, whoever has it now; null: these were not
 */
export async function releaseClaims(
  db: DbOrTransaction,
  units: readonly ClaimedUnit[],
  askedAt: Instant | null,
): Promise<void> {
  await sql`
    update order_due d set
      claim_by = case d.claim_fence when k.fence then null else d.claim_by end,
      claim_until = case d.claim_fence when k.fence then null else d.claim_until end,
      may_have_shown_at = ${askedAt === null ? sql`d.may_have_shown_at` : mayHaveShown(askedAt)}
    from ${claimSet(units)}
    where d.kind = k.kind and d.number_kind = k.number_kind and d.number = k.number
      and (d.claim_fence > k.fence or (d.claim_fence = k.fence and d.claim_until is not null))`.execute(db);
}
