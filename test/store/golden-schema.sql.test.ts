import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await databaseToSpoil();
});
afterAll(() => database.close());

test('the migrations make exactly the schema that is kept as golden, on both databases', async () => {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select c.table_name as name, 1 as part, lpad(c.ordinal_position::text, 3, '0') as place,
        c.table_name || '.' || c.column_name || ' ' || c.data_type
          || coalesce(' collate ' || c.collation_name, '')
          || case c.is_nullable when 'NO' then ' not null' else '' end
          || coalesce(' default ' || c.column_default, '')
          || case c.is_identity when 'YES' then ' identity' else '' end as line
      from information_schema.columns c
      where c.table_schema = 'public' and c.table_name not like 'kysely%'
      union all
      select i.tablename, 2, i.indexname, i.indexdef from pg_indexes i
      where i.schemaname = 'public' and i.tablename not like 'kysely%'
      union all
      select r.relname, 3, k.conname, r.relname || ': ' || pg_get_constraintdef(k.oid)
      from pg_constraint k join pg_class r on r.oid = k.conrelid
      where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'f') and r.relname not like 'kysely%'
      union all
      select r.relname, 4, t.tgname, pg_get_triggerdef(t.oid)
      from pg_trigger t join pg_class r on r.oid = t.tgrelid
      where r.relnamespace = 'public'::regnamespace and not t.tgisinternal
    ) x order by name, part, place`.execute(database.db);
  const text = `${rows.map((row) => row.line).join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('../golden/schema.txt');
});
