/** Breaks beside what suggestions are made from, for lists that are no sheets. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { LongList } from '../../src/core/long-list.ts';
import { listOfRows } from '../../src/store/database/pages.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { CLUES, CLUE_COLUMNS, stageClues } from './read-clues.ts';
import type { ItemClues } from './read-clues.ts';
import type { ItemRow } from './read-items.ts';
import { staging } from './stage.ts';

/** What a suggestion is made from. */
export type Suggested = Pick<
  ItemRow,
  'class' | 'platform_fen' | 'ledger_fen' | 'difference_fen' | 'ledger_ref' | 'note' | keyof ItemClues
>;

/** A finding that a run found, by which its clues are known. */
interface Finding {
  run_id: string;
  break_id: string;
}

/**
 * The rows of a query with the clues of their findings, in the order of those columns.
 * @param rows with `run_id` and `break_id`, and `ledger_ref` and `note` of the finding
 */
export function listSuggested<R extends Finding>(
  db: Db,
  rows: RawBuilder<R>,
  order: RawBuilder<unknown>,
): LongList<R & ItemClues> {
  const query = sql<R & ItemClues>`
    select r.*, ${CLUE_COLUMNS} from (${rows}) r
    left join ${sql.table(CLUES.name)} c on c.run_id = r.run_id and c.break_id = r.break_id order by ${order}`;
  return listOfRows(db, query, async (session) => {
    const runs = await sql<{ run_id: string }>`select distinct run_id from (${rows}) r`.execute(session);
    await staging(session, (trx) =>
      stageClues(
        trx,
        runs.rows.map(({ run_id: runId }) => runId),
      ),
    );
  });
}
