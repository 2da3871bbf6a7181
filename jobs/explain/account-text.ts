/** A traced account for a terminal: each figure with its cell, and what it is made of. */
import { reasonText } from '../../reports/words/reason-text.ts';
import type { Figure } from '../../reports/sheets/roll-forward.ts';
import type { ExplainedAccount } from './explain-account.ts';
import type { KindSum } from '../../src/store/trace/account-evidence.ts';
import { answerLines, block, kindOfMovement, listed, money, movementKind, time } from './screen.ts';
import type { Screen } from './screen.ts';

export function accountText(screen: Screen, account: ExplainedAccount): string {
  return [
    block(`${screen.say.account} ${account.accountNo}`, proofLines(screen, account)),
    figuresText(screen, account),
    sumsText(screen, {
      title: screen.say.sums,
      sums: account.movements,
      kindOf: (kind) => movementKind(screen, kind),
    }),
    sumsText(screen, {
      title: screen.say.ledgerSums,
      sums: account.entries,
      kindOf: (kind) => entryKind(screen, kind),
    }),
    balanceText(screen, account),
    daysText(screen, account),
    foundText(screen, account),
    movementsText(screen, account),
  ].join('\n');
}

function proofLines(screen: Screen, { proof }: ExplainedAccount): [string, string][] {
  const { say, words } = screen;
  const days = words.common.period({ from: proof.fromDay, to: proof.toDay });
  const from = proof.openingRun === '' ? '' : ` · ${say.continues(proof.openingRun)}`;
  return [
    [say.proof, `${proof.runId} · ${words.jobs[proof.job]} ${days} · ${words.common.version(proof.version)}`],
    [words.common.verdict, words.verdicts[proof.verdict]],
    [words.summary.reason, proof.reason === '' ? '' : reasonText(words, proof.reason)],
    [say.opensAt, proof.openingAt === null ? '' : `${time(screen, proof.openingAt)}${from}`],
    [words.rollForward.source, proof.source === null ? '' : words.sources[proof.source]],
  ];
}

/** The title a figure has in the workbook, with its side where both sides have one of that name. */
export function figureName({ words: { rollForward: w } }: Screen, figure: Figure): string {
  const ledger = (name: string): string => `${w.ledgerSide} ${name}`;
  const names: Readonly<Record<Figure, string>> = {
    opening: w.opening,
    in: w.received,
    out: w.paid,
    fees: w.fees,
    computed: w.computed,
    reported: w.platformReported,
    unexplained: w.unexplained,
    inFlight: w.inFlight,
    ledgerOpening: ledger(w.opening),
    ledgerIn: ledger(w.received),
    ledgerOut: ledger(w.paid),
    ledgerFees: ledger(w.fees),
    ledgerReported: w.ledgerReported,
    difference: w.difference,
    lines: w.lines,
    openingDifference: w.openingDifference,
  };
  return names[figure];
}

/** The workbook is one for all of them: its name stands in the title. */
function figuresText(screen: Screen, { figures }: ExplainedAccount): string {
  const { say } = screen;
  const file = figures.find(({ workbook }) => workbook !== null)?.workbook?.file ?? say.noWorkbook;
  return listed(screen, `${say.figures} · ${file}`, {
    titles: [say.figure, say.amount, say.cell, say.inResult],
    rows: figures.map(({ figure, amountFen, workbook, result }) => [
      figureName(screen, figure),
      money(amountFen),
      workbook === null ? '' : `${workbook.sheet}!${workbook.cell ?? ''}`,
      result ?? '',
    ]),
    options: { right: [1] },
  });
}

function entryKind({ say }: Screen, kind: string): string {
  return Object.entries(say.entryKinds).find(([name]) => name === kind)?.[1] ?? kind;
}

function sumsText(
  screen: Screen,
  of: { title: string; sums: readonly KindSum[]; kindOf: (kind: string) => string },
): string {
  return listed(screen, of.title, {
    titles: [screen.say.kind, screen.say.count, screen.say.amount],
    rows: of.sums.map(({ kind, count, amountFen }) => [of.kindOf(kind), String(count), money(amountFen)]),
    options: { right: [1, 2] },
  });
}

function balanceText(screen: Screen, { balance }: ExplainedAccount): string {
  const { say, words } = screen;
  if (balance === null) return `${say.balance}: ${say.none}`;
  return block(say.balance, [
    [say.takenAt, `${time(screen, balance.takenAt)} · ${words.balanceStates[balance.state]}`],
    [words.rollForward.platformReported, money(balance.balanceFen)],
    [words.rollForward.frozen, balance.frozenFen === null ? '' : money(balance.frozenFen)],
    ...answerLines(screen, balance.answer),
  ]);
}

function daysText(screen: Screen, { days }: ExplainedAccount): string {
  const { say } = screen;
  return listed(screen, say.daysRead, {
    titles: [say.days, say.records, say.amount, say.provenBy, say.sealed, say.digest],
    rows: days.map((one) => [
      one.day,
      String(one.records),
      money(one.sumFen),
      one.verifiedRun,
      one.sealedRun ?? '',
      one.digest,
    ]),
    options: { right: [1, 2] },
  });
}

function foundText(screen: Screen, { found }: ExplainedAccount): string {
  const { say, words } = screen;
  return listed(screen, say.found, {
    titles: [words.summary.className, say.count, words.items.difference],
    rows: found.map((one) => [words.classes[one.class], String(one.count), money(one.differenceFen)]),
    options: { right: [1, 2] },
  });
}

function movementsText(screen: Screen, { firstMovements }: ExplainedAccount): string {
  const { say } = screen;
  return listed(screen, say.firstMovements, {
    titles: [say.countsAt, say.kind, say.number, say.amount, say.fee],
    rows: firstMovements.map((one) => [
      time(screen, one.at),
      movementKind(screen, kindOfMovement(one)),
      one.reference,
      money(one.deltaFen),
      money(one.feeFen),
    ]),
    options: { right: [3, 4] },
  });
}
