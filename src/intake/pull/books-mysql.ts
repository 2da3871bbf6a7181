/** A MySQL or MariaDB of the company's: a read-only session in one state of it, its rows taken as the server sends them. */
import net from 'node:net';
import mysql from 'mysql2';
import { WrongInput } from '../../core/errors.ts';
import { parseOffsetInstant } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';
import { unreadable } from './books-reading.ts';
import type { BooksDatabase, BooksWay, QueriedRow } from './books-reading.ts';

const CONNECT_MS = 10_000;
/** How long the server waits for us to take more rows: between two batches the books are written. */
const WRITE_SECONDS = 3_600;
const BATCH_ROWS = 2_000;
/** As the server writes that a result has no limit; one that it sets for everybody cuts results without a word. */
const UNLIMITED_ROWS = '18446744073709551615';
/** A server that is gone without a word is asked for a sign of life after this long. */
const SILENCE_MS = 60_000;

export async function openMysqlBooks(way: BooksWay, zone: Zone): Promise<BooksDatabase> {
  const port = way.port ?? 3306;
  const connection = mysql.createConnection({
    host: certifiedName(way.host),
    stream: () =>
      net.connect({
        host: way.host,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: SILENCE_MS,
      }),
    user: way.user,
    password: way.password,
    database: way.database,
    connectTimeout: CONNECT_MS,
    rowsAsArray: true,
    // Every value as the database writes it: no number passes through a double.
    typeCast: (field) => field.string(),
    ...(way.tls !== false && { ssl: { ...way.tls, verifyIdentity: true } }),
  });
  connection.on('error', () => undefined); // the statement under way is told of it
  const ask = (text: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      connection.query({ sql: text, rowsAsArray: true }, (error, rows, fields) => {
        if (error) reject(error);
        else resolve({ rows: rows as unknown as QueriedRow[], fields });
      });
    });
  try {
    const readAt = await beginReading(ask, zone);
    return {
      place: way.place,
      readAt,
      exact: (column) => `cast(${column} as binary)`,
      ...reader(way.place, { connection, ask }),
      close: () => end(connection),
    };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/**
 * What the server's certificate has to be of. For an address the driver would ask for `localhost`; an address with the dot
 * of an absolute name it hands on, and a certificate is compared without that dot.
 */
function certifiedName(host: string): string {
  return net.isIP(host) === 0 ? host : `${host}.`;
}

interface Answer {
  rows: QueriedRow[];
  fields: readonly Field[];
}
type Field = Pick<mysql.FieldPacket, 'name' | 'type'>;
type Ask = (text: string) => Promise<Answer>;

async function beginReading(ask: Ask, zone: Zone): Promise<Instant> {
  await ask(`set session net_write_timeout = ${WRITE_SECONDS}, wait_timeout = ${WRITE_SECONDS}`);
  await ask(`set session sql_select_limit = ${UNLIMITED_ROWS}`);
  await ask('set session transaction isolation level repeatable read');
  const { rows } = await ask("select date_format(utc_timestamp(3), '%Y-%m-%dT%H:%i:%s.%fZ')");
  const readAt = parseOffsetInstant((rows[0]?.[0] ?? '').replace(/(\.\d{3})\d*Z$/, '$1Z'));
  if (readAt === undefined) throw new Error('it does not say what time it is');
  // A TIMESTAMP is stored as UTC and shown in the zone of the session; servers need not know zones by name.
  await ask(`set session time_zone = '${offsetOf(zone, readAt)}'`);
  await ask('start transaction with consistent snapshot, read only');
  return readAt;
}

/** `+08:00` */
function offsetOf(zone: Zone, at: Instant): string {
  const minutes = Math.round(
    (Date.parse(`${zone.localText(at).replace(' ', 'T')}Z`) - Date.parse(at)) / 60_000,
  );
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

function reader(
  place: string,
  { connection, ask }: { connection: mysql.Connection; ask: Ask },
): Pick<BooksDatabase, 'columns' | 'rows'> {
  return {
    async columns(query) {
      try {
        return (await ask(`${query} limit 0`)).fields.map(exactName);
      } catch (error) {
        throw unreadable(place, error);
      }
    },
    async *rows(query): AsyncGenerator<QueriedRow[]> {
      const stream = connection
        .query({ sql: query, rowsAsArray: true })
        .stream({ highWaterMark: BATCH_ROWS });
      // Of a connection that is lost the driver tells the connection alone, and its stream would wait for ever.
      const lost = (error: Error): void => void stream.destroy(error);
      connection.once('error', lost);
      let batch: QueriedRow[] = [];
      try {
        for await (const row of stream as AsyncIterable<QueriedRow>) {
          batch.push(row);
          if (batch.length < BATCH_ROWS) continue;
          yield batch;
          batch = [];
        }
      } catch (error) {
        throw unreadable(place, error);
      } finally {
        connection.removeListener('error', lost);
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** @throws WrongInput for a column of which the server writes six digits, whatever it holds */
function exactName({ name, type }: Field): string {
  if (type !== mysql.Types.FLOAT) return name;
  throw new WrongInput(
    `column "${name}" is a FLOAT, which the server rounds to six digits: cast it in the query, as in cast(amount as decimal(18, 2))`,
  );
}

/** Rows that nobody will take are not waited for. */
function end(connection: mysql.Connection): Promise<void> {
  connection.destroy();
  return Promise.resolve();
}
