/**
 * Where a run stands in the chain of each account's proofs: whether its closing may be the next one's opening, and
 * under which key its unexplained amount is found again (docs/reconciliation.md 3.8).
 */
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import { openUnexplained, spanningLinks, unexplainedKeys } from '../../store/runs/chain.ts';
import type { OpenUnexplained, Unexplained, UnexplainedKeys } from '../../store/runs/chain.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofRequest } from './proof-request.ts';
import { keepsFromProof } from './prove-account.ts';
import type { AccountFigures, AccountNumbers, VerdictCap } from './prove-account.ts';
import { reason } from './reasons.ts';
import { undivided } from './unexplained-parts.ts';
import type { UnexplainedPart } from './unexplained-parts.ts';

export interface ChainPlace {
  /** Nothing keeps the account from being proven: what is unexplained is a break of its own. */
  isProvable: boolean;
  /** The closing says more than that of a later proof which spans it. */
  isOwnReading: boolean;
  /**
   * With its keys, oldest day first. Empty where the account is not proven: what it cannot explain is shown with its
   * numbers, and the next proof spans the day and names it.
   */
  unexplained: Unexplained[];
}

/**
 * Days that a later proof has spanned already are proven: a closing there is a link only when it rests on a balance
 * of its own. One rolled back from the balance of that proof, or from a later one, says nothing new, and its
 * unexplained amount is that proof's.
 */
export async function findPlaces(
  trx: Transaction<Tables>,
  request: ProofRequest,
  accounts: readonly {
    figures: AccountFigures;
    verdictCaps: readonly VerdictCap[];
    unexplained: readonly UnexplainedPart[];
  }[],
): Promise<Map<string, ChainPlace>> {
  const { runId, toDay, zone, span } = request;
  const names = accounts.map(({ figures }) => figures.accountNo);
  const spanning = await spanningLinks(trx, names, { day: toDay, cut: span.cut });
  const keys = await unexplainedKeys(trx, runId, names);
  const open = await openUnexplained(trx, names);
  return new Map(
    accounts.map(({ figures: { accountNo, closing }, verdictCaps, unexplained }) => {
      const later = spanning.get(accountNo);
      const isOwnReading =
        later === undefined ||
        (closing !== undefined && closing.snapshotAt < zone.dayStart(addDays(later.toDay, 1)));
      const isProvable = !verdictCaps.some(keepsFromProof);
      const found = isProvable ? unexplained : [];
      const keyed = withKeys(found, {
        later: later?.unexplained ?? [],
        isOwnReading,
        keys: keys.get(accountNo),
        open: open.get(accountNo) ?? [],
      });
      return [accountNo, { isProvable, isOwnReading, unexplained: keyed }];
    }),
  );
}

/**
 * An amount keeps the key under which this run, another of the same last day, or a later proof that spans its day has
 * shown it. One that turns out to have arisen earlier keeps its key too; what is left for the later day gets another.
 * An open amount that no proof has any more was only assumed to be explained: where a balance lacks just that, it is
 * back.
 */
function withKeys(
  parts: readonly UnexplainedPart[],
  of: {
    later: readonly Unexplained[];
    isOwnReading: boolean;
    keys: UnexplainedKeys | undefined;
    open: readonly OpenUnexplained[];
  },
): Unexplained[] {
  const given = new Set<string>();
  const { own: shown, taken = [] } = of.keys ?? {};
  const toldFen = ({ toDay }: UnexplainedPart): Fen | undefined => {
    const own = shown?.get(toDay) ?? `unexplained:${toDay}`;
    return of.open.find((open) => open.key === own)?.fen;
  };
  return undivided(parts, toldFen).map(({ mayBe: _assumed, ...part }) => {
    const covering = of.later.find(({ toDay }) => toDay >= part.toDay);
    const isSame =
      covering !== undefined &&
      (covering.toDay === part.toDay || covering.fen === part.fen || !of.isOwnReading) &&
      !given.has(covering.key);
    const own = shown?.get(part.toDay) ?? taken.find(({ toDay }) => toDay === part.toDay)?.key;
    const isAdopted = isSame && (own === undefined || !of.isOwnReading);
    const back = of.open.find(
      (open) =>
        open.fen === part.fen &&
        open.firstDay <= part.toDay &&
        !given.has(open.key) &&
        !taken.some(({ key }) => key === open.key),
    );
    let key = isAdopted ? covering.key : (own ?? back?.key ?? `unexplained:${part.toDay}`);
    const elsewhere = taken.filter(({ toDay }) => toDay !== part.toDay).map(({ key }) => key);
    const others = new Set([...given, ...(isAdopted ? [] : elsewhere)]);
    while (others.has(key)) key += ':more';
    given.add(key);
    return { ...part, key };
  });
}

/**
 * Whether the next proof of the account may begin at this closing: the platform's figures prove it, whatever the books
 * lack, or it is its first balance. One of a later day that is rolled back from that very balance says no more than it.
 * @param verdictCaps of the platform's figures
 */
export function isChained(
  place: ChainPlace,
  { numbers, verdictCaps }: { numbers: AccountNumbers; verdictCaps: readonly VerdictCap[] },
): boolean {
  if (!place.isOwnReading || numbers.platformFen === undefined || numbers.openingFen === undefined)
    return false;
  const isFirst = numbers.openingRun === '';
  return verdictCaps.every(
    (cap) => !keepsFromProof(cap) || (isFirst && cap.reason === reason('no_baseline')),
  );
}
