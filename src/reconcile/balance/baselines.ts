/**
 * Where the proof of each account begins: its stated opening, else the first balance that was seen
 * (docs/reconciliation.md 3.4).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import { progressOf } from '../../store/database/writing.ts';
import { provenOpenings } from '../../store/intake/openings.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { keptBaselines } from './closings.ts';
import type { Closing, KeptBaseline } from './closings.ts';
import { unprovenDays } from './figures.ts';
import type { GoneAccounts } from './gone-accounts.ts';
import type { ProofRequest } from './proof-request.ts';
import { layOutDebits, openDebits, stageReadBalances } from './in-flight.ts';
import type { Baseline } from './scope.ts';

/**
 * What the first proof of the account began with, whatever is stated since; before that the opening the company
 * states; else the baseline kept from the first run; else, where a balance is there,
 * this run's start rolled back from it, kept from now on.
 */
export async function findBaselines(
  trx: Transaction<Tables>,
  request: ProofRequest,
  { closing, unread, gone }: FirstBalances,
): Promise<Map<string, Baseline>> {
  const proven = await provenOpenings(trx);
  const stated = new Map<string, Baseline>();
  for (const { accountNo, opening: now } of request.accounts) {
    const opening = proven.has(accountNo) ? proven.get(accountNo) : now;
    if (opening) stated.set(accountNo, { ...opening, ...STATED });
  }
  await keepFirstBalances(trx, request, { closing, unread, gone, stated });
  const names = request.accounts.map(({ accountNo }) => accountNo);
  const baselines = new Map<string, Baseline>();
  const kept = await keptBaselines(trx, names);
  const held = await heldAtBaselines(trx, request, kept);
  for (const [accountNo, { at, fen, snapshotAt, toldFen }] of kept) {
    const heldFen = held.get(accountNo) ?? 0n;
    baselines.set(accountNo, { at, fen: fen + heldFen, snapshotAt, toldFen, source: 'first_snapshot' });
  }
  for (const [accountNo, opening] of stated) baselines.set(accountNo, opening);
  return baselines;
}

const STATED = { source: 'opening', snapshotAt: undefined, toldFen: undefined } as const;

interface FirstBalances {
  closing: ReadonlyMap<string, Closing>;
  unread: ReadonlyMap<string, unknown>;
  gone: GoneAccounts;
}

/** An account without an opening begins with the first balance that can be rolled back over all of the run. */
async function keepFirstBalances(
  trx: Transaction<Tables>,
  request: ProofRequest,
  of: FirstBalances & { stated: ReadonlyMap<string, Baseline> },
): Promise<void> {
  const candidates = request.accounts.filter(
    ({ accountNo }) => !of.stated.has(accountNo) && of.closing.has(accountNo) && !of.unread.has(accountNo),
  );
  const gaps = await unprovenDays(
    trx,
    candidates.map(({ accountNo }) => ({ accountNo, fromDay: request.fromDay, toDay: request.toDay })),
  );
  for (const { accountNo } of candidates) {
    const closing = of.closing.get(accountNo);
    if (closing === undefined || (gaps.has(accountNo) && !of.gone.has(accountNo))) continue;
    await trx
      .insertInto('account_baseline')
      .values({
        account_no: accountNo,
        at: request.span.from,
        balance_fen: closing.balanceFen,
        snapshot_at: closing.snapshotAt,
        snapshot_closed_at: closing.closedAt,
        run_id: request.runId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** A first balance that a run tells is a fact from then on: what moves it later is seen by it. */
export async function keepToldBalances(
  trx: Transaction<Tables>,
  told: readonly { accountNo: string; baseline: Baseline | undefined }[],
): Promise<void> {
  const first = told.flatMap(({ accountNo, baseline }) =>
    baseline?.source === 'first_snapshot' && baseline.toldFen === undefined
      ? [{ accountNo, fen: baseline.fen }]
      : [],
  );
  if (first.length === 0) return;
  const knownNo = await progressOf(trx, 'match');
  await sql`
    update account_baseline b set told_fen = t.fen, told_no = ${knownNo}::bigint
    from unnest(${first.map(({ accountNo }) => accountNo)}::text[], ${first.map(({ fen }) => fen)}::bigint[])
      t (account_no, fen)
    where b.account_no = t.account_no`.execute(trx);
}

/** Orders that were open at a baseline are known after so many days; until then it is looked at anew. */
const BASELINE_SETTLES_DAYS = 31;

/**
 * What was in flight at baselines that had been debited for it (U23): where the profile says so, or where nothing
 * was frozen although something was in flight.
 */
async function heldAtBaselines(
  trx: Transaction<Tables>,
  request: ProofRequest,
  kept: ReadonlyMap<string, KeptBaseline>,
): Promise<Map<string, Fen>> {
  const { inflightModel, posting } = request.rules;
  const settledBefore = request.zone.dayStart(addDays(request.toDay, -BASELINE_SETTLES_DAYS));
  const held = new Map([...kept].map(([accountNo, { heldFen }]) => [accountNo, heldFen]));
  const recent = [...kept].filter(([, { at }]) => at >= settledBefore);
  if (recent.length === 0 || inflightModel === 'frozen') return held;
  const reads = recent.map(([accountNo, { openedAt, closedAt }]) => ({ accountNo, openedAt, closedAt }));
  await stageReadBalances(trx, reads);
  await layOutDebits(trx, posting, reads.map(({ openedAt }) => openedAt).toSorted()[0] ?? request.span.from);
  const open = await openDebits(trx);
  for (const [accountNo, { frozenFen, heldFen }] of recent) {
    const isDebited = inflightModel === 'debited' || frozenFen === 0n;
    const nowFen = isDebited ? (open.get(accountNo) ?? 0n) : 0n;
    held.set(accountNo, nowFen);
    if (nowFen === heldFen) continue;
    await trx
      .updateTable('account_baseline')
      .set({ held_fen: nowFen })
      .where('account_no', '=', accountNo)
      .execute();
  }
  return held;
}
