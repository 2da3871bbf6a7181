/** A database of a company: a real PostgreSQL or MariaDB, with its tables in a database of its own. */
import { randomUUID } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { serverUrl } from './database.ts';
import { dropDatabase, onServer } from './server.ts';

/** Where MySQL and MariaDB listen; where nobody does, tests of it say so and are left out. */
const MYSQL = { host: '127.0.0.1', port: 3306, user: 'root' };

export interface CompanyDatabase {
  /** As LEDGER_DATABASE_URL has it, of somebody who could write. */
  url: string;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

export const COMPANY_DATABASES = [
  { kind: 'PostgreSQL', isThere: serverUrl !== undefined, open: () => openPostgres() },
  { kind: 'MariaDB', isThere: await isMysqlThere(), open: openMysql },
] as const;

export async function isMysqlThere(): Promise<boolean> {
  try {
    await (await mysql.createConnection(MYSQL)).end();
    return true;
  } catch {
    return false;
  }
}

const newName = (): string => `company_${randomUUID().slice(0, 8)}`;

/** @param as how it is created */
export async function openPostgres(as = ''): Promise<CompanyDatabase> {
  const server = serverUrl ?? '';
  const name = newName();
  await onServer(server, (client) => client.query(`create database ${name} ${as}`));
  const address = new URL(server);
  address.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  return {
    url: address.href,
    run: async (sql) => void (await client.query(sql)),
    close: async () => {
      await client.end();
      await dropDatabase(server, name);
    },
  };
}

export async function openMysql(): Promise<CompanyDatabase> {
  const name = newName();
  const connection = await mysql.createConnection({ ...MYSQL, multipleStatements: true });
  await connection.query(
    `create database ${name} character set utf8mb4; use ${name}; set time_zone = '+08:00'`,
  );
  return {
    url: `mysql://root@127.0.0.1:3306/${name}`,
    run: async (sql) => void (await connection.query(sql)),
    close: async () => {
      await connection.query(`drop database ${name}`);
      await connection.end();
    },
  };
}
