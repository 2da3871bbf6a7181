/**
 * Differences of the balance itself: the opening's, this run's unexplained amount, and those of earlier runs
 * that nobody has explained or adjusted since. They are carried until they are cleared.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import { listEarlierUnexplained } from '../../store/runs/chain.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { clear, listAdjustments, listClearedPairs } from './adjustments.ts';
import type { BalanceItem, Cleared } from './adjustments.ts';
import { NOTHING_CROSSES } from './assumed-opening.ts';
import type { Crossing } from './assumed-opening.ts';
import { acrossSinceProven } from './opening-made.ts';
import type { ProofRequest } from './proof-request.ts';
import type { ChainPlace } from './chain-places.ts';
import { hintsAt } from './hints.ts';
import { lastDayWithout } from './item-is-gone.ts';
import type { AccountFigures, AccountNumbers } from './prove-account.ts';

export interface BalanceParts {
  figures: readonly AccountFigures[];
  numbers: ReadonlyMap<string, AccountNumbers>;
  /** What lies across the baseline, by account: it belongs to the opening difference. */
  crossing: ReadonlyMap<string, Crossing>;
  places: ReadonlyMap<string, ChainPlace>;
}

/** The opening difference, and what this and earlier runs could not explain, less what the books adjusted. */
export async function findBalanceItems(
  trx: Transaction<Tables>,
  request: ProofRequest,
  { figures, numbers, crossing, places }: BalanceParts,
): Promise<Cleared> {
  const openBefore = await accountsWithItems(trx);
  const earlier = await listEarlierUnexplained(
    trx,
    figures.flatMap(({ accountNo }) => {
      const of = numbers.get(accountNo);
      const worthLooking = (of?.earlierUnexplainedFen ?? 0n) !== 0n || openBefore.has(accountNo);
      return of === undefined || of.openingRun === '' || !worthLooking
        ? []
        : [{ accountNo, openingRun: of.openingRun }];
    }),
  );
  const hints = await hintsAt(trx, request, numbers);
  const openingFens = openingDifferences(numbers, crossing);
  const madeNos = await openingsMadeSince(trx, openingFens, crossing);
  const items: Omit<BalanceItem, 'toldNo'>[] = [];
  for (const { accountNo, baseline, ledger } of figures) {
    const of = numbers.get(accountNo);
    if (of === undefined) continue;
    const own = earlier.flatMap((item) => (item.accountNo === accountNo ? [{ ...item, note: '' }] : []));
    const known = own.reduce((sum, item) => sum + item.fen, 0n);
    const opening = { openingFen: openingFens.get(accountNo) ?? 0n, madeNo: madeNos.get(accountNo) };
    items.push(...openingItems({ accountNo, ledger }, opening));
    const before = {
      accountNo,
      key: 'unexplained:before',
      fen: of.earlierUnexplainedFen - known,
      since: baseline?.at,
      until: of.openingAt,
      note: '',
    };
    const now = (places.get(accountNo)?.unexplained ?? []).map((item) => {
      const note = item.fen === of.unexplainedFen ? (hints.get(accountNo) ?? '') : '';
      return { accountNo, ...item, note };
    });
    items.push(...[before, ...own, ...now].filter((item) => item.fen !== 0n));
  }
  const cleared = clear(
    await withToldNo(trx, items, request.toDay),
    await listAdjustments(trx, request.span),
    await listClearedPairs(trx, request.span),
  );
  await stageBalanceItems(trx, cleared);
  return cleared;
}

/** By account, with what lies across the openings. */
function openingDifferences(
  numbers: BalanceParts['numbers'],
  crossing: BalanceParts['crossing'],
): Map<string, Fen> {
  return new Map(
    [...numbers].map(([accountNo, { baselineDifferenceFen }]) => [
      accountNo,
      (baselineDifferenceFen ?? 0n) + (crossing.get(accountNo) ?? NOTHING_CROSSES).fen,
    ]),
  );
}

/** Where the openings differ, the highest write number of what made them since the first proof. */
async function openingsMadeSince(
  trx: Transaction<Tables>,
  openingFens: ReadonlyMap<string, Fen>,
  crossing: BalanceParts['crossing'],
): Promise<Map<string, bigint>> {
  const differing = [...openingFens].flatMap(([accountNo, fen]) => (fen === 0n ? [] : [accountNo]));
  const made = await acrossSinceProven(trx, differing);
  for (const accountNo of differing) {
    const { madeNo } = crossing.get(accountNo) ?? NOTHING_CROSSES;
    const acrossNo = made.get(accountNo) ?? 0n;
    if (madeNo !== null && madeNo > acrossNo) made.set(accountNo, madeNo);
  }
  return made;
}

/**
 * The books' first statement belongs to the opening; what they state otherwise later stands beside it, and arose when
 * they began to.
 */
function openingItems(
  { accountNo, ledger }: Pick<AccountFigures, 'accountNo' | 'ledger'>,
  { openingFen, madeNo }: { openingFen: Fen; madeNo: bigint | undefined },
): Omit<BalanceItem, 'toldNo'>[] {
  const { change, statedSince } = ledger;
  const isFirst = ledger.assumed && ledger.stated !== undefined;
  const fen = openingFen + (isFirst ? 0n : (change?.fen ?? 0n));
  const opening = {
    accountNo,
    key: 'opening',
    fen,
    since: isFirst ? statedSince : undefined,
    until: undefined,
    madeNo,
    note: isFirst ? (change?.note ?? '') : '',
  };
  if (change === undefined || isFirst) return fen === 0n ? [] : [opening];
  const changed = {
    accountNo,
    key: PERIOD_CHANGED,
    fen: -change.fen,
    since: statedSince,
    until: undefined,
    note: change.note,
  };
  return fen === 0n ? [changed] : [opening, changed];
}

/** The opening of the books is no more what a proof rested on. */
const PERIOD_CHANGED = 'period_changed:ledger';

/** Accounts of which a difference of the balance was ever told. */
async function accountsWithItems(trx: Transaction<Tables>): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('break')
    .select('account_no')
    .distinct()
    .where((where) =>
      where.or([
        where('item_key', 'like', 'unexplained:%'),
        where('item_key', 'in', ['opening', PERIOD_CHANGED]),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.account_no));
}

/**
 * Each with the highest write number known to the first run that told it, with the amount that it has now. What was gone
 * since is another one.
 */
async function withToldNo(
  trx: Transaction<Tables>,
  items: readonly Omit<BalanceItem, 'toldNo'>[],
  toDay: Day,
): Promise<BalanceItem[]> {
  if (items.length === 0) return [];
  const item = { account: sql`i.account_no`, key: sql`i.item_key` };
  const { rows } = await sql<{ at: bigint; no: bigint }>`
    select i.at, t.known_no as no
    from (select row_number() over () - 1 as at, u.* from unnest(
      ${items.map(({ accountNo }) => accountNo)}::text[], ${items.map(({ key }) => key)}::text[],
      ${items.map(({ fen }) => fen.toString())}::bigint[]) u (account_no, item_key, fen)) i
    cross join lateral (
      select b.break_id, b.last_day from break b
      where b.account_no = i.account_no and b.item_key = i.item_key
      order by b.occurrence desc limit 1) b
    join break_told t on t.break_id = b.break_id and t.difference_fen = i.fen
    where b.last_day > ${lastDayWithout(item, toDay)}`.execute(trx);
  const told = new Map(rows.map(({ at, no }) => [Number(at), no]));
  return items.map((item, at) => ({ ...item, toldNo: told.get(at) }));
}

const ITEMS = {
  name: 'found',
  columns: [
    { name: 'account_no', type: 'text' },
    { name: 'item_key', type: 'text' },
    { name: 'class', type: 'text' },
    { name: 'severity', type: 'text' },
    { name: 'reference', type: 'text' },
    { name: 'ledger_fen', type: 'bigint' },
    { name: 'difference_fen', type: 'bigint' },
    { name: 'line', type: 'boolean' },
    { name: 'ledger_ref', type: 'text' },
    { name: 'ledger_at', type: 'timestamptz' },
    { name: 'note', type: 'text' },
  ],
} as const;

async function stageBalanceItems(trx: Transaction<Tables>, { open, idle }: Cleared): Promise<void> {
  await copyRows(trx, ITEMS, [
    ...open.map((item) => [
      item.accountNo,
      item.key,
      classOf(item.key),
      'break',
      item.accountNo,
      null,
      item.fen.toString(),
      'f',
      '',
      null,
      item.note,
    ]),
    ...idle.map((entry) => [
      entry.accountNo,
      `line:adjustment:entry:${entry.source}/${entry.entryId}`,
      'ledger_only',
      'break',
      entry.entryId,
      entry.fen.toString(),
      (-entry.fen).toString(),
      't',
      entry.entryId,
      entry.bookedAt,
      'an adjustment that clears no open difference',
    ]),
  ]);
}

function classOf(key: string): string {
  if (key === 'opening') return 'opening';
  return key === PERIOD_CHANGED ? 'period_changed' : 'unexplained';
}
