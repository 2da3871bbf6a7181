/**
 * The ports and settings a job runs with, opened once and closed once. Heavy parts (HTTP, database drivers) are
 * loaded only when a command asks for them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { rehearsalClock, systemClock } from '../src/core/clock.ts';
import type { LogLevel, Settings } from '../src/core/config.ts';
import { hostEnvironment, readSettings } from '../src/core/config.ts';
import { WrongInput, messageOf } from '../src/core/errors.ts';
import { diskFiles } from '../src/core/files.ts';
import { randomIds } from '../src/core/ids.ts';
import { openLog } from '../src/core/log.ts';
import type { Clock, Files, Ids, Log } from '../src/core/ports.ts';
import type { Profile } from '../src/core/profile.ts';
import { profileDigest, readProfile } from '../src/core/profile.ts';
import { Zone, parseDay, parseOffsetInstant } from '../src/core/time.ts';
import type { PlatformClient } from '../src/platform/client.ts';
import type { OpenDatabase } from '../src/store/database.ts';
import type { Db } from '../src/store/schema.ts';
import { openProgress } from './progress.ts';
import type { Progress } from './progress.ts';

export interface CommonOptions {
  envFile?: string | undefined;
  logLevel?: LogLevel | undefined;
  clock?: string | undefined;
  json?: boolean | undefined;
}

export interface Context {
  settings: Settings;
  profile: Profile;
  profileDigest: string;
  /** Of what decides what is asked and how it is reckoned; no secret can be found from it. */
  settingsDigest: string;
  zone: Zone;
  /** The job's clock; `--clock` rehearses another moment. */
  clock: Clock;
  /** The host's clock, for leases. */
  realClock: Clock;
  ids: Ids;
  log: Log;
  files: Files;
  db: Db;
  database: OpenDatabase;
  signal: AbortSignal;
  /** One line or bar a task; silent parts say nothing. */
  progress(task: string): Progress;
  /** The platform's client; the same one at each call. */
  platform(): Promise<PlatformClient>;
  close(): Promise<void>;
}

export interface ContextNeeds {
  platform: boolean;
  /** Without this, a PostgreSQL schema that is not current stops the command. */
  mayMigrate?: boolean;
}

/**
 * @throws WrongInput with all faults of settings and profile; Stopped when the database cannot be used
 */
export async function openContext(
  options: CommonOptions,
  needs: ContextNeeds,
  environment = hostEnvironment(),
  /** A clock of the caller's, for rehearsals that move it. */
  ownClock?: Clock,
): Promise<Context> {
  const settings = readSettings({ env: environment, envFile: options.envFile, needs });
  const profile = await readProfileFile(settings.profileFile);
  const zone = new Zone(profile.service.timeZone);
  const realClock = systemClock();
  const clock =
    ownClock ?? (options.clock === undefined ? realClock : rehearsalClock(parseClock(options.clock, zone)));
  const level = options.logLevel ?? settings.logLevel;
  const log = openLog({ level, secrets: settings.secrets, clock });
  const database = await openMigrated(settings, log, needs);
  const stopping = stopOnSignals(log);
  const part = { settings, profile, zone, clock, realClock, log };
  const platform = lazyPlatform(part, database.db, stopping.signal);
  return {
    ...part,
    profileDigest: profileDigest(profile),
    settingsDigest: digestOf(settings),
    ids: randomIds(),
    files: diskFiles(),
    db: database.db,
    database,
    signal: stopping.signal,
    progress: (task) => openProgress(task, { clock: realClock }),
    platform: platform.open,
    close: async () => {
      stopping.forget();
      await platform.close();
      await database.close();
    },
  };
}

async function readProfileFile(file: string | undefined): Promise<Profile> {
  if (file === undefined) return readProfile(undefined, 'defaults');
  try {
    return readProfile(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof WrongInput) throw error;
    throw new WrongInput(`PLATFORM_PROFILE cannot be read: ${messageOf(error)}`);
  }
}

function parseClock(text: string, zone: Zone): string {
  const day = parseDay(text);
  const instant = parseOffsetInstant(text) ?? zone.parseLocal(text) ?? (day && zone.dayStart(day));
  if (instant !== undefined) return instant;
  throw new WrongInput(
    `--clock ${JSON.stringify(text)} is not an instant; write 2026-03-02T02:00:00+08:00 or "2026-03-02 02:00:00"`,
  );
}

function digestOf(settings: Settings): string {
  const { platform, channelCode } = settings;
  const credential = platform?.credential;
  const who =
    credential === undefined ? '' : credential.mode === 'apiKey' ? credential.apiKey : credential.appId;
  return createHash('sha256')
    .update(JSON.stringify([platform?.url, credential?.mode, who, channelCode]))
    .digest('hex');
}

async function openMigrated(settings: Settings, log: Log, needs: ContextNeeds): Promise<OpenDatabase> {
  const { openDatabase } = await import('../src/store/database.ts');
  const { migrateToLatest, requireCurrentSchema } = await import('../src/store/migrate.ts');
  const address =
    settings.databaseUrl === undefined
      ? { folder: path.join(settings.home, 'db') }
      : { url: settings.databaseUrl };
  const database = await openDatabase(address, log);
  try {
    if (database.kind === 'embedded') await migrateToLatest(database.db);
    else if (needs.mayMigrate !== true) await requireCurrentSchema(database.db);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The first signal asks the work to stop after what is in flight; the second ends the process (H2). */
function stopOnSignals(log: Log): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1);
    log.warn({ event: 'process.stopping', signal: name });
    controller.abort(new Error(`stopped by ${name}`));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return { signal: controller.signal, forget: () => process.off('SIGINT', stop).off('SIGTERM', stop) };
}

interface PlatformParts {
  settings: Settings;
  profile: Profile;
  zone: Zone;
  clock: Clock;
  realClock: Clock;
  log: Log;
}

function lazyPlatform(parts: PlatformParts, db: Db, signal: AbortSignal) {
  let opened: Promise<{ client: PlatformClient; close(): Promise<void> }> | undefined;
  return {
    open: async (): Promise<PlatformClient> => {
      opened ??= import('./platform.ts').then(({ openPlatform }) => openPlatform(parts, db, signal));
      return (await opened).client;
    },
    close: async (): Promise<void> => {
      if (opened !== undefined) await (await opened.catch(() => undefined))?.close();
    },
  };
}
