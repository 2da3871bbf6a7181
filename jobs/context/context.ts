/**
 * The ports and settings a job runs with, opened once and closed once. Heavy parts (HTTP, database drivers) are
 * loaded only when a command asks for them.
 */
import { createHash } from 'node:crypto';
import type { DestinationStream } from 'pino';
import { rehearsalClock, systemClock } from '../../src/core/clock.ts';
import type { Environment, Settings } from '../../src/core/config/config.ts';
import type { LogLevel } from '../../src/core/log.ts';
import { hostEnvironment, readProfileFile, readSettings } from '../../src/core/config/config.ts';
import { diskFiles } from '../../src/core/files.ts';
import { randomIds } from '../../src/core/ids.ts';
import { openLog } from '../../src/core/log.ts';
import type { Clock, Files, Ids, Log } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { profileDigest, readProfile } from '../../src/core/profile/profile.ts';
import { Zone } from '../../src/core/time.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { Credentials } from '../../src/platform/credentials.ts';
import type { OpenDatabase } from '../../src/store/database/open-database.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { parseInstantOption } from './day-arguments.ts';
import { NO_PROGRESS, openProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { AFTER_STOP, stopOnSignals } from './stop-signals.ts';
import { tellLine } from './terminal.ts';

export interface CommonOptions {
  envFile?: string | undefined;
  logLevel?: LogLevel | undefined;
  clock?: string | undefined;
  json?: boolean | undefined;
  /** As the setting RECON_WORKERS. */
  workers?: boolean | undefined;
}

/** What a command knows before anything is opened. */
export interface Ready {
  settings: Settings;
  profile: Profile;
  zone: Zone;
  /** The job's clock; `--clock` rehearses another moment. */
  clock: Clock;
  /** The host's clock, for leases. */
  realClock: Clock;
  log: Log;
  /** Where the command needs the platform. */
  credentials: Credentials | undefined;
  /** One of those among whom the units of a night are shared. */
  isWorker: boolean;
}

export interface Context extends Ready {
  profileDigest: string;
  /** Of what decides what is asked and how it is reckoned; no secret can be found from it. */
  settingsDigest: string;
  ids: Ids;
  files: Files;
  db: Db;
  database: OpenDatabase;
  signal: AbortSignal;
  /** One line or bar a task; silent parts say nothing. */
  progress(task: string): Progress;
  /** What is waited for, in one line; silent parts say nothing. */
  tell(line: string): void;
  /** The platform's client; the same one at each call. */
  platform(): Promise<PlatformClient>;
  close(): Promise<void>;
}

export interface ContextNeeds {
  platform: boolean;
  /** Without this, a PostgreSQL schema that is not current stops the command. */
  mayMigrate?: boolean;
  /** It runs until it is stopped: that is no failure, and its log is all that it says. */
  isService?: boolean;
  /** It does units of nights that other processes run. */
  isWorker?: boolean;
}

/** What the caller brings instead of the host's own. */
export interface Host {
  environment?: Environment;
  /** A clock of the caller's, for rehearsals that move it. */
  clock?: Clock;
  /** Where the lines of the log go instead of stderr. */
  logTo?: DestinationStream;
}

/** What a job says while it works, and what stops it. */
export interface Surface extends Pick<Context, 'signal' | 'progress' | 'tell'> {
  /** The job has ended. */
  forget: () => void;
}

/**
 * @throws WrongInput with all faults of settings and profile; Stopped when the database cannot be used
 */
export async function openContext(
  options: CommonOptions,
  needs: ContextNeeds,
  environment?: Environment,
  clock?: Clock,
): Promise<Context> {
  const host = { ...(environment && { environment }), ...(clock && { clock }) };
  return openReady(await prepare(options, needs, host), needs);
}

/**
 * Reads settings, profile and key files; opens nothing.
 * @throws WrongInput with all faults of the settings, else of the profile, else of the keys
 */
export async function prepare(options: CommonOptions, needs: ContextNeeds, host: Host = {}): Promise<Ready> {
  const given = host.environment ?? hostEnvironment();
  const env = options.workers === true ? { ...given, RECON_WORKERS: 'yes' } : given;
  const settings = readSettings({ env, envFile: options.envFile, needs });
  const profile = readProfileOf(settings);
  const zone = new Zone(profile.service.timeZone);
  const realClock = systemClock();
  const clock = host.clock ?? clockOf(options, zone);
  const level =
    host.logTo === undefined ? levelOf(options, settings, needs) : (options.logLevel ?? settings.logLevel);
  const destination = host.logTo && { destination: host.logTo };
  const log = openLog({ level, secrets: settings.secrets, clock, ...destination });
  const platform = needs.platform ? settings.platform : undefined;
  const credentials = platform && (await (await import('./platform-keys.ts')).readCredentials(platform));
  const isWorker = needs.isWorker === true;
  return { settings, profile, zone, clock, realClock, log, credentials, isWorker };
}

/** @throws WrongInput with all faults of the profile */
export function readProfileOf(settings: Settings): Profile {
  const { text, source } = readProfileFile(settings);
  return readProfile(text, source);
}

/** What arguments are read with where the settings cannot be read. */
export function usualSurroundings(): Pick<Ready, 'zone' | 'clock' | 'profile'> {
  const profile = readProfile(undefined, 'the defaults');
  return { zone: new Zone(profile.service.timeZone), clock: systemClock(), profile };
}

/** The host's clock, or one that rehearses. @throws WrongInput when `--clock` is no instant */
export function clockOf(options: CommonOptions, zone: Zone): Clock {
  if (options.clock === undefined) return systemClock();
  return rehearsalClock(parseInstantOption('--clock', options.clock, zone));
}

/** On a terminal people read results; who wants the events as well says so. */
function levelOf(options: CommonOptions, settings: Settings, needs: ContextNeeds): LogLevel {
  const isUsual = settings.rows.some((row) => row.name === 'LOG_LEVEL' && row.from === 'default');
  const isQuiet = isUsual && process.stderr.isTTY && needs.isService !== true;
  return options.logLevel ?? (isQuiet ? 'warn' : settings.logLevel);
}

/**
 * @param afterStop what a signal leaves behind, and what goes on from there
 * @param own instead of the process's signals and stderr
 * @throws Stopped when the database cannot be used, WrongInput when its schema is not this program's
 */
export async function openReady(
  ready: Ready,
  needs: ContextNeeds,
  afterStop: string = AFTER_STOP,
  own?: Surface,
): Promise<Context> {
  const { settings, profile, log } = ready;
  const database = await openMigrated(settings, log, needs);
  const { forget, ...surface } = own ?? processSurface(ready, needs, afterStop);
  const platform = lazyPlatform(ready, database.db, surface.signal);
  return {
    ...ready,
    profileDigest: profileDigest(profile),
    settingsDigest: digestOf(settings),
    ids: randomIds(),
    files: diskFiles(),
    db: database.db,
    database,
    ...surface,
    platform: platform.open,
    close: async () => {
      forget();
      await platform.close();
      await database.close();
    },
  };
}

/** Of a command: it has the process for itself, with its signals and its stderr. */
function processSurface({ log, realClock }: Ready, needs: ContextNeeds, afterStop: string): Surface {
  if (needs.isService === true) {
    const stopping = stopOnSignals({ log, clock: realClock, status: 0 });
    return { ...stopping, progress: () => NO_PROGRESS, tell: () => undefined };
  }
  const person = { tell: tellLine, afterStop };
  const stopping = stopOnSignals({ log, clock: realClock, status: 1, person });
  return { ...stopping, progress: (task) => openProgress(task, { clock: realClock }), tell: tellLine };
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
  const { databaseAddress, openDatabase } = await import('../../src/store/database/database.ts');
  const { migrateToLatest, requireCurrentSchema } = await import('../../src/store/database/migrate.ts');
  const database = await openDatabase(databaseAddress(settings), log);
  try {
    if (database.kind === 'embedded') await migrateToLatest(database.db);
    else if (needs.mayMigrate !== true) await requireCurrentSchema(database.db);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A client that is opened when it is first asked for, and anew after it was closed or could not be opened. */
export interface LazyPlatform {
  open: () => Promise<PlatformClient>;
  close: () => Promise<void>;
}

export function lazyPlatform(ready: Ready, db: Db, signal: AbortSignal): LazyPlatform {
  const openNow = async (): Promise<{ client: PlatformClient; close(): Promise<void> }> => {
    const { openPlatform } = await import('./platform.ts');
    const { hasSignedAnswers } = await import('../../src/store/deposits/answers.ts');
    const takeTurn = ready.settings.workers
      ? (await import('./shared-rate.ts')).sharedRate(ready, db).take
      : undefined;
    return openPlatform({ ...ready, takeTurn }, { everSigned: await hasSignedAnswers(db), signal });
  };
  let opened: ReturnType<typeof openNow> | undefined;
  return {
    open: async (): Promise<PlatformClient> => {
      const opening = (opened ??= openNow());
      try {
        return (await opening).client;
      } catch (error) {
        if (opened === opening) opened = undefined;
        throw error;
      }
    },
    close: async (): Promise<void> => {
      const closing = opened;
      opened = undefined;
      if (closing !== undefined) await (await closing.catch(() => undefined))?.close();
    },
  };
}
