/** What can be put back into tables as it was. */
import { sql } from 'kysely';
import type { Db } from '../../src/store/schema/schema.ts';

/** By table: the columns that are not reckoned from others. */
export async function writableColumns(
  db: Db,
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and table_name = any(${tables}::text[]) and is_generated = 'NEVER'
    order by table_name, ordinal_position`.execute(db);
  const columns = new Map<string, string[]>(tables.map((name) => [name, []]));
  for (const row of rows) columns.get(row.table_name)?.push(row.column_name);
  return columns;
}
