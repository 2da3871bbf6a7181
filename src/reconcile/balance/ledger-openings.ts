/**
 * Where the books of each account begin. The opening that a proof has rested on is a fact: what the books state
 * otherwise of it later, or no longer state, is a difference of its own, and no line that was found since is taken
 * back (docs/reconciliation.md 3.8).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import type { Tables, Verdict } from '../../store/schema/schema.ts';
import { ledgerFlows } from './figures.ts';
import type { Period } from './figures.ts';
import type { ProofRequest } from './proof-request.ts';
import type { Baseline, LedgerOpening } from './scope.ts';

interface Stated {
  at: Instant;
  fen: Fen;
}

/** What an earlier proof rested on; `fen` is null where it was only assumed. */
interface Used {
  at: Instant;
  fen: Fen | null;
  /** What the books stated when the account was last proven, and since when. */
  stated: Stated | undefined;
  since: Instant | undefined;
  seenAt: Instant | undefined;
}

/** The opening in force of each account that has one or a baseline. */
export async function findLedgerOpenings(
  trx: Transaction<Tables>,
  request: ProofRequest,
  baselines: ReadonlyMap<string, Baseline>,
): Promise<Map<string, LedgerOpening>> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const stated = await statedOpenings(trx, names, request.at);
  const used = await usedOpenings(trx, names);
  const openings = new Map<string, LedgerOpening>();
  const changed: Changed[] = [];
  for (const accountNo of names) {
    const { now, toCome = false } = stated.get(accountNo) ?? {};
    const baseline = baselines.get(accountNo);
    const before = inForceBefore(used.get(accountNo), baseline);
    const inForce = before ?? (now ? { ...now, assumed: false } : baseline && assumedOf(baseline));
    if (inForce === undefined) continue;
    const isFirst = before === undefined || before.assumed;
    const isToCome = (toCome && isFirst) || (inForce.at >= request.span.cut && !inForce.assumed);
    const statedSince = sinceOf(used.get(accountNo), now, request.at);
    openings.set(accountNo, { ...inForce, change: undefined, stated: now, statedSince, isToCome });
    if (before === undefined || (now === undefined && before.assumed)) continue;
    const after: Stated = now ?? baseline ?? before;
    const isSame = now?.at === before.at && now.fen === before.fen;
    if (before.assumed || toCome || !isSame)
      changed.push({ accountNo, before, after, isStated: now !== undefined, toCome });
  }
  for (const { accountNo, change } of await weighChanges(trx, changed)) {
    const inForce = openings.get(accountNo);
    if (inForce !== undefined) openings.set(accountNo, { ...inForce, change });
  }
  return openings;
}

/** From when on the books can have stated what they state now; of what proofs have not seen yet: since the last. */
function sinceOf(used: Used | undefined, now: Stated | undefined, moment: Instant): Instant | undefined {
  if (used === undefined) return undefined;
  const isSame = used.stated?.at === now?.at && used.stated?.fen === now?.fen;
  return isSame ? used.since : (used.seenAt ?? moment);
}

type InForce = Pick<LedgerOpening, 'at' | 'fen' | 'assumed'>;

function assumedOf({ at, fen }: Stated): InForce {
  return { at, fen, assumed: true };
}

function inForceBefore(used: Used | undefined, baseline: Baseline | undefined): InForce | undefined {
  if (used === undefined) return undefined;
  if (used.fen !== null) return { at: used.at, fen: used.fen, assumed: false };
  return baseline && assumedOf(baseline);
}

interface Changed {
  accountNo: string;
  before: InForce;
  after: Stated;
  isStated: boolean;
  toCome: boolean;
}

/** By how much the books hold more by the new opening than by the one in force, at the later of the two instants. */
async function weighChanges(
  trx: Transaction<Tables>,
  changed: readonly Changed[],
): Promise<{ accountNo: string; change: LedgerOpening['change'] }[]> {
  if (changed.length === 0) return [];
  const between: Period[] = changed.map(({ accountNo, before, after }) => ({
    accountNo,
    from: before.at < after.at ? before.at : after.at,
    to: before.at < after.at ? after.at : before.at,
  }));
  const flows = await ledgerFlows(trx, between);
  return changed.map(({ accountNo, before, after, isStated, toCome }) => {
    const flowFen = flows.get(accountNo)?.netFen ?? 0n;
    const fen = after.fen - before.fen + (before.at < after.at ? -flowFen : flowFen);
    const was = `the books began with ${before.fen} fen at ${before.at}`;
    const is = isStated
      ? `they state ${after.fen} fen at ${after.at} now`
      : 'no entry states that any more; the baseline is taken in its place';
    const more = toCome ? '; an opening entry is dated after this proof' : '';
    const isWorthSaying = fen !== 0n || !isStated || toCome || before.assumed;
    return { accountNo, change: isWorthSaying ? { fen, note: `${was}; ${is}${more}` } : undefined };
  });
}

/**
 * The opening entries of the books, by account: their sum and the latest of their times. What is dated after the
 * moment of the run is not stated yet; that there is some is known (`toCome`).
 */
async function statedOpenings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
  moment: Instant,
): Promise<Map<string, { now: Stated | undefined; toCome: boolean }>> {
  const known = sql`booked_at <= ${moment}`;
  const { rows } = await sql<{ account_no: string; at: Instant | null; fen: Fen | null; to_come: boolean }>`
    select account_no, max(booked_at) filter (where ${known}) as at,
      (sum(amount_fen) filter (where ${known}))::bigint as fen, not bool_and(${known}) as to_come
    from ledger_entry
    where account_no = any(${accounts}::text[]) and kind = 'opening' and current and status = 'posted'
    group by account_no`.execute(trx);
  return new Map(
    rows.map(({ account_no: accountNo, at, fen, to_come: toCome }) => [
      accountNo,
      { now: at === null || fen === null ? undefined : { at, fen }, toCome },
    ]),
  );
}

/** What proofs have rested on. */
async function usedOpenings(
  trx: Transaction<Tables>,
  accounts: readonly string[],
): Promise<Map<string, Used>> {
  const rows = await trx
    .selectFrom('ledger_opening')
    .selectAll()
    .where(sql<boolean>`account_no = any(${accounts}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        at: row.at,
        fen: row.amount_fen,
        stated:
          row.stated_at === null || row.stated_fen === null
            ? undefined
            : { at: row.stated_at, fen: row.stated_fen },
        since: row.stated_since ?? undefined,
        seenAt: row.seen_at ?? undefined,
      },
    ]),
  );
}

const USED = {
  name: 'stage_ledger_opening',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'at', type: 'timestamptz' },
    { name: 'amount_fen', type: 'bigint' },
    { name: 'stated_at', type: 'timestamptz' },
    { name: 'stated_fen', type: 'bigint' },
    { name: 'stated_since', type: 'timestamptz' },
  ],
} as const;

export const PROVEN: readonly Verdict[] = ['reconciled', 'reconciled_with_timing', 'breaks'];

/** Keeps what accounts begin with that are proven for the first time, and what the books state of it now. */
export async function keepLedgerOpenings(
  trx: Transaction<Tables>,
  of: { accounts: readonly { accountNo: string; verdict: Verdict }[]; moment: Instant },
  ledgers: ReadonlyMap<string, LedgerOpening>,
): Promise<void> {
  const proven = of.accounts.filter(({ verdict }) => PROVEN.includes(verdict));
  await copyRows(
    trx,
    USED,
    proven.flatMap(({ accountNo }) => {
      const ledger = ledgers.get(accountNo);
      if (ledger === undefined) return [];
      const { at, fen, assumed, stated, statedSince = null } = ledger;
      const used = assumed ? null : fen.toString();
      return [[accountNo, at, used, stated?.at ?? null, stated?.fen.toString() ?? null, statedSince]];
    }),
  );
  await sql`
    insert into ledger_opening as o (account_no, at, amount_fen, stated_at, stated_fen, stated_since, seen_at)
    select account_no, at, amount_fen, stated_at, stated_fen, stated_since, ${of.moment} from stage_ledger_opening
    on conflict (account_no) do update set stated_at = excluded.stated_at, stated_fen = excluded.stated_fen,
      stated_since = excluded.stated_since, seen_at = greatest(o.seen_at, excluded.seen_at)`.execute(trx);
}
