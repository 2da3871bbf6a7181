/** Whether the database can be used, and what it says about the nights so far. */
import { sql } from 'kysely';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../../src/core/config/config.ts';
import { databaseConnection } from '../../src/core/config/database-tls.ts';
import { LockHeld, WrongInput, codeOf, messageOf } from '../../src/core/errors.ts';
import type { Clock, Log } from '../../src/core/ports.ts';
import { addDays } from '../../src/core/time.ts';
import type { Zone } from '../../src/core/time.ts';
import { hasSignedAnswers } from '../../src/store/deposits/answers.ts';
import { databaseAddress, openDatabase } from '../../src/store/database/database.ts';
import type { OpenDatabase } from '../../src/store/database/open-database.ts';
import { openToOthers } from '../../src/store/database/private-folder.ts';
import { requireCurrentSchema, requireNoNewerSchema } from '../../src/store/database/migrate.ts';
import { findNightOf } from '../../src/store/alerts/night-facts.ts';
import { lastNight } from '../../src/store/runs/nights.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { Check } from './doctor-check.ts';
import { checkLedger } from './doctor-ledger.ts';

/** What the platform's check needs to know. */
export interface KnownOfPlatform {
  everSigned: boolean;
  /** An account to ask for, when there is one. */
  accountNo: string | undefined;
}

interface Parts {
  log: Log;
  zone: Zone;
  clock: Clock;
}

const NOTHING_KNOWN: KnownOfPlatform = { everSigned: false, accountNo: undefined };
const WRITABLE_BY_OTHERS = 0o022;
const NO_FSYNC = 'embedded: it runs without fsync, so a power cut can lose data; DATABASE_URL names a server';

export async function checkDatabase(
  settings: Settings,
  parts: Parts,
): Promise<{ checks: Check[]; known: KnownOfPlatform }> {
  const folder = path.join(settings.home, 'db');
  const isEmbedded = settings.databaseUrl === undefined;
  const warning: Check[] = isEmbedded
    ? [{ name: 'database', state: 'warn', detail: NO_FSYNC }]
    : [checkTransport(settings)];
  if (isEmbedded && !(await isThere(folder))) {
    const detail = `${folder} is made by the first command`;
    return { checks: [...warning, { name: 'database', state: 'ok', detail }], known: NOTHING_KNOWN };
  }
  if (isEmbedded) warning.push(...(await checkPrivacy(settings.home, folder)));
  try {
    const database = await openDatabase(databaseAddress(settings), parts.log);
    const comesByItself = (settings.inbox ?? settings.books?.query) !== undefined;
    try {
      const found = await checkOpened(database, { ...parts, comesByItself });
      return { ...found, checks: [...warning, ...found.checks] };
    } finally {
      await database.close();
    }
  } catch (error) {
    // Another recon at work is no fault: the lock does what it is for.
    const state = error instanceof LockHeld ? 'warn' : 'fail';
    const checks = [...warning, { name: 'database', state, detail: messageOf(error) } as const];
    return { checks, known: NOTHING_KNOWN };
  }
}

/** Said aloud each time: who set it may be long gone. */
function checkTransport({ databaseUrl = '', databaseTls }: Settings): Check {
  const name = 'database TLS';
  const connection = databaseConnection(databaseUrl, databaseTls);
  if ('fault' in connection) return { name, state: 'fail', detail: `DATABASE_URL ${connection.fault}` };
  const { host, isThisMachine, tls, files } = connection;
  if (tls === 'verify') {
    const whom = files.ca === undefined ? 'the usual authorities' : files.ca;
    return { name, state: 'ok', detail: `${host} has to prove itself by a certificate of ${whom}` };
  }
  if (isThisMachine) return { name, state: 'ok', detail: 'none: the server is this machine' };
  const detail = `clear text to ${host} (DATABASE_TLS or sslmode says so): who is on the way can read and change the books`;
  return { name, state: 'warn', detail };
}

/** As it is found; opening the database closes its folder. */
async function checkPrivacy(home: string, folder: string): Promise<Check[]> {
  const name = 'privacy';
  const found: Check[] = [];
  const mode = await openToOthers(folder);
  if (mode !== undefined) {
    const detail = `${folder} stood open to other users (${mode}), who could change the books; it is closed now`;
    found.push({ name, state: 'warn', detail });
  }
  const { mode: homeMode } = await stat(home);
  if ((homeMode & WRITABLE_BY_OTHERS) !== 0) {
    const detail = `other users can write in ${home}: chmod go-w ${home}`;
    found.push({ name, state: 'warn', detail });
  }
  return found.length > 0
    ? found
    : [{ name, state: 'ok', detail: 'the embedded database is its owner’s alone' }];
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function checkOpened(
  database: OpenDatabase,
  parts: Parts & { comesByItself: boolean },
): Promise<{ checks: Check[]; known: KnownOfPlatform }> {
  const { db, place } = database;
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version`.execute(db);
  const reached: Check = {
    name: 'database',
    state: 'ok',
    detail: `${place} answers, PostgreSQL ${rows[0]?.version ?? ''}`,
  };
  const schemaFault = await schemaCheck(db, database.kind);
  if (schemaFault !== undefined) return { checks: [reached, schemaFault], known: NOTHING_KNOWN };
  const account = await db
    .selectFrom('account')
    .select('account_no')
    .orderBy('account_no')
    .executeTakeFirst();
  const known = { everSigned: await hasSignedAnswers(db), accountNo: account?.account_no };
  const schema: Check = { name: 'schema', state: 'ok', detail: 'current' };
  const accounts: Check =
    account === undefined
      ? { name: 'accounts', state: 'warn', detail: 'none yet: recon accounts import FILE comes first' }
      : { name: 'accounts', state: 'ok', detail: 'there are some' };
  const checks = [reached, schema, accounts, await checkLedger(db, parts), await nightCheck(db, parts)];
  return { checks, known };
}

/** What is wrong with it; undefined when it is current. */
async function schemaCheck(db: Db, kind: OpenDatabase['kind']): Promise<Check | undefined> {
  const name = 'schema';
  const newer = await wrongIn(() => requireNoNewerSchema(db));
  if (newer !== undefined) return { name, state: 'fail', detail: newer };
  const older = await wrongIn(() => requireCurrentSchema(db));
  // The embedded one is migrated by whichever command comes first.
  return older === undefined
    ? undefined
    : { name, state: kind === 'embedded' ? 'warn' : 'fail', detail: older };
}

async function wrongIn(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof WrongInput) return error.message;
    throw error;
  }
}

async function nightCheck(db: Db, { zone, clock }: Parts): Promise<Check> {
  const name = 'last night';
  const day = await lastNight(db);
  if (day === undefined) return { name, state: 'warn', detail: 'no night has finished yet' };
  const yesterday = addDays(zone.dayOf(clock.wall()), -1);
  // Before the night's hour the day before yesterday is the last one there can be.
  const isLate = day < addDays(yesterday, -1);
  const missing = isLate ? `; nothing has finished for the days up to ${yesterday}` : '';
  const { verdict } = (await findNightOf(db, day)) ?? {};
  const isFine = !isLate && verdict !== 'incomplete' && verdict !== 'unverified';
  return { name, state: isFine ? 'ok' : 'warn', detail: `${day}: ${verdict ?? 'no verdict'}${missing}` };
}
