/** What was published of runs: their documents and files. */
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';
import { RUN_COLUMNS } from './runs.ts';
import type { Run } from './runs.ts';

/** @param resultText the result without its lists: these are rows of `finding` and `break` */
export async function saveResult(db: DbOrTransaction, runId: string, resultText: string): Promise<void> {
  await db.updateTable('run').set({ result: resultText }).where('run_id', '=', runId).execute();
}

/** Its last step: all of it is done. */
export async function savePublished(db: DbOrTransaction, runId: string, at: Instant): Promise<void> {
  await db
    .updateTable('run')
    .set({ step: 'published', published_at: at })
    .where('run_id', '=', runId)
    .execute();
}

/** As it was saved; undefined where there is no such run, null where none was saved of it. */
export async function findResult(db: DbOrTransaction, runId: string): Promise<unknown> {
  const row = await db.selectFrom('run').select('result').where('run_id', '=', runId).executeTakeFirst();
  return row?.result;
}

/** What was written for runs about these days, all versions, with the run that each belongs to. */
export async function listPublished(
  db: DbOrTransaction,
  range: { fromDay: Day; toDay: Day } | undefined,
): Promise<{ run: Run; path: string; sha256: string }[]> {
  let asked = db.selectFrom('run').select(RUN_COLUMNS).orderBy('from_day').orderBy('run_id');
  if (range !== undefined) {
    asked = asked.where('to_day', '>=', range.fromDay).where('from_day', '<=', range.toDay);
  }
  const runs = new Map((await asked.execute()).map((run) => [run.run_id, run]));
  const files = await db.selectFrom('run_file').selectAll().orderBy('run_id').orderBy('path').execute();
  return files.flatMap(({ run_id: runId, path, sha256 }) => {
    const run = runs.get(runId);
    return run === undefined ? [] : [{ run, path, sha256 }];
  });
}
