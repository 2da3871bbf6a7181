/** Everything that a filled-in list says, as changes to be written; what it cannot say is a fault of its cell. */
import type { WorkList } from '../../../reports/work-list.ts';
import type { Zone } from '../../../src/core/time.ts';
import { findBreaks } from '../../../src/store/runs/breaks.ts';
import type { WorkedBreak } from '../../../src/store/runs/breaks.ts';
import type { DbOrTransaction } from '../../../src/store/schema/schema.ts';
import { changeOf, said } from '../say.ts';
import type { Change, Saying, Speaker } from '../say.ts';
import type { Base } from './base.ts';
import type { CellFaults } from './cell-faults.ts';
import type { Answer } from './check-cells.ts';
import { INPUTS, inputTitles, shownText, textsOf } from './input-cells.ts';
import type { Input, InputTexts } from './input-cells.ts';
import { saidSince } from './said-since.ts';
import { sayingsOf } from './sayings.ts';
import type { Speech } from './sayings.ts';
import { weighAnswer } from './weigh-answer.ts';
import type { Asked, Conflict, RowSeen } from './weigh-answer.ts';

/** A cell that was taken. */
export interface TakenCell {
  breakId: string;
  place: string;
  column: string;
  before: string;
  file: string;
}

export interface WeighedList {
  changes: Change[];
  taken: TakenCell[];
  conflicts: Conflict[];
  /** Rows that say something that is so already. */
  unchanged: number;
}

export interface ListSpeech extends Speech, Speaker {
  zone: Zone;
  /** Kept with each event: the file it came from. */
  source: { file: string; sha256: string };
}

export async function weighList(
  db: DbOrTransaction,
  { base, answers }: { base: Base; answers: readonly Answer[] },
  speech: ListSpeech,
): Promise<WeighedList> {
  const { list, stated } = base;
  const breakIds = answers.map((answer) => answer.breakId);
  const found = new Map(
    (await findBreaks(db, { breakIds, withClosed: true }, speech.today)).map((row) => [row.break_id, row]),
  );
  const since = await saidSince(db, { breakIds, trailNo: stated.trailNo });
  const rows = new Map(list.rows.map((row) => [row.break_id, row]));
  const weighed: WeighedList = { changes: [], taken: [], conflicts: [], unchanged: 0 };
  for (const answer of answers) {
    const [row, now] = [rows.get(answer.breakId), found.get(answer.breakId)];
    if (row === undefined || now === undefined) throw new Error(`Bug: ${answer.breakId} was not read`);
    const seen = { row, found: now, since: since.get(answer.breakId) ?? [], list, zone: speech.zone };
    weighRow(weighAnswer(answer, seen), { seen, speech, weighed });
  }
  return weighed;
}

function weighRow(
  asked: Asked,
  { seen, speech, weighed }: { seen: RowSeen; speech: ListSpeech; weighed: WeighedList },
): void {
  weighed.conflicts.push(...asked.conflicts);
  const { found, list } = seen;
  const { count } = speech.faults;
  for (const [input, mask] of asked.unclear) {
    if (!asked.taken.has(input)) continue;
    const reason = `${mask} stands for two numbers here: write those that are meant in full`;
    speech.faults.add(asked.places[input], asked.file[input], reason);
  }
  const changes = changesOf(found, sayingsOf(asked, found, speech), { asked, speech });
  // A cell that is wrong by itself is told once, and not as one that contradicts the others too.
  if (speech.faults.count > count) return;
  holdAgainst(asked, textsOf(seen.row, changes.at(-1)?.after ?? found, seen), {
    list,
    faults: speech.faults,
  });
  if (changes.length === 0) {
    if (asked.conflicts.length === 0) weighed.unchanged++;
    return;
  }
  weighed.changes.push(...changes);
  const titles = inputTitles(list.words);
  for (const input of INPUTS) {
    if (!asked.taken.has(input)) continue;
    weighed.taken.push({
      breakId: found.break_id,
      place: asked.places[input],
      column: titles[input],
      before: shownText(list, asked.before[input]),
      file: shownText(list, asked.file[input]),
    });
  }
}

/** One after the other, each on what the one before left. */
function changesOf(
  found: WorkedBreak,
  sayings: readonly Saying[],
  { asked, speech }: { asked: Asked; speech: ListSpeech },
): Change[] {
  const changes: Change[] = [];
  let now = found;
  for (const saying of sayings) {
    const one = said(now, saying, speech);
    if (one === 'unchanged') continue;
    if ('fault' in one) {
      speech.faults.add(asked.places.status, '', one.fault);
      continue;
    }
    const change = changeOf(now, { ...one, details: { ...one.details, ...speech.source } }, speech);
    changes.push(change);
    now = change.after;
  }
  return changes;
}

const JUDGED: readonly Input[] = ['status', 'reason', 'action'];

/** What the sheet would show afterwards is what the row says, also where nothing is to be changed for it; else its cells contradict each other. */
function holdAgainst(
  { taken, file, places }: Asked,
  after: InputTexts,
  { list, faults }: { list: WorkList; faults: CellFaults },
): void {
  for (const input of JUDGED) {
    if (!taken.has(input) || after[input] === file[input]) continue;
    faults.add(
      places[input],
      file[input],
      `cannot be together with the rest of the row: it would be ${JSON.stringify(shownText(list, after[input]))}`,
    );
  }
}
