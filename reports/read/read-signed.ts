/** What was signed off when the proof of a run was stored: its own period, and the last one before it. */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import { listSignOffs } from '../../src/store/periods/sign-offs.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { RunHead } from './read-run.ts';

/** An account as it was signed. */
export interface SignedAccount {
  adjustedLedgerFen: Fen | null;
  adjustedPlatformFen: Fen | null;
  openItems: number;
  openItemsFen: Fen;
  breaks: number;
  breaksFen: Fen;
}

export interface Restated {
  period: string;
  signedRun: string;
  run: string;
}

export interface Signed {
  /** Of which all days of the run are part; the one that covers fewest days last. */
  own: readonly SignOff[];
  /** The last one that ends before the run begins. */
  before: SignOff | undefined;
  /** Signed runs that another version had taken the place of when the run was proven. */
  restated: readonly Restated[];
  /** As they were signed then. */
  accounts: ReadonlyMap<string, SignedAccount>;
}

export async function readSigned(session: Db, head: RunHead): Promise<Signed> {
  const { trailNo, fromDay, toDay } = head;
  const inForce = trailNo === null ? [] : (await listSignOffs(session, trailNo)).filter(isInForce);
  const before = inForce.find(({ period }) => period.to < fromDay);
  return {
    own: inForce.filter(({ period }) => period.from <= fromDay && toDay <= period.to),
    before,
    restated: await restatedSince(session, head, inForce),
    accounts: before === undefined ? new Map() : await signedAccounts(session, before),
  };
}

function isInForce({ event }: SignOff): boolean {
  return event === 'signed_off';
}

/** By what had been proven when the run was: written again later, it tells the same. */
async function restatedSince(
  session: Db,
  { finishedAt, runId }: RunHead,
  inForce: readonly SignOff[],
): Promise<Restated[]> {
  const signed = inForce.flatMap(({ period, details }) =>
    details.runs.map((run) => ({ period: period.name, run })),
  );
  const { rows } = await sql<Restated>`
    select s.period, s.run as "signedRun", n.run_id as run
    from unnest(${signed.map(({ period }) => period)}::text[], ${signed.map(({ run }) => run)}::text[])
      s (period, run)
    join run r on r.run_id = s.run
    cross join lateral (
      select n.run_id from run n
      where n.job = r.job and n.from_day = r.from_day and n.to_day = r.to_day and n.accounts = r.accounts
        and n.version > r.version and n.state = 'finished' and n.run_id <> ${runId}
        and n.finished_at <= ${finishedAt}::timestamptz
      order by n.version desc limit 1) n
    order by r.to_day, s.period`.execute(session);
  return rows;
}

export async function signedAccounts(
  session: Db,
  { period, details }: SignOff,
): Promise<Map<string, SignedAccount>> {
  const rows = await session
    .selectFrom('signed_row')
    .select(['key', 'figures'])
    .where('trail_no', '=', BigInt(details.rowsNo))
    .where('kind', '=', 'account')
    .where('day', '=', period.to)
    .execute();
  return new Map(rows.map(({ key, figures }) => [key, signedAccountOf(figures)]));
}

function signedAccountOf(figures: unknown): SignedAccount {
  const number = (name: string): number | undefined => {
    const value = isJsonObject(figures) ? member(figures, name) : undefined;
    return typeof value === 'number' ? value : undefined;
  };
  const fen = (name: string): Fen | null => {
    const value = number(name);
    return value === undefined ? null : BigInt(value);
  };
  return {
    adjustedLedgerFen: fen('adjustedLedgerFen'),
    adjustedPlatformFen: fen('adjustedPlatformFen'),
    openItems: number('openItems') ?? 0,
    openItemsFen: fen('openItemsFen') ?? 0n,
    breaks: number('breaks') ?? 0,
    breaksFen: fen('breaksFen') ?? 0n,
  };
}
