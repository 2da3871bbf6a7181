/**
 * The inbox at the start of a night: each file that is ready is taken in by the import of its kind, with all that
 * protects the books from it, and put away. What a file would need `--replace` or `--force` for is a person's to say.
 */
import path from 'node:path';
import type { Transaction } from 'kysely';
import { WrongInput } from '../../src/core/errors.ts';
import { epochMs } from '../../src/core/time.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { lookAlikeText } from '../../src/intake/booked-once.ts';
import type { Fault } from '../../src/intake/fault-list.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import { keepLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { findTaken, forgetTaken, isInBooks } from '../../src/store/intake/inbox-files.ts';
import { noteMissing } from '../../src/store/intake/ledger-complete.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import { countingRows } from '../context/progress.ts';
import { importOutcome } from '../commands/import-outcome.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { finishedPath, isUnchanged, lookAtInbox } from './inbox-place.ts';
import type { Delivery, InboxKind } from './inbox-place.ts';
import { placeFor, putAway } from './put-away.ts';

/** Two processes that move the same files would each miss what the other has moved. */
export const INBOX_LEASE = 'inbox';

export interface InboxFile {
  /** Below the inbox, as it was delivered. */
  file: string;
  /** Null: the place tells none. */
  kind: InboxKind | null;
  /** Of a ledger: its name; else empty. */
  source: string;
  /** `ready` in a rehearsal only; `failed`: nothing of it was taken in. */
  outcome: 'done' | 'failed' | 'waiting' | 'misplaced' | 'ready';
  /** Below the inbox; null: it lies where it was. */
  movedTo: string | null;
  /** Of a ledger: its source is complete to there. */
  completeTo: Instant | null;
  /** Null where it was not read, or where an earlier look had taken it in and was cut off. */
  rows: number | null;
  added: number;
  replaced: number;
  /** Why it failed or waits; else empty. */
  reason: string;
  /** The first hundred, as an import gives them. */
  faults: Fault[];
  faultCount: number;
  /** Entries of a ledger that look like what the books have already. */
  lookAlikes: string[];
}

/**
 * @param tellOf what failed is put away after it was told: who comes to no end leaves it to the next look
 * @throws Stopped where the inbox cannot be read or a file not be moved; LockHeld while another process is at it
 */
export function takeInbox(
  context: Context,
  inbox: string,
  tellOf: (files: readonly InboxFile[]) => Promise<void> = () => Promise.resolve(),
): Promise<InboxFile[]> {
  return underLease(context, INBOX_LEASE, async (held, lease) => {
    const deliveries = await look(held, inbox);
    const taken = await takenOf(held, inbox, deliveries);
    const missing = new Set<Delivery>();
    for (const delivery of deliveries)
      if (!taken.has(delivery) && (await isMissing(held, delivery))) missing.add(delivery);
    for (const [source, some] of Map.groupBy(missing, (delivery) => delivery.source))
      await noteMissing(held.db, { source, ...daysOf(some), zone: held.zone });
    const files: InboxFile[] = [];
    const given = new Set<string | null>();
    for (const delivery of deliveries) {
      held.signal.throwIfAborted();
      const file = await take(held, { inbox, lease, delivery, taken, missing, given });
      if (file.outcome === 'done') missing.delete(delivery);
      files.push(file);
      given.add(file.movedTo);
    }
    await tellOf(files);
    for (const [at, file] of files.entries()) {
      const delivery = deliveries[at];
      if (file.outcome !== 'failed' || file.movedTo === null || delivery === undefined) continue;
      const { movedTo: target, reason: faults } = file;
      held.log.error({
        event: 'inbox.failed',
        file: delivery.path,
        movedTo: target,
        reason: faults.split('\n').join('; '),
      });
      if (!(await putAway(inbox, delivery, { target, faults }))) files[at] = told(delivery, MEANWHILE);
    }
    return files;
  });
}

/** What would be taken in; nothing is read, moved or stored. */
export async function rehearseInbox(context: Context, inbox: string): Promise<InboxFile[]> {
  return (await look(context, inbox)).map((delivery) => told(delivery, leftAs(delivery) ?? {}));
}

function look({ zone, clock, realClock }: Context, inbox: string): Promise<Delivery[]> {
  const today = zone.dayOf(clock.wall());
  return lookAtInbox({ inbox, zone, today, nowMs: epochMs(realClock.wall()) });
}

/** What a process that was killed before it could move it had taken in. */
async function takenOf(
  { db, files }: Context,
  inbox: string,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<Delivery>> {
  const known = await findTaken(db, deliveries);
  const taken = new Set<Delivery>();
  for (const delivery of deliveries) {
    const marks = known.filter(
      ({ path: at, changed }) => at === delivery.path && changed === delivery.changed,
    );
    if (marks.length === 0) continue;
    const sha256 = await files.sha256(path.join(inbox, delivery.path));
    if (marks.some((mark) => mark.sha256 === sha256)) taken.add(delivery);
  }
  return taken;
}

/** A file of a ledger of a day that is over, which is not in the books. */
async function isMissing({ db, zone, clock }: Context, delivery: Delivery): Promise<boolean> {
  const { path: at, source, day } = delivery;
  if (day === null || day >= zone.dayOf(clock.wall())) return false;
  const finished = finishedPath(delivery);
  // What lies unfinished beside the file that it was to be is what was left behind.
  return finished === at || !(await isInBooks(db, { source, name: path.posix.basename(finished), day }));
}

function daysOf(missing: readonly Delivery[]): { tried: Day[]; waiting: Day[] } {
  const isTried = ({ left }: Delivery): boolean => left === null || left.as === 'failed';
  const [tried, waiting] = [missing.filter(isTried), missing.filter((one) => !isTried(one))];
  const days = (some: readonly Delivery[]): Day[] => some.flatMap(({ day }) => day ?? []);
  return { tried: days(tried), waiting: days(waiting) };
}

interface Taking {
  inbox: string;
  /** What is stored is stored while nobody else has the inbox. */
  lease: Lease;
  delivery: Delivery;
  taken: ReadonlySet<Delivery>;
  /** What lies there of ledgers and is not in the books. */
  missing: ReadonlySet<Delivery>;
  /** Where files that were looked at before lie by now, or are to lie. */
  given: ReadonlySet<string | null>;
}

async function take(context: Context, of: Taking): Promise<InboxFile> {
  const { delivery, taken } = of;
  const why = leftAs(delivery);
  if (why !== undefined && why.outcome !== 'failed') return left(context, delivery, why);
  if (why === undefined && taken.has(delivery)) return done(context, of, { rows: null });
  try {
    if (why !== undefined) throw new WrongInput(why.reason);
    const { lookAlikes, ...result } = await importDelivered(context, of);
    if (result.faultCount > 0) return await failed(context, of, { text: textOf(delivery, result), result });
    const { rows, added, replaced } = result;
    return await done(context, of, { rows, added, replaced, lookAlikes });
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return failed(context, of, { text: error.message, result: undefined });
  }
}

/** The next look finds what lies there by then. */
const MEANWHILE = {
  outcome: 'waiting',
  reason:
    'it was changed, replaced or taken away while it was taken in; what lies there waits for the next look',
} as const;

function leftAs({ left }: Delivery): Pick<InboxFile, 'outcome' | 'reason'> | undefined {
  return left === null ? undefined : { outcome: left.as, reason: left.reason };
}

type Delivered = ImportResult & { lookAlikes: string[] };

function importDelivered(context: Context, taking: Taking): Promise<Delivered> {
  const bar = context.progress(taking.delivery.path);
  return countingRows(bar, (progress) => importCounted(context, taking, progress));
}

async function importCounted(
  { db, zone, clock, log, profile }: Context,
  { inbox, lease, delivery, missing }: Taking,
  progress: (rows: number) => void,
): Promise<Delivered> {
  const { kind, source, day, completeTo } = delivery;
  const delivered = { path: delivery.path, changed: delivery.changed };
  const alongside = (trx: Transaction<Tables>): Promise<void> => keepLease(trx, lease);
  const file = path.join(inbox, delivery.path);
  const request = { db, zone, clock, log, path: file, delivered, alongside, progress };
  switch (kind) {
    case 'accounts':
      return { ...(await importAccounts(request)), lookAlikes: [] };
    case 'orders':
      return { ...(await importOrders(request)), lookAlikes: [] };
    case 'ledger': {
      const adjustmentKind = profile.ledger.kinds.adjustment;
      const others = [...missing].filter((one) => one !== delivery && one.source === source);
      // So is what was left behind beside the one that is taken in now.
      const isWhole = !others.some((one) => one.day === day && finishedPath(one) !== delivery.path);
      const stated = {
        completeTo: completeTo ?? undefined,
        ...(day !== null && { ofDay: { day, isWhole } }),
      };
      const result = await importLedger({ ...request, source, replace: false, adjustmentKind, ...stated });
      return { ...result, lookAlikes: result.lookAlikes.map(lookAlikeText) };
    }
    case null:
      throw new Error(`Bug: ${delivery.path} is of no kind`);
  }
}

function textOf({ path: file, kind }: Delivery, result: ImportResult): string {
  if (kind === null) throw new Error(`Bug: ${file} is of no kind`);
  return importOutcome(kind, { ...result, file }).text;
}

async function done(
  context: Context,
  { inbox, delivery, given }: Taking,
  read: Partial<InboxFile>,
): Promise<InboxFile> {
  const day = context.zone.dayOf(context.clock.wall());
  const movedTo = await placeFor(inbox, delivery, { to: 'done', day, given });
  if (!(await putAway(inbox, delivery, { target: movedTo })))
    return left(context, delivery, { ...MEANWHILE, ...read });
  await forgetTaken(context.db, delivery);
  context.log.info({ event: 'inbox.done', file: delivery.path, movedTo });
  return told(delivery, { outcome: 'done', movedTo, ...read });
}

/** What is not the file any more that was read says nothing of what lies there. */
async function failed(
  context: Context,
  { inbox, delivery, given }: Taking,
  { text, result }: { text: string; result: ImportResult | undefined },
): Promise<InboxFile> {
  if (!(await isUnchanged(inbox, delivery))) return left(context, delivery, MEANWHILE);
  const day = context.zone.dayOf(context.clock.wall());
  const movedTo = await placeFor(inbox, delivery, { to: 'failed', day, given });
  const { rows = null, faults = [], faultCount = 0 } = result ?? {};
  return told(delivery, { outcome: 'failed', movedTo, rows, faults, faultCount, reason: text });
}

function left(
  { log }: Context,
  delivery: Delivery,
  of: Pick<InboxFile, 'outcome' | 'reason'> & Partial<InboxFile>,
): InboxFile {
  const { outcome, reason } = of;
  log.warn({ event: 'inbox.left', file: delivery.path, outcome, reason });
  return told(delivery, of);
}

function told({ path: file, kind, source, completeTo }: Delivery, over: Partial<InboxFile>): InboxFile {
  return {
    file,
    kind,
    source,
    outcome: 'ready',
    movedTo: null,
    completeTo,
    rows: null,
    added: 0,
    replaced: 0,
    reason: '',
    faults: [],
    faultCount: 0,
    lookAlikes: [],
    ...over,
  };
}
