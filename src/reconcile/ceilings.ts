/** Every reason why the verdict on an account cannot be better than it is: what was not read, what has no history. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import { unprovenDays } from './figures.ts';
import type { Closing, Previous } from './closings.ts';
import type { ProofRequest } from './gather.ts';
import type { AccountFigures, Ceiling } from './prove-account.ts';
import { reason } from './reasons.ts';
import type { Baseline } from './scope.ts';

/** Windows of this run that were not read, by account. */
export async function findUnread(
  trx: Transaction<Tables>,
  request: ProofRequest,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_no: string; n: number }>`
    select account_no, count(*)::integer as n from sync_window
    where run_id = ${request.runId} and state <> 'verified' group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.n]));
}

/**
 * Transfer batches and withdrawals this run asked for and could not read, by account: of the payer, of payees that
 * registry or earlier answers name, and of all where nobody is named.
 */
async function findUnreadOrders(
  trx: Transaction<Tables>,
  request: ProofRequest,
): Promise<Map<string, number>> {
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const { rows } = await sql<{ account_no: string; n: number }>`
    with unread as (
      select kind, number_kind, number, account_no from order_due
      where asked_run = ${request.runId} and failure <> ''
    ), touched as (
      select number, account_no from unread where account_no <> ''
      union
      select u.number, p.account_no from unread u cross join unnest(${names}::text[]) p (account_no)
      where u.account_no = ''
      union
      select u.number, r.payee_account_no from unread u
      join order_registry r on r.kind = 'transfer' and u.kind = 'batch'
        and case u.number_kind when 'out' then r.out_batch_no else r.batch_no end = u.number
      union
      select u.number, o.payee_account_no from unread u
      join transfer_batch b on u.kind = 'batch'
        and case u.number_kind when 'out' then b.out_batch_no else b.batch_no end = u.number
      join transfer_order o on o.account_no = b.account_no and o.out_batch_no = b.out_batch_no
    )
    select account_no, count(*)::integer as n from touched
    where account_no = any(${names}::text[]) group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.n]));
}

/** What was read and what was not. */
export interface Readings {
  /** Windows of this run that could not be read. */
  unread: ReadonlyMap<string, number>;
  /** Batches and withdrawals of this run that could not be read. */
  unreadOrders: ReadonlyMap<string, number>;
  /** Days between the cut and the balance that nobody has read. */
  unreadAfter: ReadonlyMap<string, number>;
  /** Days between the opening and the cut that nobody has read. */
  unproven: ReadonlyMap<string, number>;
  /** State of the run's own look at the balance; absent where it could not be read. */
  bracket: ReadonlyMap<string, 'stable' | 'moving' | 'absent'>;
}

export async function findReadings(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: { baselines: ReadonlyMap<string, Baseline>; previous: ReadonlyMap<string, Previous> },
): Promise<Pick<Readings, 'unproven' | 'bracket' | 'unreadOrders'>> {
  const looks = await sql<{ account_no: string; state: 'stable' | 'moving' | 'absent' }>`
    select distinct on (b.account_no) b.account_no, b.state
    from run mine
    join run r on r.job = mine.job and r.from_day = mine.from_day and r.to_day = mine.to_day
      and r.accounts = mine.accounts
    join balance_snapshot b on b.run_id = r.run_id
    where mine.run_id = ${request.runId}
    order by b.account_no, b.taken_at desc`.execute(trx);
  const spans = request.accounts.map(({ accountNo }) => {
    const opening = of.previous.get(accountNo)?.at ?? of.baselines.get(accountNo)?.at ?? request.span.from;
    const fromDay = request.zone.dayOf(opening < request.span.from ? opening : request.span.from);
    return { accountNo, fromDay, toDay: request.toDay };
  });
  return {
    unproven: await unprovenDays(trx, spans),
    unreadOrders: await findUnreadOrders(trx, request),
    bracket: new Map(looks.rows.map((row) => [row.account_no, row.state])),
  };
}

export function ceilingsOf(request: ProofRequest, figures: AccountFigures, readings: Readings): Ceiling[] {
  const { accountNo, baseline, closing } = figures;
  const ceilings: Ceiling[] = [];
  const unread = readings.unread.get(accountNo) ?? 0;
  const unproven = readings.unproven.get(accountNo) ?? 0;
  const unreadAfter = readings.unreadAfter.get(accountNo) ?? 0;
  if (unread > 0) ceilings.push({ verdict: 'incomplete', reason: reason('windows_unread', unread) });
  else if (unproven > 0) ceilings.push({ verdict: 'incomplete', reason: reason('days_unproven', unproven) });
  const unreadOrders = readings.unreadOrders.get(accountNo) ?? 0;
  if (unreadOrders > 0)
    ceilings.push({ verdict: 'incomplete', reason: reason('orders_unread', unreadOrders) });
  if (request.ledgerIncomplete !== undefined) {
    ceilings.push({ verdict: 'incomplete', reason: reason('ledger_incomplete', request.ledgerIncomplete) });
  }
  if (unreadAfter > 0)
    ceilings.push({ verdict: 'unverified', reason: reason('rollback_unread', unreadAfter) });
  else if (closing === undefined) ceilings.push(withoutClosing(readings.bracket.get(accountNo)));
  else if (baseline !== undefined) ceilings.push(...withoutHistory(request, { baseline, closing }));
  else ceilings.push({ verdict: 'unverified', reason: reason('no_baseline') });
  return ceilings;
}

function withoutClosing(look: 'stable' | 'moving' | 'absent' | undefined): Ceiling {
  switch (look) {
    case 'moving':
      return { verdict: 'unverified', reason: reason('balance_moving') };
    case 'absent':
      return { verdict: 'unverified', reason: reason('balance_absent') };
    case 'stable':
      return { verdict: 'unverified', reason: reason('no_snapshot') };
    case undefined:
      return { verdict: 'incomplete', reason: reason('balance_unread') };
  }
}

/** A closing rolled back from the very balance the baseline came from proves nothing but itself. */
function withoutHistory(request: ProofRequest, of: { baseline: Baseline; closing: Closing }): Ceiling[] {
  const beginsBefore =
    request.zone.dayOf(of.baseline.at) > request.fromDay || request.span.cut <= of.baseline.at;
  if (beginsBefore) return [{ verdict: 'unverified', reason: reason('before_baseline') }];
  const fromItself = of.baseline.snapshotAt === of.closing.snapshotAt;
  return fromItself ? [{ verdict: 'unverified', reason: reason('no_baseline') }] : [];
}
