/**
 * What a filled-in row asks for, three ways: what stood there when the file was written, what stands there now, what
 * the row says. What only the file changed is said; what both changed differently is a conflict and stays as it is.
 */
import { isSamePerson } from '../../../src/core/config/config-people.ts';
import { yuanForPeople } from '../../../src/core/fen.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { Zone } from '../../../src/core/time.ts';
import type { ItemRow } from '../../../reports/read/read-items.ts';
import type { WorkList } from '../../../reports/work-list.ts';
import type { WorkedBreak } from '../../../src/store/runs/breaks.ts';
import type { Answer } from './check-cells.ts';
import { dayOf } from './cell-text.ts';
import { asSaid, byInput, inputTitles, saidTexts, shownText, textsOf, withNumbers } from './input-cells.ts';
import type { Input, InputTexts } from './input-cells.ts';
import type { SaidSince } from './said-since.ts';

/** A cell that is not taken. */
export interface Conflict {
  breakId: string;
  place: string;
  column: string;
  before: string;
  now: string;
  file: string;
  why: string;
}

export interface Asked {
  /** The cells to be taken. */
  taken: ReadonlySet<Input>;
  conflicts: Conflict[];
  before: InputTexts;
  file: InputTexts;
  /** Masks that stand for one of two numbers, by their cells. */
  unclear: ReadonlyMap<Input, string>;
  places: InputTexts;
}

/** Cells that are taken together or not at all: a reason belongs to its status, and both to a write-off. */
function unitsOf(texts: readonly InputTexts[], proposeWriteOff: string): readonly (readonly Input[])[] {
  const isWriteOff = texts.some(({ action }) => action === proposeWriteOff);
  return isWriteOff
    ? [['owner'], ['status', 'reason', 'action', 'writeOff'], ['remark']]
    : [['owner'], ['status', 'reason'], ['action'], ['writeOff'], ['remark']];
}

/** Nobody's judgement of an amount: they hold for any. */
const OF_ANY_AMOUNT: readonly Input[] = ['owner', 'remark'];

export interface RowSeen {
  /** As the file was written. */
  row: ItemRow;
  /** As it is now. */
  found: WorkedBreak;
  since: readonly SaidSince[];
  list: WorkList;
  zone: Zone;
}

export function weighAnswer(answer: Answer, seen: RowSeen): Asked {
  const titles = inputTitles(seen.list.words);
  const [written, places] = (['text', 'place'] as const).map((part) =>
    byInput((input) => answer.cells.get(titles[input])?.[part] ?? ''),
  ) as [InputTexts, InputTexts];
  const before = saidTexts(seen.row, seen);
  const last = seen.since.at(-1);
  const now =
    last === undefined ? before : textsOf(seen.row, asSaid(last.work, seen.list.written.today), seen);
  // As people see it, also where what was said of it holds no more.
  const seenNow = textsOf(seen.row, seen.found, seen);
  const unclear = new Map<Input, string>();
  const file = {
    ...asSaidBefore(written, { said: [before, now], list: seen.list, unclear }),
    writeOff: dayOf(written.writeOff) ?? written.writeOff,
  };
  const taken = new Set<Input>();
  const conflicts: Conflict[] = [];
  for (const unit of unitsOf([before, file, now], seen.list.words.breaks.proposeWriteOff)) {
    const asked = unit.filter((input) => file[input] !== before[input]);
    const unsaid = asked.filter((input) => !isSaid(input, { file, now, before, seen }));
    if (unsaid.length === 0) continue;
    const why = whyNot(unit, { asked, now, before, seen });
    if (why === undefined) asked.forEach((input) => taken.add(input));
    else conflicts.push(...unsaid.map((input) => conflictOf(input, why)));
  }
  return { taken, conflicts, before, file, unclear, places };

  function conflictOf(input: Input, why: string): Conflict {
    const { breakId } = answer;
    const shown = (texts: InputTexts): string => shownText(seen.list, texts[input]);
    const texts = { before: shown(before), now: shown(seenNow), file: shown(file) };
    return { breakId, place: places[input], column: titles[input], ...texts, why };
  }
}

/** What stands in the file as the sheet masks it is what was said, in full; so is each number in a text that was written on. */
function asSaidBefore(
  written: InputTexts,
  { said, list, unclear }: { said: readonly InputTexts[]; list: WorkList; unclear: Map<Input, string> },
): InputTexts {
  return byInput((input) => {
    const known = said.find((texts) => shownText(list, texts[input]) === written[input]);
    if (known !== undefined) return known[input];
    const of = said.map((one) => one[input]);
    return withNumbers(list, written[input], { of, unclear: (mask) => unclear.set(input, mask) });
  });
}

/** Whether people said it since: by the same file, read before, or by a command. */
function isSaid(
  input: Input,
  { file, now, before, seen }: { file: InputTexts; now: InputTexts; before: InputTexts; seen: RowSeen },
): boolean {
  const { proposeWriteOff } = seen.list.words.breaks;
  // What is taken back here and was approved there is an empty cell in both.
  const isTakenBack =
    input === 'action' && before.action === proposeWriteOff && file.action !== before.action;
  if (isTakenBack && seen.since.some(({ event }) => event === 'written_off')) return false;
  if (file[input] === now[input]) return true;
  if (input === 'owner') return isSamePerson(file.owner, now.owner);
  if (input === 'status' || file.action !== proposeWriteOff) return false;
  // A write-off that was proposed as the row says is said, also once it is approved.
  return seen.since.some(
    ({ event, work }) =>
      event === 'write_off_proposed' &&
      work.writeOff?.reason === file.reason &&
      (file.writeOff === '' || input !== 'writeOff' || work.writeOff.expires === file.writeOff),
  );
}

function whyNot(
  unit: readonly Input[],
  of: { asked: readonly Input[]; now: InputTexts; before: InputTexts; seen: RowSeen },
): string | undefined {
  const { asked, now, before, seen } = of;
  const { row, found, since } = seen;
  if (found.status === 'closed' && !asked.includes('remark'))
    return `it has ended on ${found.closed_day ?? ''}`;
  const isJudged = !unit.some((input) => OF_ANY_AMOUNT.includes(input));
  if (isJudged && (found.class !== row.class || found.difference_fen !== row.difference_fen))
    return `it was ${yuanForPeople(row.difference_fen)} (${row.class}) and is ${yuanForPeople(found.difference_fen)} (${found.class}) by now`;
  const last = since.at(-1);
  if (last === undefined || unit.every((input) => now[input] === before[input])) return undefined;
  const what = last.event === 'written_off' ? 'approved the write-off' : 'said so';
  return `${maskPersonal(last.actor)} ${what} on ${seen.zone.localText(last.at)}`;
}
