/**
 * Puts every order whose looks leave it open on one side of the cut and of the balances, account by account: what
 * one account's balance decides narrows the bounds for the others. What cannot be decided is said.
 */
import type { Transaction } from 'kysely';
import { addMs } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { isUncertain, openingOf, statedOpeningOf, weighAccount } from './account-question.ts';
import type { AccountBasis, TimingRequest, WeighedAccount } from './account-question.ts';
import { accountTiming, tooManyTiming } from './account-timing.ts';
import type { AccountTiming } from './account-timing.ts';
import { layOutDebits, openDebits, possibleDebits, stageReadBalances } from '../balance/in-flight.ts';
import type { ReadBalance } from '../balance/in-flight.ts';
import type { PostingRules } from '../post/posting-rules.ts';
import type { AccountFigures } from '../balance/prove-account.ts';
import { EffectBounds } from './effect-bounds.ts';
import { areTooManyHolds, sumsOfHolds } from './possible-holds.ts';
import { narrowTo, placesOf, usualPlace } from './timing-places.ts';
import type { TimingScene } from './timing-places.ts';
import { effectId, listUncertain, saveCountsFrom } from './timing-items.ts';
import type { UncertainEffect } from './timing-items.ts';
import type { TimingItem } from './timing-question.ts';
import type { Side } from './timing-search.ts';
import { isBeyondAll } from './timing.ts';

export interface Timings {
  byAccount: ReadonlyMap<string, AccountTiming>;
  /** Whether movements now count elsewhere, so that sums must be taken again. */
  moved: boolean;
}

/** Decides and writes where uncertain orders count; needs the figures as they are without that. */
export async function assignTiming(
  trx: Transaction<Tables>,
  request: TimingRequest,
  bases: readonly AccountBasis[],
): Promise<Timings> {
  const closed = bases.filter(({ figures }) => figures.closing !== undefined);
  const balances = closed.map(({ figures }) => readBalance(figures));
  await stageReadBalances(trx, balances);
  await layOutDebits(trx, request.posting, request.span.cut);
  const open = await openDebits(trx);
  const possible = await possibleDebits(trx);
  const effects = groupByAccount(decidedElsewhere(await listUncertain(trx, request), bases));
  const bounds = new EffectBounds([...effects.values()].flat());
  const weighed = closed
    .toSorted((a, b) => countOf(effects, a) - countOf(effects, b))
    .map((basis) => {
      const { accountNo } = basis.figures;
      const possibleHolds = possible.get(accountNo) ?? [];
      return {
        basis,
        own: effects.get(accountNo) ?? [],
        openFen: open.get(accountNo) ?? 0n,
        mayHold: sumsOfHolds(possibleHolds),
        isHeldUndecided: areTooManyHolds(possibleHolds),
      };
    });
  narrowByBalances(request, weighed, bounds);
  const byAccount = new Map<string, AccountTiming>();
  for (let round = 0; round < 2; round++) {
    for (const account of weighed) {
      if (round > 0 && account.own.length === 0) continue;
      byAccount.set(account.basis.figures.accountNo, timingOf(request, account, { bounds }));
    }
  }
  // The last resort comes last: what is decided on other accounts is decided without it.
  for (const account of weighed) {
    const { accountNo } = account.basis.figures;
    const known = byAccount.get(accountNo);
    if (known === undefined || !isTakenAsLastResort(request, account, known)) continue;
    const taken = timingOf(request, account, { bounds, takesLeast: true });
    const amounts = known.candidates.map(({ unexplainedFen }) => unexplainedFen);
    byAccount.set(accountNo, {
      ...taken,
      takenFrom: known.isUnexplained ? 0 : amounts.length,
      mayLeave: amounts.filter((fen) => fen !== 0n),
    });
  }
  const placed = bounds.changed();
  await saveCountsFrom(trx, placed, feeAccounts(request.posting));
  return { byAccount, moved: placed.length > 0 };
}

/** What another account's proof rests on already lies on no other side of this account's opening. */
function decidedElsewhere(
  effects: readonly UncertainEffect[],
  bases: readonly AccountBasis[],
): UncertainEffect[] {
  const provenTo = new Map(bases.map(({ figures }) => [figures.accountNo, figures.previous?.at ?? '']));
  return effects.map((effect) => {
    const isProven = (provenTo.get(effect.otherAccount) ?? '') > effect.countsFrom;
    return { ...effect, isAtOpening: effect.isAtOpening && !isProven };
  });
}

function countOf(effects: ReadonlyMap<string, readonly unknown[]>, { figures }: AccountBasis): number {
  return effects.get(figures.accountNo)?.length ?? 0;
}

function feeAccounts({ bearers }: PostingRules): string[] {
  return Object.values(bearers).flatMap((bearer) =>
    bearer.startsWith('acct:') ? [bearer.slice('acct:'.length)] : [],
  );
}

function readBalance(figures: AccountFigures): ReadBalance {
  const { accountNo, closing, ledger } = figures;
  if (closing === undefined) throw new Error('Bug: an account without a closing has no balance');
  const { openedAt, closedAt } = closing;
  const at = statedOpeningOf(figures);
  const statedOpening = at === undefined ? undefined : { at, booksFrom: ledger.at };
  return { accountNo, openedAt, closedAt, statedOpening };
}

function groupByAccount(effects: readonly UncertainEffect[]): Map<string, UncertainEffect[]> {
  const byAccount = new Map<string, UncertainEffect[]>();
  for (const effect of effects) {
    const own = byAccount.get(effect.accountNo);
    if (own) own.push(effect);
    else byAccount.set(effect.accountNo, [effect]);
  }
  return byAccount;
}

/**
 * What balances say whichever model holds comes before what is preferred on one account, its model or its books:
 * that of the payee may tell what two models leave open on the payer's. Bounds only get narrower, so this ends.
 */
function narrowByBalances(
  request: TimingRequest,
  accounts: readonly WeighedAccount[],
  bounds: EffectBounds,
): void {
  let due = accounts;
  while (due.length > 0) {
    const narrowed = new Set(due.flatMap((account) => narrowByBalance(request, account, bounds)));
    due = accounts.filter(({ own }) => own.some((effect) => narrowed.has(effectId(effect))));
  }
}

/** @returns the effects of which less is left open than before */
function narrowByBalance(request: TimingRequest, account: WeighedAccount, bounds: EffectBounds): string[] {
  if (account.own.length === 0) return [];
  const { scene, items, answer } = weighAccount(request, account, { bounds });
  if (answer === undefined) return [];
  const narrowed: string[] = [];
  for (const { effect, item } of items) {
    const side = answer.certain.get(item.key);
    if (side !== undefined && bounds.narrow(effect, boundOf(item, side, scene))) narrowed.push(item.key);
  }
  return narrowed;
}

/** Inside the balance or not; inside the opening or not. */
function boundOf(
  { places }: TimingItem,
  side: Side,
  { closing, openingAt }: TimingScene,
): { from: Instant } | { to: Instant } {
  if (openingAt !== undefined && places.includes('opening')) {
    return side === 'inside' ? { from: openingAt } : { to: addMs(openingAt, -1) };
  }
  return side === 'inside' ? { to: closing.openedAt } : { from: addMs(closing.closedAt, 1) };
}

/** Nothing is assumed of a balance on the way that may be right; of more orders than can be weighed only there. */
function isTakenAsLastResort(
  request: TimingRequest,
  account: WeighedAccount,
  { candidates, isUnexplained, isContradicted }: AccountTiming,
): boolean {
  if (request.isBetween) return isUnexplained || isContradicted;
  return candidates.length > 0 && isUnprovenForLong(request, account);
}

function isUnprovenForLong({ span, agingDays }: TimingRequest, { basis }: WeighedAccount): boolean {
  const openingAt = openingOf(basis);
  return openingAt !== undefined && openingAt < addMs(span.cut, -agingDays * DAY_MS);
}

const DAY_MS = 86_400_000;

function timingOf(
  request: TimingRequest,
  account: WeighedAccount,
  of: { bounds: EffectBounds; takesLeast?: boolean },
): AccountTiming {
  const { own, openFen, isHeldUndecided } = account;
  const { scene, items, question, answer } = weighAccount(request, account, of);
  const uncertain = items.filter(isUncertain);
  const { knownModel } = question;
  if (answer === undefined) {
    const isUnexplained = isBeyondAll(question);
    const effects = uncertain.map(({ effect }) => effect);
    return tooManyTiming(effects, { knownModel, openFen, isUnexplained, takesUsual: question.takesLeast });
  }
  if (answer.rivals.length === 0) {
    for (const { effect } of uncertain) {
      narrowTo(effect, answer.places.get(effectId(effect)) ?? 'after', scene);
    }
  }
  // What another account's balance decided was uncertain all the same.
  const unaided = { ...scene, bounds: new EffectBounds(own) };
  const doubted = own.flatMap((effect) => {
    const places = placesOf(effect, usualPlace(effect, scene), unaided);
    const isWeighed = places.length > 1;
    const isAcross = effect.isAtOpening && (effect.isPlaced || (isWeighed && places.includes('opening')));
    return isWeighed || isAcross ? [{ effect, places, isAcross }] : [];
  });
  return accountTiming({
    model: request.model,
    answer,
    knownModel,
    uncertain: doubted.map(({ effect }) => effect),
    doubted: doubted.flatMap(({ effect, places }) => (places.includes('after') ? [effect] : [])),
    isOpeningAssumed: doubted.some(({ isAcross }) => isAcross),
    isHeldUndecided,
  });
}
