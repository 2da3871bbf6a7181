/**
 * The embedded database: PGlite in a folder, for trying and for small books. It runs without fsync, so a power
 * cut can lose data (`doctor` says so). It has one session and no lock of its own; both are given here.
 */
import { PGlite } from '@electric-sql/pglite';
import type { PGliteInterface, Results, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import type { DatabaseConnection, Driver } from 'kysely';
import type { OpenDatabase } from './open-database.ts';
import { CERTAIN, CopyText, SCRIPT, STAGE } from './driver-commands.ts';
import { Stopped } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { lockFolder } from './folder-lock.ts';
import { makePrivate } from './private-folder.ts';
import type { Tables } from '../schema/schema.ts';
import { OID, asBigint, asText, instantOfDatabase } from './types.ts';

const PARSERS = {
  [OID.int8]: asBigint,
  [OID.numeric]: asText,
  [OID.date]: asText,
  [OID.timestamp]: asText,
  [OID.timestamptz]: instantOfDatabase,
};

/**
 * @throws LockHeld when another process uses the folder, Stopped when the folder is another user's, or cannot be filled
 */
export async function openEmbedded(folder: string): Promise<OpenDatabase> {
  await makePrivate(folder);
  const lock = lockFolder(folder);
  try {
    const pglite = await PGlite.create({ dataDir: folder, parsers: PARSERS }).catch((error: unknown) => {
      throw error instanceof Error ? error : notStarted(folder, error);
    });
    const opened = await embeddedFrom(pglite, folder);
    const close = async (): Promise<void> => {
      await opened.close();
      lock.release();
    };
    return { ...opened, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What the system answered PGlite's file system; it throws no Error, and the number is WASI's. */
const NO_SPACE = 51;

function notStarted(folder: string, thrown: unknown): Stopped {
  const errno = isJsonObject(thrown) && typeof thrown['errno'] === 'number' ? thrown['errno'] : 'unknown';
  const why =
    errno === NO_SPACE ? 'no space is left on the disk' : `its files cannot be used (errno ${errno})`;
  return new Stopped(`the embedded database in ${folder} does not start: ${why}`);
}

/** An embedded database in memory, filled from a dump when one is given: for tests. */
export async function openInMemory(dump?: Blob): Promise<OpenDatabase & { dump(): Promise<Blob> }> {
  const pglite = await PGlite.create({ parsers: PARSERS, ...(dump && { loadDataDir: dump }) });
  return { ...(await embeddedFrom(pglite, 'memory')), dump: () => pglite.dumpDataDir('none') };
}

async function embeddedFrom(pglite: PGlite, place: string): Promise<OpenDatabase> {
  await pglite.exec(`set TimeZone = 'UTC'; set DateStyle = 'ISO'`);
  const db = new Kysely<Tables>({ dialect: new OneSessionDialect({ pglite: withCommands(pglite) }) });
  return { db, kind: 'embedded', place, close: () => db.destroy() };
}

type Session = Pick<PGliteInterface | PGliteTransaction, 'query' | 'exec'>;

/** The instance as Kysely sees it: queries that carry a command are carried out as such. */
function withCommands(
  pglite: PGlite,
): ConstructorParameters<typeof PGliteDialect>[0]['pglite'] extends infer P
  ? Exclude<P, (...args: never[]) => unknown>
  : never {
  const onSession =
    (session: Session) =>
    async <T>(text: string, values: unknown[] = [], options: object = {}): Promise<Results<T>> => {
      const command = values[0];
      if (command === SCRIPT || command === STAGE || command === CERTAIN) {
        await session.exec(command === STAGE ? `${text} on commit delete rows` : text);
        return { rows: [], fields: [], affectedRows: 0 };
      }
      if (command instanceof CopyText) {
        return session.query<T>(text.replace('from stdin', "from '/dev/blob'"), [], {
          blob: new Blob([command.text]),
        });
      }
      return session.query<T>(text, values, options);
    };
  return {
    get closed() {
      return pglite.closed;
    },
    get ready() {
      return pglite.ready;
    },
    get waitReady() {
      return pglite.waitReady;
    },
    close: () => pglite.close(),
    query: onSession(pglite),
    transaction: <T>(run: (session: PGliteTransaction) => Promise<T>): Promise<T> =>
      pglite.transaction((session) =>
        run({ ...session, query: onSession(session), rollback: () => session.rollback() }),
      ),
  };
}

/** Kysely hands the one session to everyone at once; a query would then land in a stranger's transaction. */
class OneSessionDialect extends PGliteDialect {
  override createDriver(): Driver {
    return new OneSessionDriver(super.createDriver());
  }
}

class OneSessionDriver implements Driver {
  readonly #inner: Driver;
  #tail: Promise<void> = Promise.resolve();
  readonly #releases = new WeakMap<DatabaseConnection, () => void>();

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  init: Driver['init'] = (options) => this.#inner.init(options);
  destroy: Driver['destroy'] = (options) => this.#inner.destroy(options);
  beginTransaction: Driver['beginTransaction'] = (...args) => this.#inner.beginTransaction(...args);
  commitTransaction: Driver['commitTransaction'] = (...args) => this.#inner.commitTransaction(...args);
  rollbackTransaction: Driver['rollbackTransaction'] = (...args) => this.#inner.rollbackTransaction(...args);

  acquireConnection: Driver['acquireConnection'] = async (options) => {
    const before = this.#tail;
    let release = (): void => undefined;
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    const connection = await this.#inner.acquireConnection(options);
    this.#releases.set(connection, release);
    return connection;
  };

  releaseConnection: Driver['releaseConnection'] = async (connection, options) => {
    const release = this.#releases.get(connection);
    await this.#inner.releaseConnection(connection, options);
    release?.();
  };
}
