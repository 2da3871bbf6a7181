/** What the platform has frozen on an account is what its orders in flight hold (docs/reconciliation.md 3.4, 3.5). */
import type { Transaction } from 'kysely';
import { copyRows } from '../../store/database/bulk.ts';
import type { Fen } from '../../core/fen.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { Closing } from '../balance/closings.ts';
import type { AccountTiming } from '../timing/account-timing.ts';
import type { AccountFigures, VerdictCap } from '../balance/prove-account.ts';
import { reason } from '../balance/reasons.ts';
import { ITEMS_MAX } from '../timing/timing-question.ts';

const FOUND = {
  name: 'found',
  columns: [
    { name: 'account_no', type: 'text' },
    { name: 'item_key', type: 'text' },
    { name: 'class', type: 'text' },
    { name: 'severity', type: 'text' },
    { name: 'reference', type: 'text' },
    { name: 'platform_fen', type: 'bigint' },
    { name: 'ledger_fen', type: 'bigint' },
    { name: 'difference_fen', type: 'bigint' },
    { name: 'line', type: 'boolean' },
    { name: 'note', type: 'text' },
  ],
} as const;

/**
 * A frozen amount that open orders do not explain is a `frozen` break of that difference, which is no part of the
 * account's own; so is an amount of the balance that is neither available nor frozen, and an in-flight model that is another than last time, with difference 0. One placement of orders
 * taken of several that explain the balance is an `ambiguous` break for a person to sign, with difference 0.
 */
export async function frozenIsInFlight(
  trx: Transaction<Tables>,
  figures: readonly AccountFigures[],
  timings: ReadonlyMap<string, AccountTiming>,
): Promise<void> {
  const rows = figures.flatMap(({ accountNo, closing }) => {
    const timing = timings.get(accountNo);
    if (timing === undefined || timing.tooMany > 0) return [];
    const found: (string | null)[][] = [];
    const frozenFen = closing?.frozenFen;
    if (frozenFen !== undefined && frozenFen !== timing.frozenDueFen) {
      const difference = (frozenFen - timing.frozenDueFen).toString();
      const due = timing.frozenDueFen.toString();
      const tooMany = timing.undecided === '' ? '' : `; ${timing.undecided}: too many to decide`;
      const note = `frozen amount against what orders in flight hold${tooMany}`;
      found.push([
        accountNo,
        'frozen',
        'frozen',
        'break',
        accountNo,
        frozenFen.toString(),
        due,
        difference,
        'f',
        note,
      ]);
    }
    const amounts = neitherFreeNorFrozen(closing, timing)?.map(String);
    if (amounts !== undefined) {
      const note = 'what of the balance is not available against what is frozen of it';
      found.push([accountNo, 'frozen:available', 'frozen', 'break', accountNo, ...amounts, 'f', note]);
    }
    if (timing.changedFrom !== undefined) {
      const note = `amounts in flight were ${timing.changedFrom} before and are ${timing.model ?? ''} now`;
      found.push([accountNo, 'frozen:model', 'frozen', 'break', accountNo, null, null, '0', 'f', note]);
    }
    const { takenFrom } = timing;
    if (takenFrom > 0) {
      const note = `one of ${takenFrom} placements that explain the balance was taken: ${namedOrders(timing)}`;
      found.push([accountNo, 'timing', 'ambiguous', 'break', accountNo, null, null, '0', 'f', note]);
    }
    return found;
  });
  await copyRows(trx, FOUND, rows);
}

/**
 * What the balance holds is available or frozen, or else all of it is available and what is frozen stands beside it
 * (U23). Where nothing is stated as frozen, it is what orders in flight hold.
 * @returns what is not available, what of it is known to be frozen, and their difference; undefined: there is none
 */
function neitherFreeNorFrozen(
  closing: Closing | undefined,
  { frozenDueFen }: AccountTiming,
): readonly [Fen, Fen, Fen] | undefined {
  if (closing?.availableFen === undefined) return undefined;
  const heldFen = closing.balanceFen - closing.availableFen;
  const knownFen = closing.frozenFen ?? frozenDueFen;
  return heldFen === 0n || heldFen === knownFen ? undefined : [heldFen, knownFen, heldFen - knownFen];
}

/** Why orders on the edge keep the account from a better verdict. */
export function timingVerdictCaps({ tooMany, candidates, isUnexplained }: AccountTiming): VerdictCap[] {
  const verdictCaps: VerdictCap[] = [];
  if (tooMany > 0) {
    verdictCaps.push({
      verdict: 'unverified',
      reason: reason('ambiguous_orders', `${tooMany} > ${ITEMS_MAX}`),
    });
  }
  if (candidates.length > 0) {
    const code = isUnexplained ? 'timing_unexplained' : 'timing_candidates';
    verdictCaps.push({ verdict: 'unverified', reason: reason(code, candidates.length) });
  }
  return verdictCaps;
}

/** Names of orders shown with an assumption; the others are counted. */
const NAMES_MAX = 20;

/** What the account's proof rests on besides its balance. */
export function timingAssumptions({ assumed, isDebitedInferred, openFen }: AccountTiming): string[] {
  const assumptions: string[] = [];
  if (assumed.length > 0) assumptions.push(reason('timing_assumed', namedOrders({ assumed })));
  if (isDebitedInferred) assumptions.push(reason('debited_inferred', `${openFen} fen`));
  return assumptions;
}

function namedOrders({ assumed }: Pick<AccountTiming, 'assumed'>): string {
  const more = assumed.length > NAMES_MAX ? ` and ${assumed.length - NAMES_MAX} more` : '';
  return `${assumed.slice(0, NAMES_MAX).join(', ')}${more}`;
}
