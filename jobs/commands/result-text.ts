/** The result of a run for a terminal: the verdict first, then what needs a person. */
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { ResultHead } from '../night/publish/result.ts';
import type { FoundCount, ListsBegun } from '../night/publish/result-lists.ts';
import type { Zone } from '../../src/core/time.ts';
import { tableText } from '../cli/table-text.ts';
import { counted } from '../../src/core/text.ts';

/** A terminal shows this many of each kind; the workbook has all. */
export const ROWS_SHOWN = 40;

const VERDICT_WORDS = {
  reconciled: 'RECONCILED: every fen is explained',
  reconciled_with_timing: 'RECONCILED, with items still on their way',
  breaks: 'BREAKS: differences that need a person',
  unverified: 'UNVERIFIED: not proven',
  incomplete: 'INCOMPLETE: something was not read, or the books have not come: see "why", then run it again',
} as const;

/** @param begun the first `ROWS_SHOWN` of each list */
export function resultText(
  result: ResultHead,
  { begun, isNew, zone }: { begun: ListsBegun; isNew: boolean; zone: Zone },
): string {
  const { run } = result;
  const days = run.from === run.to ? run.from : `${run.from} to ${run.to}`;
  const version = `${run.job} ${days}, version ${run.version}${isNew ? '' : ' (nothing has changed since)'}`;
  return [
    VERDICT_WORDS[run.verdict],
    `${version} · ${collectedText(result)}`,
    '',
    accountsText(result),
    ...candidatesText(result),
    ...breaksText(begun),
    ...attentionText(begun),
    ...timingText(begun, zone),
    ...settlementsText(result),
    ...closedText(begun, result),
    '',
    ...vouchersText(result),
    ...result.files.map((file) => `written: ${file.path}`),
  ].join('\n');
}

/** Orders are named only where there are any. */
function collectedText({ accounts, collected }: ResultHead): string {
  const { batches, transferOrders, withdrawals } = collected;
  return [
    counted(accounts.length, 'account'),
    `${counted(collected.deposits, 'deposit')} in ${counted(collected.windows, 'window')}`,
    ...(batches > 0
      ? [`${counted(transferOrders, 'transfer order')} in ${counted(batches, 'batch', 'batches')}`]
      : []),
    ...(withdrawals > 0 ? [counted(withdrawals, 'withdrawal')] : []),
  ].join(' · ');
}

/** What is in flight is a column only when something is. */
function accountsText({ accounts }: ResultHead): string {
  const inFlight = accounts.some(({ inFlightFen }) => inFlightFen !== 0n);
  return tableText(
    [
      'account',
      'verdict',
      'platform',
      'ledger',
      'difference',
      'unexplained',
      ...(inFlight ? ['in flight'] : []),
      'why',
    ],
    accounts.map((account) => [
      account.accountNo,
      account.verdict,
      money(account.platformFen),
      money(account.ledgerFen),
      money(account.differenceFen),
      money(account.unexplainedFen),
      ...(inFlight ? [money(account.inFlightFen)] : []),
      account.reason,
    ]),
    { right: inFlight ? [2, 3, 4, 5, 6] : [2, 3, 4, 5] },
  );
}

/** What else an account's balance could mean: a person has to find out which. */
function candidatesText({ accounts }: ResultHead): string[] {
  const lines = accounts.flatMap(({ accountNo, candidates }) =>
    candidates.map(
      ({ assume, differenceFen }) => `  ${accountNo}: difference ${money(differenceFen)} if ${assume}`,
    ),
  );
  return lines.length === 0
    ? []
    : ['', 'several assignments of orders explain the balance:', ...shownOf(lines, 'see the workbook')];
}

function breaksText({ counts, breaks }: ListsBegun): string[] {
  const found = counts.filter(({ severity }) => severity === 'break');
  if (found.length === 0) return [];
  const table = tableText(
    ['class', 'account', 'reference', 'platform', 'ledger', 'difference', 'since', 'id'],
    breaks.map((one) => [
      one.class,
      one.accountNo,
      one.reference,
      money(one.platformFen, NOTHING),
      money(one.ledgerFen, NOTHING),
      money(one.differenceFen),
      one.firstSeen,
      one.id,
    ]),
    { right: [3, 4, 5] },
  );
  return [
    '',
    `${counted(sumOf(found), 'break')} (difference = platform − ledger): ${byClass(found)}`,
    table,
    ...rest(found),
  ];
}

/** They need a person too, but say nothing about the balance. */
function attentionText({ counts, attention }: ListsBegun): string[] {
  const found = counts.filter(({ severity }) => severity === 'attention');
  if (found.length === 0) return [];
  const table = tableText(
    ['class', 'account', 'reference', 'platform', 'since', 'id'],
    attention.map((one) => [
      one.class,
      one.accountNo,
      one.reference,
      money(one.platformFen, NOTHING),
      one.firstSeen,
      one.id,
    ]),
    { right: [3] },
  );
  return [
    '',
    `${sumOf(found)} for attention, without effect on the balance: ${byClass(found)}`,
    table,
    ...rest(found),
  ];
}

function timingText({ counts, timing }: ListsBegun, zone: Zone): string[] {
  const found = counts.filter(({ severity }) => severity === 'timing');
  if (found.length === 0) return [];
  const table = tableText(
    ['class', 'account', 'reference', 'amount', 'difference', 'since'],
    timing.map((item) => [
      item.class,
      item.accountNo,
      item.reference,
      money(item.amountFen),
      money(item.differenceFen),
      minuteOf(item.since, zone),
    ]),
    { right: [3, 4] },
  );
  return [
    '',
    `${counted(sumOf(found), 'item still on its way', 'items still on their way')}: ${byClass(found)}`,
    table,
    ...rest(found),
  ];
}

/** What became of settlements that were retried since the night before. */
function settlementsText({ settlements }: ResultHead): string[] {
  if (settlements.length === 0) return [];
  const outcomes = [...Map.groupBy(settlements, ({ outcome }) => outcome)];
  const counts = outcomes.map(([outcome, group]) => ({ class: outcome, count: group.length }));
  const left = settlements.length - ROWS_SHOWN;
  const more = left > 0 ? [`… and ${left} more: see the workbook`] : [];
  const table = tableText(
    ['settlement', 'attempt', 'outcome', 'note'],
    settlements
      .slice(0, ROWS_SHOWN)
      .map(({ reference, attempt, outcome, note }) => [reference, String(attempt), outcome, note]),
    { right: [1] },
  );
  return ['', `${settlements.length} settlements retried: ${byClass(counts)}`, table, ...more];
}

/** Nothing where vouchers were left out. */
function vouchersText({ vouchers }: ResultHead): string[] {
  const { fetched, missing, rejected, leftOver, bundles } = vouchers;
  const counts = [
    [fetched, 'fetched'],
    [missing, 'missing'],
    [rejected, 'rejected'],
    [leftOver, 'left for another night'],
    [bundles.length, 'bundles made'],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return said.length === 0 ? [] : [`vouchers: ${said.join(' · ')}`];
}

/** `fee 2 · state 1`, the most frequent first. */
function byClass(counts: readonly Pick<FoundCount, 'class' | 'count'>[]): string {
  return counts
    .toSorted((one, other) => other.count - one.count || (one.class < other.class ? -1 : 1))
    .map((one) => `${one.class} ${one.count}`)
    .join(' · ');
}

function sumOf(counts: readonly FoundCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function rest(counts: readonly FoundCount[]): string[] {
  const more = sumOf(counts) - ROWS_SHOWN;
  return more > 0 ? [`… and ${more} more: recon breaks list`] : [];
}

function shownOf(lines: readonly string[], where: string): string[] {
  const more = lines.length - ROWS_SHOWN;
  return [...lines.slice(0, ROWS_SHOWN), ...(more > 0 ? [`… and ${more} more: ${where}`] : [])];
}

/** An instant to the minute, in the service's time zone as all that is shown; a day as it is. */
function minuteOf(since: string, zone: Zone): string {
  return since.includes('T') ? zone.localText(since).slice(0, 16) : since;
}

function closedText({ closed }: ListsBegun, { restated }: ResultHead): string[] {
  return [
    ...(closed > 0 ? ['', `${counted(closed, 'break')} closed`] : []),
    ...restated.map(({ day, version }) => `restated: ${day} is now version ${version}`),
  ];
}

/** A side that has no such record; a figure the platform does not state is unknown instead. */
const NOTHING = '–';
const UNKNOWN = '?';

function money(fen: Fen | null, absent = UNKNOWN): string {
  return fen === null ? absent : yuanForPeople(fen);
}
