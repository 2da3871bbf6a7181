/** A traced record for a terminal. */
import { recordState } from '../../reports/sheets/free-text.ts';
import type { TracedEntry } from '../../src/store/trace/money-path.ts';
import type { ExplainedMatch, ExplainedRecord } from './explain-record.ts';
import {
  answerLines,
  block,
  kindOfMovement,
  listed,
  money,
  movementKind,
  placeText,
  time,
} from './screen.ts';
import type { Screen } from './screen.ts';

export function recordText(screen: Screen, record: ExplainedRecord): string {
  return [
    block(titleOf(screen, record), recordLines(screen, record)),
    movementsText(screen, record),
    matchText(screen, record.matches),
  ].join('\n');
}

function titleOf({ say, words }: Screen, record: ExplainedRecord): string {
  const { kind, accountNo, orderNo, outOrderNo } = record;
  const numbers = [outOrderNo, orderNo].filter((number) => number !== '').join(' / ');
  return `${say.record}: ${words.vouchers.kinds[kind]} ${numbers} · ${say.account} ${accountNo}`;
}

function recordLines(screen: Screen, record: ExplainedRecord): [string, string][] {
  const { say, words } = screen;
  const { amountFen, feeFen, version, seenAt, payeeAccountNo } = record;
  const isTransfer = record.kind === 'transfer';
  return [
    [say.amount, say.amountAndFee({ amount: money(amountFen), fee: money(feeFen) })],
    [say.at, time(screen, record.at)],
    [
      say.state,
      [record.state, record.settleState]
        .filter(Boolean)
        .map((state) => recordState(words, state))
        .join(' · '),
    ],
    [say.counterparty, record.counterparty],
    [say.account, isTransfer ? say.parties({ payer: record.accountNo, payee: payeeAccountNo }) : ''],
    [say.batch, record.outBatchNo],
    [say.stored, say.storedAs({ version: String(version), seenAt: time(screen, seenAt) })],
    ...answerLines(screen, record.answer),
    ...record.formerVersions.flatMap((former): [string, string][] => [
      [
        '',
        say.formerly({
          version: String(former.version),
          amount: money(former.amountFen),
          day: former.replacedDay,
          run: former.replacedRun,
        }),
      ],
      ...answerLines(screen, former.answer),
    ]),
    ...record.registrations.map((one): [string, string] => [
      say.registration,
      [
        `${money(one.amountFen)} · ${time(screen, one.submittedAt)}`,
        one.fileName === null ? say.byProgram : say.byFile(`${one.fileName} (${one.fileSha256 ?? ''})`),
      ].join(' · '),
    ]),
    ...record.attempts.map((one): [string, string] => [
      say.attempts,
      `${one.attempt} · ${money(one.amountFen)} · ${one.reqId} · ${one.outcome ?? one.state} · ${time(screen, one.sentAt)}`,
    ]),
    ...record.vouchers.map((one): [string, string] => [
      say.vouchers,
      `${words.vouchers.kinds[one.kind]} · ${one.reqId} · ${one.sha256}`,
    ]),
  ];
}

function movementsText(screen: Screen, { movements }: ExplainedRecord): string {
  const { say, words } = screen;
  return listed(screen, say.movements, {
    titles: [say.account, say.kind, say.amount, say.fee, say.countsAt, say.provenBy, say.cell],
    rows: movements.map((one) => [
      one.accountNo,
      movementKind(screen, kindOfMovement(one)),
      money(one.deltaFen),
      money(one.feeFen),
      time(screen, one.at),
      one.proof === null ? say.notProvenYet : `${one.proof.runId} ${words.verdicts[one.proof.verdict]}`,
      one.proof === null ? '' : placeText(screen, one.workbook),
    ]),
    options: { right: [2, 3] },
  });
}

function matchText(screen: Screen, matches: readonly ExplainedMatch[]): string {
  const { say, words } = screen;
  if (matches.length === 0) return `${say.matching}: ${say.unmatched}`;
  return matches
    .map(({ accountNo, rule, outcome, entries }) => {
      const how = words.deposits.rules[rule] ?? rule;
      const title = `${say.matching}: ${say.account} ${accountNo} · ${say.rule} ${how} · ${say.outcome} ${say.outcomes[outcome]}`;
      return entriesText(screen, title, entries);
    })
    .join('\n');
}

/** Each entry, and below it the row of the file it came from. */
export function entriesText(screen: Screen, title: string, entries: readonly TracedEntry[]): string {
  const { say } = screen;
  return block(
    title,
    entries.flatMap((entry): [string, string][] => [
      [
        say.entry,
        [
          `${entry.source} ${entry.entryId}`,
          `${say.account} ${entry.accountNo}`,
          say.entryKinds[entry.kind],
          money(entry.amountFen),
          time(screen, entry.bookedAt),
          `${say.version} ${entry.version}, ${say.entryStates[entry.state]}`,
        ].join(' · '),
      ],
      ['', `${fileText(screen, entry)} · ${say.digest} ${entry.fileSha256}`],
    ]),
  );
}

function fileText({ say }: Screen, { fileName, fileRow }: TracedEntry): string {
  return say.fileRow({ file: fileName, row: fileRow === null ? say.rowUnknown : String(fileRow) });
}
