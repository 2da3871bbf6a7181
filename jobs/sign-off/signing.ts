/** Reads a period, decides, and writes what is signed: rows and event as one, while nobody else says anything. */
import { LockHeld } from '../../src/core/errors.ts';
import { findSignOff } from '../../src/store/periods/sign-offs.ts';
import type { RowKind } from '../../src/store/periods/signed-rows.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import { compareRows, digestOfRows, keepRows } from '../../src/store/periods/signed-rows.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { highestWriteNo } from '../../src/store/database/writing.ts';
import {
  appendEvents,
  findTrailHead,
  gatherPeriodEvent,
  openTrail,
} from '../../src/store/runs/audit-trail.ts';
import type { Period } from '../../src/store/periods/period.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { Context } from '../context/context.ts';
import type { Decision, ReadPeriod } from './decide.ts';
import { openPoints } from './open-points.ts';
import { dropPeriod, layPeriod } from './period-rows.ts';
import { findPeriodRuns } from './period-runs.ts';
import type { PeriodRuns } from './period-runs.ts';

export type Needs = Pick<Context, 'db' | 'clock' | 'zone'>;

/** How often a period is read anew because somebody said something meanwhile. */
const TRIES_MAX = 5;

export interface Weighed {
  read: ReadPeriod & { runs: PeriodRuns['runs'] };
  decision: Decision;
  /** What stands afterwards. */
  signOff: SignOff | undefined;
}

/**
 * @param of.decide from what is known of the period and how it reads now; throws where it may not be
 * @param of.by undefined: nothing is written
 */
export async function signPeriod(
  context: Needs,
  of: {
    period: Period;
    by: string | undefined;
    decide: (known: SignOff | undefined, read: ReadPeriod) => Decision;
  },
): Promise<Weighed> {
  const { db } = context;
  const { period, by, decide } = of;
  const proven = await findPeriodRuns(db, period);
  const writtenNo = await unitOfWork(db, highestWriteNo);
  return db.connection().execute(async (session) => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const known = await findSignOff(session, period.name);
      const read = { ...(await readPeriod(session, context, { period, proven, known })), writtenNo };
      const decision = decide(known, read);
      const isDone =
        by === undefined ||
        decision === 'unchanged' ||
        (await writeDecision(session, { period, by, at: context.clock.wall(), decision, read }));
      if (!isDone) continue;
      await dropPeriod(session);
      return { read, decision, signOff: await findSignOff(session, period.name) };
    }
    throw new LockHeld(`others say something of breaks all the time: sign ${period.name} again in a moment`);
  });
}

async function readPeriod(
  session: Db,
  { zone }: Needs,
  { period, proven, known }: { period: Period; proven: PeriodRuns; known: SignOff | undefined },
): Promise<Omit<Weighed['read'], 'writtenNo'>> {
  const { no: trailNo } = await findTrailHead(session);
  await layPeriod(session, { period, runs: proven.runs, trailNo, zone });
  return {
    trailNo,
    digest: await digestOfRows(session),
    isAsSigned: known !== undefined && (await isAsSigned(session, known)),
    runs: proven.runs,
    open: await openPoints(session, { period, proven, zone }),
  };
}

/** What a signature is about; that another run and its files say the same is no change of it. */
const SIGNED: readonly RowKind[] = ['account', 'item', 'ledger', 'platform'];

async function isAsSigned(session: Db, { details }: SignOff): Promise<boolean> {
  const of = { trailNo: BigInt(details.rowsNo), kinds: SIGNED, saidToo: true };
  return (await compareRows(session, of)).length === 0;
}

/** @returns false where the trail went on since the period was read: nothing was written */
function writeDecision(
  session: Db,
  of: {
    period: Period;
    by: string;
    at: string;
    decision: Exclude<Decision, 'unchanged'>;
    read: ReadPeriod;
  },
): Promise<boolean> {
  const { period, by, at, decision, read } = of;
  return session.transaction().execute(async (trx) => {
    const head = await openTrail(trx);
    if (head.no !== read.trailNo) return false;
    const no = head.no + 1n;
    if (decision.rowsNo === undefined) await keepRows(trx, no);
    const details = { ...decision.details, rowsNo: decision.rowsNo ?? Number(no) };
    await gatherPeriodEvent(trx, { period: period.name, event: decision.event, details });
    await appendEvents(trx, { runId: null, actor: by, at }, head);
    return true;
  });
}

/** Takes a sign-off back: the figures of now are none of its business. */
export function withdraw(
  { db, clock }: Needs,
  of: { period: Period; by: string; decide: (known: SignOff | undefined) => Decision },
): Promise<SignOff | undefined> {
  return unitOfWork(db, async (trx) => {
    const head = await openTrail(trx);
    const decision = of.decide(await findSignOff(trx, of.period.name));
    if (decision === 'unchanged') return findSignOff(trx, of.period.name);
    const details = { ...decision.details, rowsNo: decision.rowsNo ?? 0 };
    await gatherPeriodEvent(trx, { period: of.period.name, event: decision.event, details });
    await appendEvents(trx, { runId: null, actor: of.by, at: clock.wall() }, head);
    return findSignOff(trx, of.period.name);
  });
}
