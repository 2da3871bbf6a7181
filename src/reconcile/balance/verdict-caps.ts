/**
 * Every reason why the platform's own figures of an account prove less than they should: what was not read, what has
 * no history. What the books lack is none of them: it touches neither the chain nor what is unexplained.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { addDays, addMs } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import { provenInRun } from '../../store/runs/chain.ts';
import { unprovenDays } from './figures.ts';
import type { GoneAccount, GoneAccounts } from './gone-accounts.ts';
import type { Closing, Previous } from './closings.ts';
import type { ProofRequest } from './proof-request.ts';
import type { AccountFigures, VerdictCap } from './prove-account.ts';
import { reason } from './reasons.ts';
import type { Baseline } from './scope.ts';

/** What could not be read, and why the first of it could not. */
export interface Unread {
  count: number;
  cause: string;
}

/** It stands in a column of a table. */
const CAUSE_LENGTH_MAX = 300;

function unreadReason(code: 'windows_unread' | 'orders_unread', { count, cause }: Unread): string {
  return reason(code, cause === '' ? count : `${count}: ${cause.slice(0, CAUSE_LENGTH_MAX)}`);
}

/** Windows of this run that were not read, by account. A list that nothing verified was. */
export async function findUnread(
  trx: Transaction<Tables>,
  request: ProofRequest,
): Promise<Map<string, Unread>> {
  const { rows } = await sql<Unread & { account_no: string }>`
    select account_no, count(*)::integer as count,
      coalesce((array_agg(reason order by from_day) filter (where reason <> ''))[1], '') as cause
    from sync_window
    where run_id = ${request.runId} and state not in ('verified', 'unverified') group by account_no`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.account_no, row]));
}

/** What the run noted of itself: why it was stopped, and why balances could not be read. */
async function findStops(
  trx: Transaction<Tables>,
  request: ProofRequest,
): Promise<Pick<Readings, 'stopped' | 'unreadBalances'>> {
  const { rows } = await sql<{ stopped: string | null; balances: Record<string, string> | null }>`
    select facts ->> 'stopped' as stopped, facts -> 'unreadBalances' as balances
    from run where run_id = ${request.runId}`.execute(trx);
  const [{ stopped = null, balances = null } = {}] = rows;
  return { stopped: stopped ?? '', unreadBalances: new Map(Object.entries(balances ?? {})) };
}

/**
 * Transfer batches and withdrawals this run asked for and could not read, by account: of the payer, of payees that
 * registry or earlier answers name, and of all where nobody is named. What was given up is an item of its own.
 */
async function findUnreadOrders(
  trx: Transaction<Tables>,
  request: ProofRequest,
): Promise<Map<string, Unread>> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const { rows } = await sql<Unread & { account_no: string }>`
    with unread as (
      select kind, number_kind, number, account_no, failure from order_due
      where asked_run = ${request.runId} and failure <> '' and given_up_day is null
    ), touched as (
      select number, failure, account_no from unread where account_no <> ''
      union
      select u.number, u.failure, p.account_no from unread u cross join unnest(${names}::text[]) p (account_no)
      where u.account_no = ''
      union
      select u.number, u.failure, r.payee_account_no from unread u
      join order_registry r on r.kind = 'transfer' and u.kind = 'batch'
        and case u.number_kind when 'out' then r.out_batch_no else r.batch_no end = u.number
      union
      select u.number, u.failure, o.payee_account_no from unread u
      join transfer_batch b on u.kind = 'batch'
        and case u.number_kind when 'out' then b.out_batch_no else b.batch_no end = u.number
      join transfer_order o on o.account_no = b.account_no and o.out_batch_no = b.out_batch_no
    )
    select account_no, count(*)::integer as count, (array_agg(failure order by number))[1] as cause from touched
    where account_no = any(${names}::text[]) group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row]));
}

/** What was read and what was not. */
export interface Readings {
  /** Windows of this run that could not be read. */
  unread: ReadonlyMap<string, Unread>;
  /** Batches and withdrawals of this run that could not be read. */
  unreadOrders: ReadonlyMap<string, Unread>;
  /** Why this run could not read a balance. */
  unreadBalances: ReadonlyMap<string, string>;
  /** Why the run was stopped before everything was read; empty where it was not. */
  stopped: string;
  /** Days between the cut and the balance that nobody has read. */
  unreadAfter: ReadonlyMap<string, number>;
  /** Days between the opening and the cut that nobody has read. */
  unproven: ReadonlyMap<string, number>;
  /** Days between an earlier opening that the account list states by now and the one in force that nobody has read. */
  uncompared: ReadonlyMap<string, number>;
  /** Accounts that this run has proven already, in an earlier try or a version that stands. */
  proven: ReadonlySet<string>;
  /** State of the run's own look at the balance; absent where it could not be read. */
  bracket: ReadonlyMap<string, 'stable' | 'moving' | 'absent'>;
}

export async function findReadings(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: {
    baselines: ReadonlyMap<string, Baseline>;
    previous: ReadonlyMap<string, Previous>;
    gone: GoneAccounts;
  },
): Promise<Omit<Readings, 'unread' | 'unreadAfter'>> {
  const looks = await sql<{ account_no: string; state: 'stable' | 'moving' | 'absent' }>`
    select distinct on (b.account_no) b.account_no, b.state
    from run mine
    join run r on r.job = mine.job and r.from_day = mine.from_day and r.to_day = mine.to_day
      and r.accounts = mine.accounts
    join balance_snapshot b on b.run_id = r.run_id
    where mine.run_id = ${request.runId}
    order by b.account_no, b.taken_at desc`.execute(trx);
  const spans = request.accounts.flatMap(({ accountNo }) => {
    const opening = of.previous.get(accountNo)?.at ?? of.baselines.get(accountNo)?.at ?? request.span.from;
    const fromDay = request.zone.dayOf(opening < request.span.from ? opening : request.span.from);
    const toDay = lastDayToRead(request, of.gone.get(accountNo));
    return toDay === undefined ? [] : [{ accountNo, fromDay, toDay }];
  });
  return {
    ...(await findStops(trx, request)),
    proven: await provenInRun(trx, request.runId),
    unproven: await unprovenDays(trx, spans),
    uncompared: await unprovenDays(trx, spansToCompare(request, of)),
    unreadOrders: await findUnreadOrders(trx, request),
    bracket: new Map(looks.rows.map((row) => [row.account_no, row.state])),
  };
}

/** Its opening is held against what came between; of an account that is gone nothing more can be read. */
function spansToCompare(
  { accounts, zone }: ProofRequest,
  { baselines, gone }: { baselines: ReadonlyMap<string, Baseline>; gone: GoneAccounts },
): { accountNo: string; fromDay: Day; toDay: Day }[] {
  return accounts.flatMap(({ accountNo, opening }) => {
    const began = baselines.get(accountNo)?.at;
    const isEarlier = opening !== undefined && began !== undefined && opening.at < began;
    if (!isEarlier || gone.has(accountNo)) return [];
    return [{ accountNo, fromDay: zone.dayOf(opening.at), toDay: zone.dayOf(addMs(began, -1)) }];
  });
}

/** What an account that is gone took in after its last balance can be read no more. */
function lastDayToRead({ toDay, zone }: ProofRequest, gone: GoneAccount | undefined): Day | undefined {
  if (gone === undefined) return toDay;
  if (gone.lastBalanceAt === undefined) return undefined;
  const last = addDays(zone.dayOf(gone.lastBalanceAt), -1);
  return last < toDay ? last : toDay;
}

/** Caps of an account's verdict. */
export interface AccountCaps {
  /** They keep its figures from being proven. */
  verdictCaps: VerdictCap[];
  /** What the books lack, and what this run could not read of an account that it has proven: the proof stands. */
  beside: VerdictCap[];
}

/** What was read of an account in an earlier try at the run is not taken back by one that reads less. */
export function verdictCapsOf(
  request: ProofRequest,
  figures: AccountFigures,
  readings: Readings,
): AccountCaps {
  const { accountNo } = figures;
  const ofReading = capsOfReading(request, accountNo, readings);
  const isProven = readings.proven.has(accountNo);
  const isToldUnread = readings.unread.has(accountNo) && !isProven;
  const ofFigures = capsOfFigures(request, figures, { readings, isToldUnread });
  const uncompared = readings.uncompared.get(accountNo) ?? 0;
  const ofBooks = [
    ...verdictCapsOfBooks(request),
    ...verdictCapsOfOpening(figures),
    ...(uncompared > 0 ? [ofUnprovenDays(request, uncompared)] : []),
  ];
  return isProven
    ? { verdictCaps: ofFigures, beside: [...ofReading, ...ofBooks] }
    : { verdictCaps: [...ofReading, ...ofFigures], beside: ofBooks };
}

/** What this try at the run could not read. */
function capsOfReading({ stillUnread }: ProofRequest, accountNo: string, readings: Readings): VerdictCap[] {
  const reasons: string[] = [];
  const still = stillUnread?.get(accountNo);
  if (still !== undefined) reasons.push(still);
  if (readings.stopped !== '') reasons.push(reason('run_stopped', readings.stopped));
  const unread = readings.unread.get(accountNo);
  if (unread) reasons.push(unreadReason('windows_unread', unread));
  const unreadOrders = readings.unreadOrders.get(accountNo);
  if (unreadOrders) reasons.push(unreadReason('orders_unread', unreadOrders));
  return reasons.map((why) => ({ verdict: 'incomplete', reason: why }));
}

/** What all that was ever read does not prove. */
function capsOfFigures(
  request: ProofRequest,
  { accountNo, baseline, closing }: AccountFigures,
  { readings, isToldUnread }: { readings: Readings; isToldUnread: boolean },
): VerdictCap[] {
  const verdictCaps: VerdictCap[] = [];
  const unproven = readings.unproven.get(accountNo) ?? 0;
  const unreadAfter = readings.unreadAfter.get(accountNo) ?? 0;
  if (unproven > 0 && !isToldUnread) verdictCaps.push(ofUnprovenDays(request, unproven));
  if (unreadAfter > 0)
    verdictCaps.push({ verdict: 'unverified', reason: reason('rollback_unread', unreadAfter) });
  else if (closing === undefined) verdictCaps.push(withoutClosing(accountNo, readings));
  else if (baseline !== undefined) verdictCaps.push(...withoutHistory(request, { baseline, closing }));
  else verdictCaps.push({ verdict: 'unverified', reason: reason('no_baseline') });
  return verdictCaps;
}

/** Where the profile lets lists stand that nothing verified, the days are read, and not proven. */
function ofUnprovenDays({ rules }: ProofRequest, days: number): VerdictCap {
  return rules.listsAreVerified
    ? { verdict: 'incomplete', reason: reason('days_unproven', days) }
    : { verdict: 'unverified', reason: reason('lists_unverified', days) };
}

/** Why the books allow no better verdict, whatever the platform's figures prove. */
function verdictCapsOfBooks({ ledgerIncomplete }: ProofRequest): VerdictCap[] {
  return ledgerIncomplete === undefined
    ? []
    : [{ verdict: 'incomplete', reason: reason('ledger_incomplete', ledgerIncomplete) }];
}

/** Why the books of this account allow no better verdict. */
function verdictCapsOfOpening({ ledger }: AccountFigures): VerdictCap[] {
  return ledger.isToCome ? [{ verdict: 'unverified', reason: reason('before_baseline') }] : [];
}

function withoutClosing(accountNo: string, { bracket, unreadBalances }: Readings): VerdictCap {
  switch (bracket.get(accountNo)) {
    case 'moving':
      return { verdict: 'unverified', reason: reason('balance_moving') };
    case 'absent':
      return { verdict: 'unverified', reason: reason('balance_absent') };
    case 'stable':
      return { verdict: 'unverified', reason: reason('no_snapshot') };
    case undefined:
      return { verdict: 'incomplete', reason: reason('balance_unread', unreadBalances.get(accountNo)) };
  }
}

/** A closing rolled back from the very balance the baseline came from proves nothing but itself. */
function withoutHistory(request: ProofRequest, of: { baseline: Baseline; closing: Closing }): VerdictCap[] {
  const beginsBefore =
    request.zone.dayOf(of.baseline.at) > request.fromDay || request.span.cut <= of.baseline.at;
  if (beginsBefore) return [{ verdict: 'unverified', reason: reason('before_baseline') }];
  const fromItself = of.baseline.snapshotAt === of.closing.snapshotAt;
  return fromItself ? [{ verdict: 'unverified', reason: reason('no_baseline') }] : [];
}
