/**
 * The queue of units on pg-boss, in a schema of its own beside ours. It is loaded only where units are handed out.
 * Whoever works looks after the others: one that was killed is known after a lost heartbeat.
 */
import type { Transaction } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { JobWithMetadata } from 'pg-boss';
import { Stopped, messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { wayTo } from '../database/database-postgres.ts';
import type { PostgresAddress } from '../database/database-postgres.ts';
import type { Tables } from '../schema/schema.ts';
import { TRIES_MAX, UNIT_KINDS } from './unit-queue.ts';
import type { GivenUp, Handed, UnitKindName, UnitQueue } from './unit-queue.ts';

/** One to take and to keep, one to look after the others. */
const CONNECTIONS_MAX = 2;

/** The least that pg-boss takes; a worker tells three times within it (`KEEP_MS`). */
const HEARTBEAT_SECONDS = 10;
const LOOK_AFTER_SECONDS = 5;

/** However slow a unit is, it is its worker's as long as that one lives; pg-boss wants a bound of less than a day. */
const UNIT_SECONDS_MAX = 86_000;
const DAY_SECONDS = 86_400;

/** Pauses before another try: a fault that passes has time to, and one that does not holds up no night. */
const RETRY_SECONDS = { first: 1, max: 5 };

/** Where what was given up waits for a person. */
const GIVEN_UP = 'given-up';
const GIVEN_UP_MAX = 100_000;

interface JobData {
  unitId: string;
}

/** Makes or updates the queue's own tables. @throws Stopped when they cannot be made */
export async function installUnitQueue(address: PostgresAddress, log: Log): Promise<void> {
  const boss = await startBoss(address, log, { migrate: true });
  try {
    await boss.createQueue(GIVEN_UP, { retryLimit: 0 });
    for (const kind of UNIT_KINDS) {
      await boss.createQueue(kind, {
        deadLetter: GIVEN_UP,
        retryLimit: TRIES_MAX - 1,
        retryDelay: RETRY_SECONDS.first,
        retryBackoff: true,
        retryDelayMax: RETRY_SECONDS.max,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: UNIT_SECONDS_MAX,
        deleteAfterSeconds: DAY_SECONDS,
      });
    }
  } finally {
    await boss.stop();
  }
}

/** @throws Stopped when the database cannot be reached, or its queue was not made by this version */
export async function openUnitQueue(address: PostgresAddress, log: Log): Promise<UnitQueue> {
  return new BossQueue(await startBoss(address, log, { migrate: false }));
}

async function startBoss(
  address: PostgresAddress,
  log: Log,
  { migrate }: { migrate: boolean },
): Promise<PgBoss> {
  const { connectionString, ssl } = await wayTo(address);
  const boss = new PgBoss({
    connectionString: connectionString ?? address.url,
    ssl,
    max: CONNECTIONS_MAX,
    application_name: 'recon',
    migrate,
    createSchema: migrate,
    schedule: false,
    registerInstance: false,
    supervise: !migrate,
    superviseIntervalSeconds: LOOK_AFTER_SECONDS,
    monitorIntervalSeconds: LOOK_AFTER_SECONDS,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (error) => log.warn({ event: 'queue.failed', reason: messageOf(error) }));
  try {
    await boss.start();
    return boss;
  } catch (error) {
    await boss.stop();
    const remedy = migrate ? '' : '; run recon migrate first';
    throw new Stopped(
      `the queue of units cannot be used: ${messageOf(error)}${remedy}`,
      {},
      { cause: error },
    );
  }
}

class BossQueue implements UnitQueue {
  readonly #boss: PgBoss;

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  async put(
    trx: Transaction<Tables>,
    kind: UnitKindName,
    units: readonly { jobId: string; unitId: string }[],
  ): Promise<void> {
    const jobs = units.map(({ jobId, unitId }) => ({ id: jobId, data: { unitId } }));
    await this.#boss.insert(kind, jobs, { db: fromKysely(trx) });
  }

  async take(kind: UnitKindName): Promise<Handed | undefined> {
    const [job] = await this.#boss.fetch<JobData>(kind);
    return job && { kind, jobId: job.id, unitId: job.data.unitId, attempt: job.retryCount };
  }

  async keep(handed: Handed, trx?: Transaction<Tables>): Promise<boolean> {
    return isAffected(await this.#boss.touch(handed.kind, attemptOf(handed), onTransaction(trx)));
  }

  async end(handed: Handed, trx: Transaction<Tables>): Promise<boolean> {
    return isAffected(await this.#boss.complete(handed.kind, attemptOf(handed), null, onTransaction(trx)));
  }

  async fail(handed: Handed, reason: string): Promise<void> {
    await this.#boss.fail(handed.kind, attemptOf(handed), { message: reason });
  }

  async withdraw(trx: Transaction<Tables>, kind: UnitKindName, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) await this.#boss.cancel(kind, [...jobIds], onTransaction(trx));
  }

  async listGivenUp(): Promise<GivenUp[]> {
    return (await this.#jobsGivenUp()).flatMap(({ data, sourceName, sourceOutput }) => {
      const kind = UNIT_KINDS.find((name) => name === sourceName);
      return kind === undefined ? [] : [{ kind, unitId: data.unitId, reason: reasonOf(sourceOutput) }];
    });
  }

  async forgetGivenUp(trx: Transaction<Tables>, unitIds: readonly string[]): Promise<void> {
    const jobs = await this.#jobsGivenUp();
    const ids = jobs.filter(({ data }) => unitIds.includes(data.unitId)).map(({ id }) => id);
    if (ids.length > 0) await this.#boss.deleteJob(GIVEN_UP, ids, onTransaction(trx));
  }

  #jobsGivenUp(): Promise<JobWithMetadata<JobData>[]> {
    return this.#boss.findJobs<JobData>(GIVEN_UP, { limit: GIVEN_UP_MAX });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}

function attemptOf({ jobId, attempt }: Handed): { id: string; retryCount: number } {
  return { id: jobId, retryCount: attempt };
}

function onTransaction(trx: Transaction<Tables> | undefined) {
  return trx === undefined ? {} : { db: fromKysely(trx) };
}

/** pg-boss says how many jobs it changed; its declarations leave that out. */
function isAffected(response: object): boolean {
  const affected: unknown = Reflect.get(response, 'affected');
  if (typeof affected !== 'number') throw new Error('Bug: the queue does not say what it changed');
  return affected === 1;
}

/** What a worker said, or what the queue says of one that it lost. */
function reasonOf(output: object | null): string {
  const value: unknown = output === null ? undefined : Reflect.get(output, 'value');
  for (const place of [output, value]) {
    const message: unknown =
      typeof place === 'object' && place !== null ? Reflect.get(place, 'message') : undefined;
    if (typeof message === 'string') return message;
  }
  return 'nobody knows why';
}
