/**
 * Removes by policy what nothing needs any more, kind by kind and in pieces (docs/operations.md, Keeping it for years). What
 * goes is stored with an event of the audit trail first, and goes then: whoever is killed in between leaves a note that
 * the next one ends, and never a file that is gone without a word.
 */
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { RETAINED_KINDS } from '../../src/core/config/config-retention.ts';
import type { RetainedKind } from '../../src/core/config/config-retention.ts';
import { Stopped, WrongInput, codeOf, messageOf } from '../../src/core/errors.ts';
import { flush } from '../../src/core/files.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { keepLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { commitDurably } from '../../src/store/database/unit-of-work.ts';
import { pruneSomeAlerts, sumAlerts } from '../../src/store/prune/old-alerts.ts';
import { layAnswers, pruneSomeAnswers, sumAnswers } from '../../src/store/prune/old-answers.ts';
import { dropEvidence, layEvidence } from '../../src/store/prune/evidence.ts';
import type { Found, Sum, Why } from '../../src/store/prune/evidence.ts';
import { listUnfinished, markGone, savePruned } from '../../src/store/prune/pruned.ts';
import type { PrunedRow, Pruning } from '../../src/store/prune/pruned.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { ALERT_LEASE } from '../alerts/send.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { INBOX_LEASE } from '../inbox/take-inbox.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { SETTLE_LEASE } from '../night/settle/settle-run.ts';
import { FIND, findLeftovers, isStillThere, rootOf } from './find-files.ts';
import type { FileKind, OldFile } from './find-files.ts';

export interface KeptSum extends Sum {
  why: Why;
}

export interface KindPruned extends Sum {
  kind: RetainedKind | 'leftovers';
  /** Null: it is kept for good. */
  days: number | null;
  /** What is of this day or later stays. */
  before: Day | null;
  /** What is old enough and stays. */
  kept: KeptSum[];
}

export interface Pruned {
  schema: 1;
  dryRun: boolean;
  /** What an earlier one had begun to remove. */
  finished: number;
  kinds: KindPruned[];
}

export interface PruneRequest {
  kinds: readonly RetainedKind[];
  isDry: boolean;
}

/** So many files are one event: whoever is killed has begun with no more. */
const FILES_A_PIECE = 200;

const NOTHING: Sum = { count: 0, bytes: 0n, from: null, to: null };

/** @throws WrongInput where the database does not let this role, LockHeld while a night runs */
export async function prune(context: Context, request: PruneRequest): Promise<Pruned> {
  if (request.isDry) return pruneUnder(context, undefined, request);
  await requireRights(context.db);
  return underLease(context, RUN_LEASE, (held, lease) =>
    underLease(held, SETTLE_LEASE, (settling) =>
      underLease(settling, INBOX_LEASE, (taking) =>
        underLease(taking, ALERT_LEASE, (all) => pruneUnder(all, lease, request)),
      ),
    ),
  );
}

/** Who runs the nights may add to evidence and never take from it (docs/deploy/roles.sql). */
async function requireRights(db: Db): Promise<void> {
  const { rows } = await sql<{ role: string; may: boolean }>`
    select current_user as role, has_table_privilege('raw_answer', 'delete') and has_table_privilege('pruned', 'insert')
      as may`.execute(db);
  if (rows[0]?.may !== false) return;
  throw new WrongInput(
    `the role ${rows[0].role} may add to evidence and not take from it: prune as the owner of the database, who migrates it (DATABASE_URL=postgres://recon_owner@… recon prune); --dry-run needs no such right`,
  );
}

async function pruneUnder(
  context: Context,
  lease: Lease | undefined,
  { kinds, isDry }: PruneRequest,
): Promise<Pruned> {
  return context.db.connection().execute(async (session) => {
    const pruner = new Pruner(context, session, lease);
    const finished = isDry ? 0 : await pruner.finish();
    await layEvidence(session, context.zone);
    const done: KindPruned[] = [];
    for (const kind of RETAINED_KINDS.filter((one) => kinds.includes(one)))
      done.push(await pruner.prune(kind));
    if (kinds.length === RETAINED_KINDS.length) done.push(await pruner.leftovers());
    await dropEvidence(session);
    return { schema: 1, dryRun: isDry, finished, kinds: done };
  });
}

class Pruner {
  readonly #context: Context;
  readonly #session: Db;
  /** Undefined: nothing is removed. */
  readonly #lease: Lease | undefined;
  readonly #today: Day;

  constructor(context: Context, session: Db, lease: Lease | undefined) {
    this.#context = context;
    this.#session = session;
    this.#lease = lease;
    this.#today = context.zone.dayOf(context.clock.wall());
  }

  async prune(kind: RetainedKind): Promise<KindPruned> {
    const days = this.#context.settings.retention[kind];
    if (days === undefined) return { ...NOTHING, kind, days: null, before: null, kept: [] };
    const before = addDays(this.#today, -days);
    const pruning = { kind, before, days, at: this.#context.clock.wall(), actor: 'recon prune' };
    const found =
      kind === 'answers'
        ? await this.#answers(pruning)
        : kind === 'alerts'
          ? await this.#alerts(pruning)
          : await this.#files({ ...pruning, kind });
    const kept = found.flatMap((sum) => (sum.why === null ? [] : [{ ...sum, why: sum.why }]));
    const { why: _, ...going } = found.find(({ why }) => why === null) ?? { ...NOTHING, why: null };
    if (this.#lease !== undefined)
      this.#context.log.info({ event: 'prune.done', kind, before, count: going.count });
    return { kind, days, before, ...going, kept };
  }

  /** Files whose removal was begun and not ended. @returns how many */
  async finish(): Promise<number> {
    const isKnown = this.#context.settings.inbox !== undefined;
    const unfinished = (await listUnfinished(this.#session)).filter(
      ({ kind }) => kind !== 'inbox' || isKnown,
    );
    for (const [kind, rows] of Map.groupBy(unfinished, (row) => row.kind)) await this.#remove(kind, rows);
    return unfinished.length;
  }

  async leftovers(): Promise<KindPruned> {
    const { settings, zone, clock } = this.#context;
    const found = await findLeftovers(this.#context, clock.wall());
    if (this.#lease !== undefined) for (const { key } of found) await this.#removeFile(settings.home, key);
    const sums = sumsOf(found.map(({ bytes, since }) => ({ bytes, day: zone.dayOf(since), why: null })));
    const { why: _, ...sum } = sums[0] ?? { ...NOTHING, why: null };
    return { kind: 'leftovers', days: 1, before: null, ...sum, kept: [] };
  }

  async #answers(pruning: Pruning): Promise<Found[]> {
    const { zone } = this.#context;
    const before = zone.dayStart(pruning.before);
    await layAnswers(this.#session, { before, zone });
    const found = await sumAnswers(this.#session);
    await this.#inPieces((trx) => pruneSomeAnswers(trx, pruning, before));
    return found;
  }

  async #alerts(pruning: Pruning): Promise<Found[]> {
    const of = { before: this.#context.zone.dayStart(pruning.before), zone: this.#context.zone };
    const found = await sumAlerts(this.#session, of);
    await this.#inPieces((trx) => pruneSomeAlerts(trx, pruning, of));
    return found;
  }

  async #inPieces(
    some: (trx: Parameters<typeof keepLease>[0]) => Promise<PrunedRow[] | undefined>,
  ): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    for (let isLeft = true; isLeft;) {
      this.#context.signal.throwIfAborted();
      isLeft = await this.#session.transaction().execute(async (trx) => {
        await keepLease(trx, lease);
        return (await some(trx)) !== undefined;
      });
    }
  }

  async #files(pruning: Pruning & { kind: FileKind }): Promise<Found[]> {
    const of = { ...this.#context, session: this.#session, before: pruning.before };
    const found = await FIND[pruning.kind](of);
    const going = found.filter(({ why }) => why === null);
    for (let at = 0; this.#lease !== undefined && at < going.length; at += FILES_A_PIECE) {
      this.#context.signal.throwIfAborted();
      const rows = await this.#note(pruning, going.slice(at, at + FILES_A_PIECE), this.#lease);
      await this.#remove(pruning.kind, rows);
    }
    return sumsOf(found);
  }

  #note(pruning: Pruning, files: readonly OldFile[], lease: Lease): Promise<PrunedRow[]> {
    const removed = sql`
      select * from unnest(${files.map(({ key }) => key)}::text[], ${files.map(({ sha256 }) => sha256)}::text[],
        ${files.map(({ bytes }) => String(bytes))}::bigint[], ${files.map(({ day }) => day)}::text[])
        as f (key, sha256, bytes, day)`;
    return this.#session.transaction().execute(async (trx) => {
      // A note that is forgotten would leave a file that is gone without a word.
      await commitDurably(trx);
      await keepLease(trx, lease);
      return savePruned(trx, pruning, { removed, going: 'after it' });
    });
  }

  async #remove(kind: string, rows: readonly PrunedRow[]): Promise<void> {
    const root = rootOf(this.#context, kind);
    for (const { key, sha256 } of rows) {
      if (await isStillThere(this.#context, path.join(root, key), sha256)) await this.#removeFile(root, key);
    }
    const keys = rows.map(({ key }) => key);
    await markGone(this.#session, { keys, at: this.#context.clock.wall() });
  }

  /** And the folders that are empty then. */
  async #removeFile(root: string, key: string): Promise<void> {
    const file = path.join(root, key);
    try {
      await rm(file);
      await flush(path.dirname(file));
      this.#context.log.info({ event: 'prune.removed', path: file });
    } catch (error) {
      throw new Stopped(`cannot remove ${file}: ${messageOf(error)}`, {}, { cause: error });
    }
    await removeEmpty(root, path.dirname(key));
  }
}

/** From this one upwards; one in which something else lies stays, and so does the root. */
async function removeEmpty(root: string, key: string): Promise<void> {
  if (key === '.') return;
  try {
    await rmdir(path.join(root, key));
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return;
    throw error;
  }
  await removeEmpty(root, path.dirname(key));
}

function sumsOf(items: readonly { bytes: bigint; day: Day; why: Why | null }[]): Found[] {
  return [...Map.groupBy(items, ({ why }) => why)].map(([why, some]) => {
    const days = some.map(({ day }) => day).toSorted();
    const bytes = some.reduce((sum, item) => sum + item.bytes, 0n);
    return { why, count: some.length, bytes, from: days[0] ?? null, to: days.at(-1) ?? null };
  });
}
