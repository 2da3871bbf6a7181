/**
 * What was signed off, held against what is there now: figures, breaks and files of the runs that were signed, the books
 * and movements they rest on, and the version that stands where a signed run was restated since. Changes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Fen } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day, Zone } from '../../src/core/time.ts';
import { digestOfRows, compareRows, listOrphanRows } from '../../src/store/periods/signed-rows.ts';
import type { ChangedRow, RowKind } from '../../src/store/periods/signed-rows.ts';
import { listSignOffs } from '../../src/store/periods/sign-offs.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import { listChangedBookings } from '../../src/store/periods/changed-bookings.ts';
import { findRun, listStandingRuns, subjectOf } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import { listMissed } from '../../src/store/runs/told-since.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { Context } from '../context/context.ts';
import { saidMask } from '../context/said-mask.ts';
import type { SaidMask } from '../context/said-mask.ts';
import type { DayRange } from '../context/day-arguments.ts';
import { dropPeriod, layFigures, layPeriod } from './period-rows.ts';
import type { PeriodContents } from './period-rows.ts';

/**
 * `altered`: a signed run is not as it was signed · `restated`: another version of it stands by now, with other figures ·
 * `books`: entries or movements of the period are others, or of an account that it was signed without · `rows`: what is kept of the sign-off itself was changed.
 */
export type ChangeKind = 'altered' | 'restated' | 'books' | 'rows';

export interface PeriodChange {
  period: string;
  change: ChangeKind;
  /** The row: what it is of, its day, and an account, a break, a file or a run. */
  kind: RowKind | 'sign_off';
  day: Day;
  key: string;
  /** Which of its figures; empty: the row is gone or is new. */
  field: string;
  recorded: Fen | string | null;
  actual: Fen | string | null;
  /** Of amounts and counts. */
  difference: Fen | null;
  /** What is known of it: the run that stands, or the entries that were written since. */
  note: string;
}

export interface PeriodsVerified {
  periods: number;
  changes: PeriodChange[];
}

type Needs = Pick<Context, 'db' | 'zone'>;

export async function verifyPeriods({ db, zone }: Needs, range: DayRange): Promise<PeriodsVerified> {
  const signed = (await listSignOffs(db)).filter(
    ({ event, period }) => event === 'signed_off' && period.to >= range.fromDay && period.from <= range.toDay,
  );
  const changes: PeriodChange[] = [];
  await db.connection().execute(async (session) => {
    for (const signOff of signed) {
      changes.push(...(await changesOf(session, signOff, { zone })));
    }
    await dropPeriod(session);
  });
  for (const { no, from, to } of await listOrphanRows(db)) {
    const note = `event ${no} of the audit trail, which signed them, is gone`;
    changes.push({
      ...ofSignOff(from === to ? from : from.slice(0, 7), to),
      recorded: String(no),
      actual: null,
      note,
    });
  }
  const mask = await saidMask(db);
  return { periods: signed.length, changes: changes.map((change) => maskedChange(change, mask)) };
}

/** What people had said, and say, without personal numbers. */
function maskedChange(change: PeriodChange, mask: SaidMask): PeriodChange {
  if (change.field !== 'said') return change;
  const [recorded, actual] = [change.recorded, change.actual].map((value) =>
    typeof value === 'string' ? mask(value) : value,
  ) as [Value, Value];
  return { ...change, recorded, actual };
}

function ofSignOff(period: string, day: Day): Omit<PeriodChange, 'recorded' | 'actual' | 'note'> {
  return { period, change: 'rows', kind: 'sign_off', day, key: period, field: 'digest', difference: null };
}

/** The same run published once more may show more than the signed file did. */
const ANEW = 'published anew since with other content; the signed file is kept beside it (.aside-…)';

/** What a comparison goes by; an event that was changed past recon may have anything else there. */
const GOES_BY = z.object({
  digest: z.string(),
  rowsNo: z.int(),
  trailNo: z.int(),
  writtenNo: z.int(),
  runs: z.array(z.string()),
});

const OF_RUNS: readonly RowKind[] = ['account', 'file', 'item', 'run'];
const OF_BOOKS: readonly RowKind[] = ['ledger', 'platform'];

async function changesOf(session: Db, signOff: SignOff, { zone }: { zone: Zone }): Promise<PeriodChange[]> {
  const { period, no, details } = signOff;
  if (!GOES_BY.safeParse(details).success) {
    const note = `event ${no} of the audit trail, which signed them, is not as it was written`;
    return [{ ...ofSignOff(period.name, period.to), recorded: String(no), actual: null, note }];
  }
  const changes: PeriodChange[] = [];
  const kept = await digestOfRows(session, BigInt(details.rowsNo));
  if (kept !== details.digest) {
    const note = 'the rows kept of the sign-off are not those that were signed';
    changes.push({ ...ofSignOff(period.name, period.to), recorded: details.digest, actual: kept, note });
  }
  const found = await Promise.all(details.runs.map((id) => findRun(session, id)));
  const runs = found.filter((run) => run !== undefined);
  const [trailNo, signedNo] = [BigInt(details.trailNo), BigInt(details.writtenNo)];
  const contents = { period, runs, trailNo, signedNo, zone };
  await layPeriod(session, contents);
  const compared = { trailNo: BigInt(details.rowsNo), saidToo: true };
  const own = await compareRows(session, { ...compared, kinds: OF_RUNS });
  const altered = { period: period.name, change: 'altered' } as const;
  changes.push(...own.flatMap((row) => told(row, { ...altered, note: row.kind === 'file' ? ANEW : '' })));
  for (const row of await compareRows(session, { ...compared, kinds: OF_BOOKS })) {
    const note = await bookingsText(session, row, { signOff, zone });
    changes.push(...told(row, { period: period.name, change: 'books', note }));
  }
  for (const run of runs) changes.push(...(await restatedOf(session, run, { contents, signOff })));
  changes.push(...(await missedOf(session, contents, signedNo)));
  return changes;
}

/** Accounts that were no part of its end, and are told of since with what lies before it: no signed figure has them. */
async function missedOf(
  session: Db,
  { period, runs, zone }: PeriodContents,
  after: bigint,
): Promise<PeriodChange[]> {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const { run_id: runId, to_day: day } = last;
  const missed = await listMissed(session, { runId, day, zone, after });
  const note = `no part of ${runId}, and another run tells of it from before its end on`;
  const of = { period: period.name, change: 'books', kind: 'account', day, field: '', note } as const;
  return missed.map((key) => ({ ...of, key, recorded: null, actual: null, difference: null }));
}

/** Where another version stands, its figures against those signed; what people say of breaks goes on by itself. */
async function restatedOf(
  session: Db,
  run: Run,
  { contents, signOff }: { contents: PeriodContents; signOff: SignOff },
): Promise<PeriodChange[]> {
  const { to_day: day } = run;
  const standing = (await listStandingRuns(session, { from: day, before: addDays(day, 1) })).find((other) =>
    isDeepStrictEqual(subjectOf(other), subjectOf(run)),
  );
  if (standing === undefined || standing.run_id === run.run_id) return [];
  await layFigures(session, { signed: run, instead: standing }, contents);
  const isLast = contents.runs.at(-1)?.run_id === run.run_id;
  const rows = await compareRows(session, {
    trailNo: BigInt(signOff.details.rowsNo),
    kinds: isLast ? ['account', 'item'] : ['account'],
    day,
    saidToo: false,
  });
  const of = { period: signOff.period.name, change: 'restated', note: standing.run_id } as const;
  return rows.flatMap((row) => told(row, of));
}

/** Entries and movements of the account that were written since, one after the other. */
async function bookingsText(
  session: Db,
  { kind, key }: ChangedRow,
  { signOff, zone }: { signOff: SignOff; zone: Zone },
): Promise<string> {
  const { period, details } = signOff;
  const found = await listChangedBookings(session, {
    side: kind === 'ledger' ? 'ledger' : 'platform',
    accountNo: key,
    from: zone.dayStart(period.from),
    to: zone.dayStart(addDays(period.to, 1)),
    after: BigInt(details.writtenNo),
  });
  if (found.length === 0) return 'nothing is written since: it was changed past recon';
  return found.join('; ');
}

type Told = Pick<PeriodChange, 'period' | 'change' | 'note'>;

/** One change a figure; of a row that is gone or is new one for all of it. */
function told(row: ChangedRow, of: Told): PeriodChange[] {
  const { kind, day, key, recorded, actual } = row;
  const base = { ...of, kind, day, key };
  if (recorded === null || actual === null) {
    const [before, after] = [wholeOf(recorded), wholeOf(actual)];
    return [
      {
        ...base,
        field: '',
        recorded: before,
        actual: after,
        difference: differenceOf(before ?? 0n, after ?? 0n),
      },
    ];
  }
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])].toSorted();
  return names.flatMap((field): PeriodChange[] => {
    const [before, after] = [valueOf(recorded[field]), valueOf(actual[field])];
    if (before === after) return [];
    const isNumber = typeof before === 'bigint' && typeof after === 'bigint';
    return [
      { ...base, field, recorded: before, actual: after, difference: isNumber ? after - before : null },
    ];
  });
}

type Value = PeriodChange['recorded'];

function differenceOf(before: Value, after: Value): Fen | null {
  return typeof before === 'bigint' && typeof after === 'bigint' ? after - before : null;
}

/** Of a row as a whole the amount that it is about, else what there is. */
function wholeOf(figures: ChangedRow['recorded']): Value {
  if (figures === null) return null;
  return valueOf(figures['differenceFen'] ?? figures['sumFen'] ?? figures['sha256'] ?? figures['verdict']);
}

function valueOf(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return BigInt(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
