/**
 * Opens the database: PostgreSQL when an address is set, else the embedded one in a folder.
 * Both speak the same SQL and give the same types; the drivers are loaded only when they are used.
 */
import { sql } from 'kysely';
import path from 'node:path';
import type { Settings } from '../../core/config/config.ts';
import type { DatabaseTls } from '../../core/config/database-tls.ts';
import type { Log } from '../../core/ports.ts';
import type { OpenDatabase } from './open-database.ts';

export type DatabaseAddress =
  /** `tls`: the setting DATABASE_TLS; without it the address decides. */
  { url: string; tls?: DatabaseTls | undefined } | { folder: string };

/** The server that is set, else the folder below `home`. */
export function databaseAddress(
  settings: Pick<Settings, 'databaseUrl' | 'databaseTls' | 'home'>,
): DatabaseAddress {
  const { databaseUrl: url, databaseTls: tls, home } = settings;
  return url === undefined ? { folder: path.join(home, 'db') } : { url, tls };
}

/**
 * @throws Stopped when it cannot be reached or is read-only; the message says which database and why
 */
export async function openDatabase(address: DatabaseAddress, log: Log): Promise<OpenDatabase> {
  if ('url' in address) {
    const { openPostgres } = await import('./database-postgres.ts');
    return openPostgres(address, log);
  }
  const { openEmbedded } = await import('./database-embedded.ts');
  return openEmbedded(address.folder);
}

/** `PostgreSQL 17.2`, and whether it is the embedded one. */
export async function versionOf({ db, kind }: Pick<OpenDatabase, 'db' | 'kind'>): Promise<string> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(db);
  return `PostgreSQL ${rows[0]?.version ?? '?'}${kind === 'embedded' ? ' (embedded)' : ''}`;
}
