/** Breaks across runs with what the last run that found each of them tells of what it probably is. */
import { sql } from 'kysely';
import type { LongList } from '../../src/core/long-list.ts';
import type { Day } from '../../src/core/time.ts';
import { selectBreaks } from '../../src/store/runs/breaks.ts';
import type { BreakFilter, WorkedBreak } from '../../src/store/runs/breaks.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { listSuggested } from '../../reports/read/read-suggested.ts';
import { SUGGESTING, suggestionText } from '../../reports/sheets/suggestion.ts';
import type { Locale } from '../../reports/words/terms.ts';
import type { SaidMask } from '../context/said-mask.ts';
import { shownOf } from './break-shown.ts';
import type { BreakShown } from './break-shown.ts';
import type { ItemClues } from '../../reports/read/read-clues.ts';

interface FoundBreak extends WorkedBreak {
  /** That found it last. */
  run_id: string;
  ledger_ref: string;
  note: string;
}

type SuggestedBreak = FoundBreak & ItemClues;

/** A break as lists show it. */
export interface BreakListed extends BreakShown {
  /** What it probably is, a sentence in the language of the reports; empty where the evidence says nothing. */
  suggestion: string;
}

const IN_ORDER = sql`r.account_no, r.class, r.reference, r.break_id`;

/** By account, class and reference; read anew by each walk. */
export function listSuggestedBreaks(
  db: Db,
  filter: BreakFilter,
  { today, locale, mask }: { today: Day; locale: Locale; mask: SaidMask },
): LongList<{ row: SuggestedBreak; shown: BreakListed }> {
  const words = SUGGESTING[locale];
  const rows = sql<FoundBreak>`
    select b.*, b.last_run as run_id, coalesce(f.ledger_ref, '') as ledger_ref, coalesce(f.note, '') as note
    from (${selectBreaks(filter, today)}) b
    left join finding f on f.run_id = b.last_run and f.break_id = b.break_id`;
  return listSuggested(db, rows, IN_ORDER).map((row) => ({
    row,
    shown: { ...shownOf(row, mask), suggestion: suggestionText(words, row) },
  }));
}
