/**
 * PostgreSQL 15 or later through `pg`. Every wait has an end and every connection an error handler: one killed
 * connection must not take the process with it, and a half-open one must not hold it for ever (H5, H9, H11).
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { CopyStreamQuery } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { databaseConnection, tlsOptions } from '../../core/config/database-tls.ts';
import type { DatabaseTls } from '../../core/config/database-tls.ts';
import { Stopped, WrongInput, messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import type { OpenDatabase } from './open-database.ts';
import { CERTAIN, CopyText, SCRIPT, STAGE } from './driver-commands.ts';
import type { Tables } from '../schema/schema.ts';
import { OID, asBigint, asText, instantOfDatabase } from './types.ts';

export interface PostgresLimits {
  connectMs: number;
  /** The client's own patience: the only one that ends a half-open connection. */
  queryMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

/** The longest set-based statement of a night of a million records takes seconds; five minutes is a fault. */
export const POSTGRES_LIMITS: PostgresLimits = {
  connectMs: 5_000,
  queryMs: 300_000,
  lockMs: 5_000,
  idleInTransactionMs: 30_000,
};

/** Two writers, the run's own reads, the lease's heartbeat, and one to spare. */
const CONNECTIONS_MAX = 5;
const VERSION_MIN = 150_000;

export interface PostgresAddress {
  url: string;
  /** The setting DATABASE_TLS; without it the address decides. */
  tls?: DatabaseTls | undefined;
}

/**
 * @throws Stopped when the server cannot be reached, does not prove who it is, is read-only or too old
 */
export async function openPostgres(
  address: PostgresAddress,
  log: Log,
  limits = POSTGRES_LIMITS,
): Promise<OpenDatabase> {
  const reached = await wayTo(address);
  const pool = new pg.Pool({ ...poolConfig(limits), ...reached, Client: CommandClient });
  pool.on('error', (error) => log.warn({ event: 'database.connection_lost', reason: error.message }));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ event: 'database.connection_lost', reason: error.message }));
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const place = placeOf(address.url);
  try {
    await requireUsableServer(db);
  } catch (error) {
    await db.destroy();
    if (error instanceof Stopped) throw error;
    throw new Stopped(`cannot use the database ${place}: ${messageOf(error)}`, {}, { cause: error });
  }
  return { db, kind: 'postgres', place, close: () => db.destroy() };
}

/**
 * Address and TLS as the driver takes them.
 * @throws WrongInput when the address contradicts itself, Stopped when a certificate cannot be read
 */
export async function wayTo({
  url,
  tls,
}: PostgresAddress): Promise<Pick<pg.ClientConfig, 'connectionString' | 'ssl'>> {
  const connection = databaseConnection(url, tls);
  if ('fault' in connection) throw new WrongInput(`DATABASE_URL ${connection.fault}`);
  const contents: Record<string, string> = {};
  for (const [name, file] of Object.entries(connection.files)) {
    try {
      contents[name] = await readFile(file, 'utf8');
    } catch (error) {
      throw new Stopped(`cannot use the database ${placeOf(url)}: ${messageOf(error)}`, {}, { cause: error });
    }
  }
  return { connectionString: connection.url, ssl: tlsOptions(connection, contents) };
}

/**
 * Statements are not compiled: compiling takes most of a second, which the planner's figures for a stage without
 * statistics, or for a join that has no other way than the one it was told to shun, make it think is worth it.
 */
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off';

function poolConfig(limits: PostgresLimits): pg.PoolConfig {
  return {
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    statement_timeout: Math.max(limits.queryMs - 5_000, 1_000),
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    keepAlive: true,
    application_name: 'recon',
    options: SESSION,
    types: { getTypeParser },
  };
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.int8, asBigint],
  [OID.numeric, asText],
  [OID.date, asText],
  [OID.timestamp, asText],
  [OID.timestamptz, instantOfDatabase],
]);

const driverParser = pg.types.getTypeParser as unknown as (oid: number) => (text: string) => unknown;

/** Ours for the types above, the driver's own for all others; every value comes as text. */
function getTypeParser(oid: number): (text: string) => unknown {
  return PARSERS.get(oid) ?? driverParser(oid);
}

/** No warning: SQLSTATE class 00, as INFO and NOTICE have it. */
const PLAIN_NOTICE = /^00/;

/** A client that also loads rows in bulk and runs scripts, when a query carries such a command. */
class CommandClient extends pg.Client {
  /** The commit of the transaction that runs has to be certain. */
  #isCertain = false;

  // The base class has a dozen overloads; this one narrows what is handled here and passes on the rest.
  override query = ((...args: unknown[]) => {
    const [text, values] = args;
    const command = Array.isArray(values) ? (values[0] as unknown) : undefined;
    if (command instanceof CopyText) return this.#copy(String(text), command);
    if (command === SCRIPT) return this.#pass([text]);
    if (command === STAGE) return this.#pass([`${String(text)} on commit drop`]);
    if (command === CERTAIN) {
      this.#isCertain = true;
      return this.#pass([text]);
    }
    if (this.#isCertain && (text === 'commit' || text === 'rollback')) {
      this.#isCertain = false;
      if (text === 'commit') return this.#commitCertainly(args);
    }
    return this.#pass(args);
  }) as pg.Client['query'];

  #pass(args: unknown[]): unknown {
    const query = Reflect.get(pg.Client.prototype, 'query', this) as (...args: unknown[]) => unknown;
    return query.apply(this, args);
  }

  /**
   * A server whose wait for a standby was cancelled, by a person or a timeout, confirms the commit all the same, with a
   * warning in its own language.
   * @throws Stopped when there was a warning
   */
  async #commitCertainly(args: unknown[]): Promise<unknown> {
    const warnings: string[] = [];
    const hear = ({
      code = '',
      message = '',
    }: {
      code?: string | undefined;
      message?: string | undefined;
    }): void => {
      if (!PLAIN_NOTICE.test(code)) warnings.push(message);
    };
    this.on('notice', hear);
    try {
      const result = await this.#pass(args);
      if (warnings.length === 0) return result;
    } finally {
      this.off('notice', hear);
    }
    throw new Stopped(
      `the database confirmed a commit with a warning only, and may yet lose it: ${warnings.join('; ')}. ` +
        'Nothing is sent on the word of that',
    );
  }

  async #copy(
    text: string,
    command: CopyText,
  ): Promise<{ command: string; rowCount: number; rows: never[] }> {
    const { from: copyFrom } = await import('pg-copy-streams');
    const stream = this.#pass([copyFrom(text)]) as CopyStreamQuery;
    await pipeline(Readable.from([Buffer.from(command.text, 'utf8')]), stream);
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] };
  }
}

async function requireUsableServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; standby: boolean; read_only: boolean; role: string }>`
    select current_setting('server_version_num')::integer as version, pg_is_in_recovery() as standby,
      current_setting('transaction_read_only')::boolean as read_only, current_user as role`.execute(db);
  const server = rows[0];
  if (server === undefined) throw new Error('Bug: the server answered without a row');
  if (server.version < VERSION_MIN) throw new Stopped('the database server is older than PostgreSQL 15');
  if (server.standby) throw new Stopped('the database server is a standby; name the primary');
  if (server.read_only)
    throw new Stopped(
      `the role ${server.role} may only read this database (default_transaction_read_only); name one that may write`,
    );
}

/** Host, port and database of an address, without user and password. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
