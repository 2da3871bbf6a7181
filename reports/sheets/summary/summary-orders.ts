/** On the summary: what orders did to the accounts, what was asked about them, and what is in flight. */
import { formulaText } from '../../../src/excel/address.ts';
import { moneyCell, numberCell, overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { liveCount, liveMoney } from '../live-cell.ts';
import type { OrderKind, OrderSide } from '../../words/order-words.ts';
import type { OrderList } from '../../read/read-orders.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { countOf, effectOf, orderRange } from '../order-totals.ts';
import type { OrderColumn } from '../order-totals.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';

/** More accounts than this are looked up on the roll-forward. */
const DEBITED_SHOWN_MAX = 5;

export function orderSections(report: Report): Record<'moved' | 'asked', Section> {
  return { moved: movedSection(report), asked: askedSection(report) };
}

interface Part {
  list: OrderList;
  kind: OrderKind;
  side: OrderSide;
}

/** What an accountant counts apart; a fee that another account bears is on its sheet alone. */
const PARTS: readonly Part[] = [
  { list: 'transfers', kind: 'transfer', side: 'payer' },
  { list: 'transfers', kind: 'transfer', side: 'payee' },
  { list: 'transfers', kind: 'refund', side: 'payer' },
  { list: 'transfers', kind: 'refund', side: 'payee' },
  { list: 'transfers', kind: 'settlement', side: 'payee' },
  { list: 'withdrawals', kind: 'withdrawal', side: 'own' },
];

function movedSection(report: Report): Section {
  const { orders: w } = report.words;
  return {
    rows: [
      titleRow(w.title),
      headerRow([w.kind, w.countedCount, w.effect, w.uncountedCount], [1, 2, 3]),
      ...PARTS.map((part) => partRow(report, part)),
    ],
  };
}

function partRow(report: Report, { list, kind, side }: Part): Row {
  const { orders: w, common } = report.words;
  const sums = report.orders[list].sums.filter((sum) => sum.kind === kind && sum.side === side);
  const [counted, others] = [sums.filter((sum) => sum.counted), sums.filter((sum) => !sum.counted)];
  const live = isLive(report, list);
  const is = (column: OrderColumn, text: string): string =>
    `${orderRange(report, list, column)},${formulaText(text)}`;
  const isPart = `${is('kind', w.kinds[kind])},${is('side', w.sides[side])}`;
  const name = side === 'own' ? w.kinds[kind] : w.of({ side: w.kinds[kind], figure: w.sides[side] });
  return [
    textCell(name, 'line'),
    liveCount(live, `COUNTIFS(${isPart},${is('counted', common.yes)})`, countOf(counted), 'count'),
    liveMoney(live, `SUMIFS(${orderRange(report, list, 'effect')},${isPart})`, effectOf(counted), 'money'),
    liveCount(live, `COUNTIFS(${isPart},${is('counted', common.no)})`, countOf(others), 'count'),
  ];
}

function askedSection(report: Report): Section {
  const { words, asked, accounts } = report;
  const { orders: w } = words;
  const debited = accounts.filter(({ inflightModel }) => inflightModel === 'debited');
  const inFlight = accounts.reduce((sum, account) => sum + account.inFlightFen, 0n);
  const figures: [string, Cell][] = [
    [w.askedBatches, countCell(asked.batches)],
    [w.askedTransfers, countCell(asked.transferOrders)],
    [w.askedWithdrawals, countCell(asked.withdrawals)],
    [w.onlyInLedger, countCell(asked.ledgerOnly)],
    [w.unaskable, countCell(asked.unaskable)],
    [w.inFlight, moneyCell(inFlight)],
    [w.debitedAccounts, numberCell(debited.length)],
  ];
  const more = debited.length - DEBITED_SHOWN_MAX;
  return {
    rows: [
      titleRow(w.askedTitle),
      ...figures.map(([label, figure]): Row => [textCell(label, 'label'), figure]),
      ...debited
        .slice(0, DEBITED_SHOWN_MAX)
        .map(({ accountNo, inFlightFen }): Row => [
          textCell(accountNo, 'line'),
          moneyCell(inFlightFen),
          textCell(words.inflightModels.debited),
        ]),
      ...(more > 0 ? [[overflowCell(w.moreAccounts(String(more)), 'note')]] : []),
    ],
  };
}

/** What the run did not record is a dash and never a zero. */
function countCell(count: number | null): Cell {
  return count === null ? textCell('—') : numberCell(count);
}
