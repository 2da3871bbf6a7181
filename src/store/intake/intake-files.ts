/** Files that were taken in, each once, so that a figure can be traced to the file it came from. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { LockHeld } from '../../core/errors.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { IntakeFileTable, Tables } from '../schema/schema.ts';

export interface IntakeFile {
  kind: IntakeFileTable['kind'];
  /** The ledger's name; empty for accounts and orders, of which there is one list each. */
  source: string;
  name: string;
  sha256: string;
  rowCount: number;
  spansFrom: Instant | null;
  spansTo: Instant | null;
  replaced: boolean;
  importedAt: Instant;
  /** Where it lies in the inbox, for a file that was delivered there. */
  delivered?: Delivered | undefined;
  /** Of a ledger file that was delivered: the day that its name states. */
  ofDay?: Day | undefined;
}

/** A file of the inbox, which must not be taken in twice. */
export interface Delivered {
  /** Below the inbox. */
  path: string;
  /** When it was last changed, as the file system states it. */
  changed: string;
}

/** Any fixed number; it only must be the same in all processes. */
const INTAKE_LOCK = 7_319_042;

/** Two files of one source at once would each see the entries before the other. @throws LockHeld */
export async function claimIntake(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ claimed: boolean }>`
    select pg_try_advisory_xact_lock(${INTAKE_LOCK}) as claimed`.execute(trx);
  if (rows[0]?.claimed !== true)
    throw new LockHeld('another file is being imported; try again when it is done');
}

/**
 * The same file is the same id on every machine: 16 hex digits of what makes it one file. One that was delivered states
 * its day, and is another one of another day.
 */
export function fileIdOf({
  kind,
  source,
  sha256,
  ofDay,
}: Pick<IntakeFile, 'kind' | 'source' | 'sha256' | 'ofDay'>): string {
  const parts = [kind, source, sha256, ...(ofDay === undefined ? [] : [ofDay])];
  return createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 16);
}

/** Records the file; the same one again is kept once, stands again, and remembers that it came as a replacement. */
export async function saveIntakeFile(trx: Transaction<Tables>, file: IntakeFile): Promise<string> {
  const fileId = fileIdOf(file);
  await sql`
    insert into intake_file (file_id, kind, source, name, sha256, row_count, spans_from, spans_to, replaced,
      imported_at, of_day)
    values (${fileId}, ${file.kind}, ${file.source}, ${file.name}, ${file.sha256}, ${file.rowCount},
      ${file.spansFrom}, ${file.spansTo}, ${file.replaced}, ${file.importedAt}, ${file.ofDay ?? null})
    on conflict (file_id) do update
      set replaced = intake_file.replaced or excluded.replaced, withdrawn_at = null,
        name = case when intake_file.withdrawn_at is null then intake_file.name else excluded.name end
      where (excluded.replaced and not intake_file.replaced) or intake_file.withdrawn_at is not null`.execute(
    trx,
  );
  if (file.delivered !== undefined) {
    const { path, changed } = file.delivered;
    const mark = { path, changed, sha256: file.sha256, file_id: fileId, taken_at: file.importedAt };
    await trx.insertInto('inbox_file').values(mark).execute();
  }
  return fileId;
}

/** The file, or every one of its source, is out of the books; one that was withdrawn before keeps when. */
export async function markWithdrawn(
  trx: Transaction<Tables>,
  { source, fileId, at }: { source: string; fileId?: string; at: Instant },
): Promise<void> {
  let marking = trx
    .updateTable('intake_file')
    .set({ withdrawn_at: at })
    .where('kind', '=', 'ledger')
    .where('source', '=', source)
    .where('withdrawn_at', 'is', null);
  if (fileId !== undefined) marking = marking.where('file_id', '=', fileId);
  await marking.execute();
}
