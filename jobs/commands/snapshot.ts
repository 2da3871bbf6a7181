/**
 * `recon snapshot`: the balances as they are now, each bracketed with the account's open orders and newest records:
 * the only history of balances there is (U23, U50). The midnight cron calls it at each day's cut.
 */
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { addDays, addMs } from '../../src/core/time.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { NO_ACCOUNTS, listAccounts } from '../../src/store/intake/accounts.ts';
import { chooseActive } from '../../src/store/intake/active-accounts.ts';
import { bracketAccounts, SNAPSHOT_LEASE } from '../night/collect/bracket.ts';
import type { Bracketed } from '../night/collect/bracket.ts';
import { OWN_WORK } from '../units/unit.ts';
import { collectOrders } from '../night/collect/collect-orders.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { tableText } from '../cli/table-text.ts';
import { underLease } from '../context/under-lease.ts';

export interface Snapshots {
  takenAt: Instant;
  bracketed: Bracketed[];
}

export function snapshotCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: true }, async (context) =>
    outcomeOf(await takeSnapshots(context), context.zone),
  );
}

/**
 * Takes and stores the balance of every active account.
 * @throws LockHeld when another process is at it; WrongInput when there is no account to ask for
 */
export async function takeSnapshots(context: Context): Promise<Snapshots> {
  const takenAt = context.clock.wall();
  const accounts = await activeAccounts(context, takenAt);
  const today = context.zone.dayOf(takenAt);
  const runId = `snapshot-${context.zone.compactText(takenAt)}`;
  return underLease(context, SNAPSHOT_LEASE, async (at) => {
    const run = {
      runId,
      purpose: 'snapshot' as const,
      fromDay: today,
      toDay: addDays(today, -1),
      claim: OWN_WORK,
    };
    await collectOrders(at, { ...run, today });
    const bracketed = await bracketAccounts(at, run, accounts);
    const unread = bracketed.filter(({ snapshot }) => snapshot === undefined).length;
    at.log.info({ event: 'snapshot.taken', runId, accounts: bracketed.length, unread });
    return { takenAt, bracketed };
  });
}

async function activeAccounts({ db, zone }: Pick<Context, 'db' | 'zone'>, now: Instant) {
  const all = await listAccounts(db);
  const active = await chooseActive(db, all, { from: now, to: addMs(now, 1), timeZone: zone.name });
  if (active.length === 0) {
    throw new WrongInput(all.length === 0 ? NO_ACCOUNTS : 'no account is active now');
  }
  return active.map((account) => ({
    accountNo: account.account_no,
    eleAcctNo: account.ele_acct_no ?? undefined,
  }));
}

/** What is missing in an account that could be read; it is stored as it is, and the proof says `unverified`. */
const REASONS = { stable: '', moving: 'it moved at every reading', absent: 'the platform states no balance' };

function outcomeOf({ takenAt, bracketed }: Snapshots, zone: Zone): Outcome {
  const snapshots = bracketed.map(({ accountNo, snapshot, reason }) => ({
    accountNo,
    state: snapshot?.state ?? ('unread' as const),
    balanceFen: snapshot?.balance_fen ?? null,
    frozenFen: snapshot?.frozen_fen ?? null,
    availableFen: snapshot?.available_fen ?? null,
    takenAt: snapshot?.taken_at ?? null,
    tries: snapshot?.tries ?? null,
    reason: snapshot === undefined ? reason : REASONS[snapshot.state],
  }));
  const text = tableText(
    ['account', 'state', 'balance', 'frozen', 'available', 'taken at', 'tries', 'why'],
    snapshots.map((taken) => [
      taken.accountNo,
      taken.state,
      money(taken.balanceFen),
      money(taken.frozenFen),
      money(taken.availableFen),
      taken.takenAt === null ? '' : zone.localText(taken.takenAt),
      taken.tries === null ? '' : String(taken.tries),
      taken.reason,
    ]),
    { right: [2, 3, 4, 6] },
  );
  const status = snapshots.some(({ state }) => state === 'unread') ? 1 : 0;
  return { status, document: { schema: 1, takenAt, snapshots }, text };
}

function money(fen: Fen | null): string {
  return fen === null ? '?' : yuanForPeople(fen);
}
