/**
 * Differences of the balance itself: the opening's, this run's unexplained amount, and those of earlier runs
 * that nobody has explained or adjusted since. They are carried until they are cleared.
 */
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';
import { clear, listAdjustments, listEarlierUnexplained } from './adjustments.ts';
import type { BalanceItem, Cleared } from './adjustments.ts';
import type { ProofRequest } from './gather.ts';
import { hintsAt } from './hints.ts';
import type { AccountFigures, AccountNumbers } from './prove-account.ts';

/** The opening difference, and what this and earlier runs could not explain, less what the books adjusted. */
export async function findBalanceItems(
  trx: Transaction<Tables>,
  request: ProofRequest,
  figures: readonly AccountFigures[],
  numbers: ReadonlyMap<string, AccountNumbers>,
  /** What lies across the baseline, by account: it belongs to the opening difference. */
  crossing: ReadonlyMap<string, Fen>,
): Promise<Cleared> {
  const openBefore = await accountsWithOpenUnexplained(trx);
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
  const items: BalanceItem[] = [];
  for (const { accountNo } of figures) {
    const of = numbers.get(accountNo);
    if (of === undefined) continue;
    const own = earlier.filter((item) => item.accountNo === accountNo);
    const known = own.reduce((sum, item) => sum + item.fen, 0n);
    const openingFen = (of.baselineDifferenceFen ?? 0n) + (crossing.get(accountNo) ?? 0n);
    const opening = { accountNo, key: 'opening', fen: openingFen, note: '' };
    const before = { accountNo, key: 'unexplained:before', fen: of.earlierUnexplainedFen - known, note: '' };
    const now = {
      accountNo,
      key: `unexplained:${request.toDay}`,
      fen: of.unexplainedFen ?? 0n,
      note: hints.get(accountNo) ?? '',
    };
    items.push(...[opening, before, ...own, now].filter((item) => item.fen !== 0n));
  }
  const cleared = clear(items, await listAdjustments(trx, request.span));
  await stageBalanceItems(trx, cleared);
  return cleared;
}

async function accountsWithOpenUnexplained(trx: Transaction<Tables>): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('break')
    .select('account_no')
    .where('item_key', 'like', 'unexplained:%')
    .distinct()
    .execute();
  return new Set(rows.map((row) => row.account_no));
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
      item.key === 'opening' ? 'opening' : 'unexplained',
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
