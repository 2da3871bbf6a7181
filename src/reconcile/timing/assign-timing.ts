/**
 * Puts every order whose looks leave it open on one side of the cut and of the balances, account by account: what
 * one account's balance decides narrows the bounds for the others. What cannot be decided is said.
 */
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import { addMs } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import type { Tables } from '../store/schema.ts';
import { accountTiming, tooManyTiming } from './account-timing.ts';
import type { AccountTiming } from './account-timing.ts';
import { layOutDebits, openDebits, possibleDebits, stageReadBalances } from './in-flight.ts';
import type { PostingRules } from './posting-rules.ts';
import type { AccountFigures } from './prove-account.ts';
import type { ProofSpan } from './scope.ts';
import { EffectBounds } from './effect-bounds.ts';
import { sumsOfHolds } from './possible-holds.ts';
import { narrowTo, placesOf, usualPlace } from './timing-places.ts';
import type { TimingScene } from './timing-places.ts';
import { effectId, listUncertain, saveCountsFrom } from './timing-items.ts';
import type { UncertainEffect } from './timing-items.ts';
import { ITEMS_MAX } from './timing-question.ts';
import type { InflightModel, TimingItem, TimingQuestion } from './timing-question.ts';
import { isBeyondAll, weighTiming } from './timing.ts';

export interface TimingRequest {
  span: ProofSpan;
  model: InflightModel | 'auto';
  posting: PostingRules;
  /** An account unproven for longer takes what leaves least, where no one placement alone explains its balance. */
  agingDays: number;
  /** A balance between two proofs: where it holds an error for certain, what leaves least is taken at once. */
  isBetween: boolean;
}

export interface Timings {
  byAccount: ReadonlyMap<string, AccountTiming>;
  /** Whether movements now count elsewhere, so that sums must be taken again. */
  moved: boolean;
}

/** What an account's own figures say with every order at its usual place. */
export interface AccountBasis {
  figures: AccountFigures;
  unexplainedFen: Fen | undefined;
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
  const effects = groupByAccount(await listUncertain(trx, request.span));
  const bounds = new EffectBounds([...effects.values()].flat());
  const weighed = closed
    .toSorted((a, b) => countOf(effects, a) - countOf(effects, b))
    .map((basis) => ({
      basis,
      own: effects.get(basis.figures.accountNo) ?? [],
      openFen: open.get(basis.figures.accountNo) ?? 0n,
      mayHold: sumsOfHolds(possible.get(basis.figures.accountNo) ?? []),
    }));
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

function countOf(effects: ReadonlyMap<string, readonly unknown[]>, { figures }: AccountBasis): number {
  return effects.get(figures.accountNo)?.length ?? 0;
}

function feeAccounts({ bearers }: PostingRules): string[] {
  return Object.values(bearers).flatMap((bearer) =>
    bearer.startsWith('acct:') ? [bearer.slice('acct:'.length)] : [],
  );
}

function readBalance({ accountNo, closing }: AccountFigures) {
  if (closing === undefined) throw new Error('Bug: an account without a closing has no balance');
  return { accountNo, openedAt: closing.openedAt, closedAt: closing.closedAt };
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

interface WeighedAccount {
  basis: AccountBasis;
  own: readonly UncertainEffect[];
  openFen: Fen;
  mayHold: (fen: Fen) => boolean;
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
  const scene = sceneOf(request, account, bounds);
  const items = account.own.map((effect) => itemOf(effect, scene));
  const count = items.filter(isUncertain).length;
  if (count === 0 || count > ITEMS_MAX) return [];
  const { certain } = weighTiming(questionOf(request, account, items));
  const { openedAt, closedAt } = scene.closing;
  const narrowed: string[] = [];
  for (const { effect, item } of items) {
    const side = certain.get(item.key);
    if (side === undefined) continue;
    const isNews = bounds.narrow(effect, side === 'inside' ? { to: openedAt } : { from: addMs(closedAt, 1) });
    if (isNews) narrowed.push(item.key);
  }
  return narrowed;
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
  { bounds, takesLeast = false }: { bounds: EffectBounds; takesLeast?: boolean },
): AccountTiming {
  const { own, openFen } = account;
  const scene = sceneOf(request, account, bounds);
  const items = own.map((effect) => itemOf(effect, scene));
  const uncertain = items.filter(isUncertain);
  const knownModel = account.basis.figures.previous?.model;
  const question = questionOf(request, account, items);
  if (uncertain.length > ITEMS_MAX) {
    const isUnexplained = isBeyondAll(question);
    const effects = uncertain.map(({ effect }) => effect);
    return tooManyTiming(effects, { knownModel, openFen, isUnexplained, takesUsual: takesLeast });
  }
  const answer = weighTiming({ ...question, takesLeast });
  if (answer.rivals.length === 0) {
    for (const { effect } of uncertain) {
      narrowTo(effect, answer.places.get(effectId(effect)) ?? 'after', scene);
    }
  }
  // What another account's balance decided was uncertain all the same.
  const unaided = { ...scene, bounds: new EffectBounds(own) };
  const doubted = own.flatMap((effect) => {
    const places = placesOf(effect, usualPlace(effect, scene), unaided);
    return places.length > 1 ? [{ effect, places }] : [];
  });
  return accountTiming({
    model: request.model,
    answer,
    knownModel,
    uncertain: doubted.map(({ effect }) => effect),
    doubted: doubted.flatMap(({ effect, places }) => (places.includes('after') ? [effect] : [])),
  });
}

function sceneOf({ span }: TimingRequest, { basis }: WeighedAccount, bounds: EffectBounds): TimingScene {
  const { closing } = basis.figures;
  if (closing === undefined) throw new Error('Bug: an account without a closing has no timing');
  return { closing, openingAt: openingOf(basis), span, bounds };
}

/** The closing of the run before, else the baseline. */
function openingOf({ figures: { previous, baseline } }: AccountBasis): Instant | undefined {
  return previous?.at ?? baseline?.at;
}

function questionOf(
  request: TimingRequest,
  { basis: { figures, unexplainedFen }, openFen, mayHold }: WeighedAccount,
  items: readonly PlacedItem[],
): TimingQuestion {
  const { closing, previous } = figures;
  if (closing === undefined) throw new Error('Bug: an account without a closing has no timing');
  return {
    unexplainedFen: unexplainedFen ?? 0n,
    closingFen: closing.balanceFen - closing.laterFen,
    frozenFen: closing.frozenFen,
    openFen,
    mayHold,
    items: items.map(({ item }) => item),
    takesLeast: false,
    isBetween: request.isBetween,
    model: request.model,
    knownModel: previous?.model,
  };
}

function isUncertain({ item }: PlacedItem): boolean {
  return item.places.length > 1;
}

interface PlacedItem {
  effect: UncertainEffect;
  item: TimingItem;
}

function itemOf(effect: UncertainEffect, at: TimingScene): PlacedItem {
  const usual = usualPlace(effect, at);
  const places = placesOf(effect, usual, at);
  const restFen = effect.othersFen - effect.ledgerFen;
  const item: TimingItem = {
    key: effectId(effect),
    deltaFen: effect.deltaFen,
    debitFen: effect.debitFen,
    isSeenBefore: effect.isSeenBefore,
    usual,
    places,
    bookedSide: effect.bookedSide,
    lineFen:
      effect.deltaFen === 0n
        ? { before: 0n, notBefore: 0n }
        : { before: restFen + effect.deltaFen, notBefore: restFen },
    notBeforeItem:
      effect.subject === 'settlement' || effect.subject === 'refund'
        ? effectId({ ...effect, subject: 'transfer', changeNo: 1 })
        : undefined,
  };
  return { effect, item };
}
