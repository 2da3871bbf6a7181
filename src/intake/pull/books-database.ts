/** The company's own database: it is read and nothing else, in one state of it, row by row. */
import { readFile } from 'node:fs/promises';
import type { BooksSettings } from '../../core/config/config-books.ts';
import { tlsOptions } from '../../core/config/database-tls.ts';
import type { DatabaseConnection } from '../../core/config/database-tls.ts';
import type { Zone } from '../../core/time.ts';
import { reading } from './books-reading.ts';
import type { BooksDatabase, BooksWay } from './books-reading.ts';

/** The driver is loaded only here. @throws Stopped where the database cannot be read */
export async function openBooks(settings: BooksSettings, zone: Zone): Promise<BooksDatabase> {
  const way = await wayTo(settings.connection);
  return reading(way.place, async () => {
    if (settings.kind === 'postgres')
      return (await import('./books-postgres.ts')).openPostgresBooks(way, zone);
    return (await import('./books-mysql.ts')).openMysqlBooks(way, zone);
  });
}

async function wayTo(connection: DatabaseConnection): Promise<BooksWay> {
  const url = new URL(connection.url);
  const database = decodeURIComponent(url.pathname.slice(1));
  const place = `${url.host}/${database}`;
  const contents = await reading(place, () => tlsContents(connection.files));
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password) || (url.searchParams.get('password') ?? '');
  const { host } = connection;
  const port = url.port === '' ? undefined : Number(url.port);
  return { host, port, user, password, database, tls: tlsOptions(connection, contents), place };
}

async function tlsContents(files: DatabaseConnection['files']): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const [name, file] of Object.entries(files)) contents[name] = await readFile(file, 'utf8');
  return contents;
}
