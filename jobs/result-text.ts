/** The result of a run for a terminal: the verdict first, then what needs a person. */
import { yuanForPeople } from '../src/core/fen.ts';
import type { Fen } from '../src/core/fen.ts';
import type { RunResult } from './result.ts';
import { tableText } from './table-text.ts';

/** A terminal shows this many breaks; the workbook has all. */
const BREAKS_SHOWN = 40;

const VERDICT_WORDS = {
  reconciled: 'RECONCILED: every fen is explained',
  reconciled_with_timing: 'RECONCILED, with items still on their way',
  breaks: 'BREAKS: differences that need a person',
  unverified: 'UNVERIFIED: not proven',
  incomplete: 'INCOMPLETE: not everything could be read; run it again',
} as const;

export function resultText(result: RunResult, isNew: boolean): string {
  const { run } = result;
  const days = run.from === run.to ? run.from : `${run.from} to ${run.to}`;
  const version = `${run.job} ${days}, version ${run.version}${isNew ? '' : ' (nothing has changed since)'}`;
  return [
    VERDICT_WORDS[run.verdict],
    `${version} · ${result.accounts.length} accounts · ${result.collected.deposits} deposits in ${result.collected.windows} windows`,
    '',
    accountsText(result),
    ...breaksText(result),
    ...timingText(result),
    ...closedText(result),
    '',
    ...result.files.map((file) => `written: ${file.path}`),
  ].join('\n');
}

function accountsText({ accounts }: RunResult): string {
  return tableText(
    ['account', 'verdict', 'platform', 'ledger', 'difference', 'unexplained', 'why'],
    accounts.map((account) => [
      account.accountNo,
      account.verdict,
      money(account.platformFen),
      money(account.ledgerFen),
      money(account.differenceFen),
      money(account.unexplainedFen),
      account.reason,
    ]),
    { right: [2, 3, 4, 5] },
  );
}

function breaksText({ breaks }: RunResult): string[] {
  if (breaks.length === 0) return [];
  const shown = breaks.slice(0, BREAKS_SHOWN);
  const more = breaks.length - shown.length;
  return [
    '',
    `${breaks.length} breaks (difference = platform − ledger):`,
    tableText(
      ['class', 'account', 'reference', 'platform', 'ledger', 'difference', 'since', 'id'],
      shown.map((found) => [
        found.class,
        found.accountNo,
        found.reference,
        money(found.platformFen, NOTHING),
        money(found.ledgerFen, NOTHING),
        money(found.differenceFen),
        found.firstSeen,
        found.id,
      ]),
      { right: [3, 4, 5] },
    ),
    ...(more > 0 ? [`… and ${more} more: recon breaks list`] : []),
  ];
}

function timingText({ timing }: RunResult): string[] {
  if (timing.length === 0) return [];
  return [
    '',
    `${timing.length} items still on their way:`,
    tableText(
      ['class', 'account', 'reference', 'amount', 'difference'],
      timing
        .slice(0, BREAKS_SHOWN)
        .map((item) => [
          item.class,
          item.accountNo,
          item.reference,
          money(item.amountFen),
          money(item.differenceFen),
        ]),
      { right: [3, 4] },
    ),
  ];
}

function closedText({ closed, restated }: RunResult): string[] {
  return [
    ...(closed.length > 0 ? ['', `${closed.length} breaks closed`] : []),
    ...restated.map(({ day, version }) => `restated: ${day} is now version ${version}`),
  ];
}

/** A side that has no such record; a figure the platform does not state is unknown instead. */
const NOTHING = '–';
const UNKNOWN = '?';

function money(fen: Fen | null, absent = UNKNOWN): string {
  return fen === null ? absent : yuanForPeople(fen);
}
