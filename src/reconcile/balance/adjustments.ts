/**
 * Amounts nobody can explain stay until the books adjust them: an unexplained or opening difference is cleared only
 * by an `adjustment` entry of the same amount that came after it (docs/architecture.md 3.2, U57;
 * docs/reconciliation.md 3.8): booked since a balance showed it, or handed in since a run told it. It stays with the
 * one that it has cleared.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { lastDayWithout } from './item-is-gone.ts';
import type { ProofSpan } from './scope.ts';

/** A difference of the balance itself: the opening's, or what a run could not explain. */
export interface BalanceItem {
  accountNo: string;
  /** `opening`, or `unexplained:<day>` at whose end a balance first showed the amount. */
  key: string;
  fen: Fen;
  /**
   * The stored balance before it, or the last proof that saw another opening: it arose after that; undefined: before
   * the proof itself.
   */
  since: Instant | undefined;
  /** The balance that first showed it: it arose before that. Undefined: nobody knows. */
  until: Instant | undefined;
  /** Of one of the openings: the highest write number of what made it since the first proof; undefined: nothing did. */
  madeNo?: bigint | undefined;
  /** The highest write number known to the first run that told it with this amount; undefined: this is the first. */
  toldNo: bigint | undefined;
  note: string;
}

export interface Adjustment {
  accountNo: string;
  entryId: string;
  source: string;
  fen: Fen;
  bookedAt: Instant;
  memo: string;
  writtenNo: bigint;
}

/** An adjustment and the item that it clears. */
export interface ClearedPair {
  accountNo: string;
  key: string;
  source: string;
  entryId: string;
}

export interface Cleared {
  /** What is still open. */
  open: BalanceItem[];
  cleared: (ClearedPair & { fen: Fen })[];
  /** Adjustments that clear nothing. */
  idle: Adjustment[];
}

/**
 * Posted adjustments of the accounts in scope before the cut, oldest first; but last those that were told to clear
 * nothing, so that it is the same one that is left over.
 */
export async function listAdjustments(trx: Transaction<Tables>, span: ProofSpan): Promise<Adjustment[]> {
  const { rows } = await sql<{
    account_no: string;
    entry_id: string;
    source: string;
    amount_fen: Fen;
    booked_at: Instant;
    memo: string;
    written_no: bigint;
  }>`
    select e.account_no, e.entry_id, e.source, e.amount_fen, e.booked_at, e.memo, e.written_no
    from ledger_entry e join stage_scope s using (account_no)
    where e.kind = 'adjustment' and e.current and e.status = 'posted'
      and e.booked_at >= s.ledger_from and e.booked_at < ${span.cut}
    order by e.account_no, exists (select from break b where b.account_no = e.account_no and b.status = 'open'
        and b.item_key = 'line:adjustment:entry:' || e.source || '/' || e.entry_id),
      e.booked_at, e.entry_id`.execute(trx);
  return rows.map((row) => ({
    accountNo: row.account_no,
    entryId: row.entry_id,
    source: row.source,
    fen: row.amount_fen,
    bookedAt: row.booked_at,
    memo: row.memo,
    writtenNo: row.written_no,
  }));
}

/** What adjustments have cleared in runs that stand, the first such run first; but what was gone since. */
export async function listClearedPairs(
  trx: Transaction<Tables>,
  { toDay }: ProofSpan,
): Promise<ClearedPair[]> {
  const cleared = { account: sql`c.account_no`, key: sql`c.item_key` };
  const { rows } = await sql<ClearedPair>`
    select c.account_no as "accountNo", c.item_key as key, c.source, c.entry_id as "entryId"
    from stage_scope s join run_cleared c using (account_no) join run r using (run_id)
    where r.superseded_by is null
    group by c.account_no, c.item_key, c.source, c.entry_id
    having max(r.to_day) > ${lastDayWithout(cleared, toDay)}
    order by min(r.to_day), c.account_no, c.item_key, c.source, c.entry_id`.execute(trx);
  return rows;
}

/**
 * One adjustment clears one item of its account and amount, and none that came after it: first the one that it has
 * cleared already, then one whose own the books have no more, or under another id, then the oldest. One of nothing
 * clears nothing.
 */
export function clear(
  items: readonly BalanceItem[],
  adjustments: readonly Adjustment[],
  pairs: readonly ClearedPair[],
): Cleared {
  const open = new Set(items);
  const ofAccount = Map.groupBy(items, ({ accountNo }) => accountNo);
  const cleared = new Map<Adjustment, BalanceItem>();
  const serve = (adjustment: Adjustment, isWanted: (item: BalanceItem) => boolean): void => {
    if (cleared.has(adjustment)) return;
    const own = ofAccount.get(adjustment.accountNo) ?? [];
    const item = own.find((each) => open.has(each) && fits(adjustment, each) && isWanted(each));
    if (item === undefined) return;
    open.delete(item);
    cleared.set(adjustment, item);
  };
  const byEntry = new Map(adjustments.map((adjustment) => [entryName(adjustment), adjustment]));
  for (const pair of pairs) {
    const adjustment = byEntry.get(entryName(pair));
    if (adjustment !== undefined) serve(adjustment, ({ key }) => key === pair.key);
  }
  const bereft = new Set(pairs.map(itemName));
  for (const adjustment of adjustments)
    serve(adjustment, (item) => bereft.has(itemName(item)) && cameAfter(adjustment, item));
  for (const adjustment of adjustments) serve(adjustment, (item) => cameAfter(adjustment, item));
  return {
    open: [...open],
    cleared: [...cleared].map(([adjustment, { key }]) => ({ ...adjustment, key })),
    idle: adjustments.filter((adjustment) => !cleared.has(adjustment)),
  };
}

function entryName({ accountNo, source, entryId }: Omit<ClearedPair, 'key'>): string {
  return `${accountNo}\t${source}\t${entryId}`;
}

function itemName({ accountNo, key }: Pick<BalanceItem, 'accountNo' | 'key'>): string {
  return `${accountNo}\t${key}`;
}

function fits({ fen, bookedAt }: Adjustment, item: BalanceItem): boolean {
  return fen !== 0n && fen === item.fen && (item.since === undefined || item.since <= bookedAt);
}

/** Within the interval in which a difference arose no booking date tells whether it was there already. */
function cameAfter({ bookedAt, writtenNo }: Adjustment, item: BalanceItem): boolean {
  const { since, until, madeNo = 0n, toldNo } = item;
  const isShownBefore = since === undefined ? madeNo <= writtenNo : until !== undefined && until <= bookedAt;
  return isShownBefore || (toldNo !== undefined && toldNo < writtenNo);
}

/** Keeps what cleared what in this run, whose accounts are saved. */
export async function keepClearedPairs(
  trx: Transaction<Tables>,
  runId: string,
  pairs: readonly ClearedPair[],
): Promise<void> {
  const rows = pairs.map(({ accountNo, key, source, entryId }) => ({
    run_id: runId,
    account_no: accountNo,
    item_key: key,
    source,
    entry_id: entryId,
  }));
  for (let at = 0; at < rows.length; at += 500) {
    await trx
      .insertInto('run_cleared')
      .values(rows.slice(at, at + 500))
      .execute();
  }
}
