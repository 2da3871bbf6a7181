/** A PostgreSQL of the company's: a read-only session in one state of it, and a cursor on the server. */
import pg from 'pg';
import { parseOffsetInstant } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';
import { unreadable } from './books-reading.ts';
import type { BooksDatabase, BooksWay, QueriedRow } from './books-reading.ts';

const CONNECT_MS = 10_000;
/** The longest wait for rows: a source without an index on changed_at sorts all of them first. */
const STATEMENT_MS = 900_000;
const BATCH_ROWS = 2_000;

/** Every value as the database writes it. */
const types = { getTypeParser: () => (text: string) => text };

export async function openPostgresBooks(way: BooksWay, zone: Zone): Promise<BooksDatabase> {
  const client = new pg.Client({
    host: way.host,
    port: way.port,
    user: way.user,
    password: way.password,
    database: way.database,
    ssl: way.tls,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    // Between two batches the books are written, which takes what it takes.
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
    application_name: 'recon pull',
    // A database or a role may be set to show six digits of a `real`: all that are held are shown.
    options: `-c default_transaction_read_only=on -c DateStyle=ISO -c TimeZone=${zone.name} -c extra_float_digits=3`,
    types,
  });
  client.on('error', () => undefined); // the statement under way is told of it
  await client.connect();
  const ask: Ask = (text) => {
    // By the extended protocol, which takes one statement and no second one behind it.
    const asked: pg.QueryArrayConfig & { queryMode: string } = {
      text,
      rowMode: 'array',
      queryMode: 'extended',
    };
    return client.query<(string | null)[]>(asked);
  };
  try {
    // Asked before the state is fixed, of which a standby may replay more at any moment.
    const readAt = await readAtOf(ask);
    await ask('start transaction isolation level repeatable read, read only');
    return {
      place: way.place,
      readAt,
      exact: (column) => `${column}::text`,
      ...reader(way.place, ask),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

type Ask = (text: string) => Promise<pg.QueryArrayResult<(string | null)[]>>;

/** What a standby has not replayed it does not have. */
async function readAtOf(ask: Ask): Promise<Instant> {
  const { rows } = await ask(`
    select to_char((case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() else statement_timestamp() end)
      at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
  const readAt = parseOffsetInstant(rows[0]?.[0] ?? '');
  if (readAt === undefined) throw new Error('it does not say what time it is');
  return readAt;
}

function reader(place: string, ask: Ask): Pick<BooksDatabase, 'columns' | 'rows'> {
  return {
    async columns(query) {
      try {
        return (await ask(`${query} limit 0`)).fields.map(({ name }) => name);
      } catch (error) {
        throw unreadable(place, error);
      }
    },
    async *rows(query): AsyncGenerator<QueriedRow[]> {
      try {
        await ask(`declare pulled no scroll cursor for ${query}`);
        for (;;) {
          const { rows } = await ask(`fetch ${BATCH_ROWS} from pulled`);
          if (rows.length === 0) break;
          yield rows;
        }
        await ask('close pulled');
      } catch (error) {
        throw unreadable(place, error);
      }
    },
  };
}
