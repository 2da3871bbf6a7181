/** On the summary: accounts by verdict, and those that are not reconciled, the worst first. */
import { shownWidth } from '../../../src/excel/text.ts';
import { absolute } from '../../../src/core/fen.ts';
import { moneyCell, overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { liveCount } from '../live-cell.ts';
import { verdictsByWeight } from '../../read/read-run.ts';
import type { AccountRow } from '../../read/read-run.ts';
import { reasonText } from '../../words/reason-text.ts';
import { toneOf } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { verdictCount } from '../roll-forward.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';

/** More than fit a page are looked up on the roll-forward. */
const SHOWN_MAX = 20;
/** What fits one line of the reasons' column. */
const REASON_WIDTH = 34;

export function accountSections(report: Report): { byVerdict: Section; notReconciled: Section } {
  return { byVerdict: byVerdict(report), notReconciled: notReconciled(report) };
}

function byVerdict(report: Report): Section {
  const { words, accounts } = report;
  const rows = verdictsByWeight().map((verdict): Row => {
    const name = words.verdicts[verdict];
    const count = accounts.filter((account) => account.verdict === verdict).length;
    return [
      textCell(name, `tone-${toneOf(verdict)}`),
      liveCount(true, verdictCount(report, name), count, 'count'),
    ];
  });
  return {
    rows: [
      titleRow(words.summary.accountsByVerdict),
      headerRow([words.common.verdict, words.summary.accounts], [1]),
      ...rows,
    ],
  };
}

function notReconciled(report: Report): Section {
  const { words, accounts } = report;
  const w = words.summary;
  const all = accounts.filter(({ verdict }) => verdict !== 'reconciled').toSorted(worstFirst);
  if (all.length === 0) return { rows: [[overflowCell(w.allReconciled, 'note')]] };
  const shown = all.slice(0, SHOWN_MAX);
  const isLong = ({ reason }: AccountRow): boolean => shownWidth(reasonText(words, reason)) > REASON_WIDTH;
  return {
    tall: shown.flatMap((account, at) => (account.name !== '' || isLong(account) ? [at + 3] : [])),
    rows: [
      titleRow(w.attentionAccounts({ shown: String(shown.length), all: String(all.length) })),
      headerRow(
        [
          words.common.account,
          words.common.verdict,
          w.platformBalance,
          w.ledgerBalance,
          w.difference,
          words.rollForward.lines,
          words.rollForward.unexplained,
          words.rollForward.openingDifference,
          w.reason,
        ],
        [2, 3, 4, 5, 6, 7],
      ),
      ...shown.map((account) => accountLine(report, account)),
    ],
  };
}

function worstFirst(one: AccountRow, other: AccountRow): number {
  const weight = (account: AccountRow): number => verdictsByWeight().indexOf(account.verdict);
  const size = (account: AccountRow): Fen => absolute(account.differenceFen ?? 0n);
  const bySize = size(other) - size(one);
  return weight(other) - weight(one) || (bySize > 0n ? 1 : bySize < 0n ? -1 : one.index - other.index);
}

/** Number and name, each on a line of its own. */
function accountText({ accountNo, name }: AccountRow): string {
  return name === '' ? accountNo : `${accountNo}\n${name}`;
}

function accountLine({ words }: Report, account: AccountRow): Row {
  const { common } = words;
  const amount = (fen: Fen | null, absent: string): Cell =>
    fen === null ? textCell(absent, 'tone-unknown') : moneyCell(fen);
  return [
    textCell(accountText(account), 'textWrap'),
    textCell(words.verdicts[account.verdict], `tone-${toneOf(account.verdict)}`),
    amount(account.platformFen, common.notStated),
    amount(account.ledgerFen, common.ledgerNotStated),
    amount(account.differenceFen, common.notComparable),
    moneyCell(account.lineDifferenceFen),
    amount(account.unexplainedFen, common.notComparable),
    amount(account.openingDifferenceFen, common.notComparable),
    textCell(reasonText(words, account.reason), 'textWrap'),
  ];
}
