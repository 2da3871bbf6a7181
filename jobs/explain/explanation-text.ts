/** All that bears a number, for a terminal. */
import { accountText } from './account-text.ts';
import type { Explanation, ExplainedBreak } from './explain-number.ts';
import { entriesText, recordText } from './record-text.ts';
import { listed, money, placeText } from './screen.ts';
import type { Screen } from './screen.ts';

export function explanationText(screen: Screen, explanation: Explanation): string {
  const { account, records, batches, registered, entries, breaks } = explanation;
  const inMatch = new Set(
    records.flatMap(({ matches }) => matches.flatMap((match) => match.entries.map(({ entryNo }) => entryNo))),
  );
  // What was matched stands with its record; former versions are shown for themselves.
  const alone = entries.filter(
    ({ versions }) => versions.length > 1 || versions.some(({ entryNo }) => !inMatch.has(entryNo)),
  );
  return [
    ...(account === null ? [] : [accountText(screen, account)]),
    ...records.map((record) => recordText(screen, record)),
    ...batches.map((batch) => batchText(screen, batch)),
    ...registered.map(({ registeredAs }) => `${screen.say.registeredOnly}: ${registeredAs}`),
    ...alone.map(({ versions, matched }) =>
      entriesText(screen, `${screen.say.entries} · ${matched?.group ?? screen.say.unmatched}`, versions),
    ),
    ...(breaks.length === 0 ? [] : [breaksText(screen, breaks)]),
  ].join('\n\n');
}

function batchText(screen: Screen, batch: Explanation['batches'][number]): string {
  const { say } = screen;
  const numbers = [batch.outBatchNo, batch.batchNo].filter((number) => number !== '').join(' / ');
  const title = `${say.batch} ${numbers} · ${say.account} ${batch.accountNo} · ${batch.state} · ${say.orders} ${batch.orderCount}`;
  return listed(screen, title, {
    titles: [say.number, say.account, say.amount, say.state],
    rows: batch.orders.map((order) => [
      order.outOrderNo,
      order.payeeAccountNo,
      money(order.amountFen),
      order.state,
    ]),
    options: { right: [2] },
  });
}

function breaksText(screen: Screen, breaks: readonly ExplainedBreak[]): string {
  const { say, words } = screen;
  return listed(screen, say.break, {
    titles: [
      words.items.breakId,
      words.items.className,
      say.account,
      say.number,
      words.items.difference,
      words.items.firstSeen,
      say.state,
      say.provenBy,
      say.cell,
    ],
    rows: breaks.map((found) => [
      found.id,
      classText(screen, found.class),
      found.accountNo,
      found.reference,
      money(found.differenceFen),
      found.firstSeen,
      found.status === 'open' ? words.breaks.statuses[found.workStatus] : closedText(screen, found),
      found.lastRun,
      placeText(screen, found.workbook),
    ]),
    options: { right: [4] },
  });
}

function classText({ words }: Screen, name: string): string {
  return Object.entries(words.classes).find(([one]) => one === name)?.[1] ?? name;
}

function closedText({ words }: Screen, { closedDay, clearedBy }: ExplainedBreak): string {
  return `${words.itemStates.cleared} ${closedDay ?? ''} ${clearedBy ?? ''}`.trim();
}
