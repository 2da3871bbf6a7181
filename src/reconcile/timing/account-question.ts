/**
 * What is asked of one account whose orders may lie on either side of its balance, of the cut, or of the opening that
 * the company states for it; and what is answered.
 */
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { PostingRules } from '../post/posting-rules.ts';
import type { AccountFigures } from '../balance/prove-account.ts';
import type { ProofSpan } from '../balance/scope.ts';
import type { EffectBounds } from './effect-bounds.ts';
import { placesOf, usualPlace } from './timing-places.ts';
import type { TimingScene } from './timing-places.ts';
import { effectId } from './timing-items.ts';
import type { UncertainEffect } from './timing-items.ts';
import { ITEMS_MAX } from './timing-question.ts';
import type { InflightModel, Place, TimingItem, TimingQuestion } from './timing-question.ts';
import { weighTiming } from './timing.ts';
import type { TimingAnswer } from './timing.ts';

export interface TimingRequest {
  span: ProofSpan;
  model: InflightModel | 'auto';
  posting: PostingRules;
  /** An account unproven for longer takes what leaves least, where no one placement alone explains its balance. */
  agingDays: number;
  /** A balance between two proofs: where it holds an error for certain, what leaves least is taken at once. */
  isBetween: boolean;
}

/** What an account's own figures say with every order at its usual place. */
export interface AccountBasis {
  figures: AccountFigures;
  unexplainedFen: Fen | undefined;
  /** What a proof of the same days has told already as unexplained; undefined: none has proven the account. */
  toldFen: Fen | undefined;
}

export interface WeighedAccount {
  basis: AccountBasis;
  own: readonly UncertainEffect[];
  openFen: Fen;
  mayHold: (fen: Fen) => boolean;
  isHeldUndecided: boolean;
}

export interface PlacedItem {
  effect: UncertainEffect;
  item: TimingItem;
}

export interface WeighedTiming {
  scene: TimingScene;
  items: readonly PlacedItem[];
  question: TimingQuestion;
  /** Undefined: more than can be weighed. */
  answer: TimingAnswer | undefined;
}

/** Where the account's proof begins with what the company states: until it is proven, nothing else tells. */
export function statedOpeningOf({ previous, baseline }: AccountFigures): Instant | undefined {
  return previous === undefined && baseline?.source === 'opening' ? baseline.at : undefined;
}

/** The closing of the run before, else the baseline. */
export function openingOf({ figures: { previous, baseline } }: AccountBasis): Instant | undefined {
  return previous?.at ?? baseline?.at;
}

/**
 * Which side of a stated opening an order lies on is weighed only where something is unexplained with every order on
 * the side it counts, and taken only where that explains it: an amount that nothing explains is told at once.
 */
export function weighAccount(
  request: TimingRequest,
  account: WeighedAccount,
  of: { bounds: EffectBounds; takesLeast?: boolean },
): WeighedTiming {
  const usual = weigh(request, account, { ...of, weighsOpening: false });
  const isOpen = account.own.some(({ isAtOpening }) => isAtOpening);
  if (!isOpen || usual.answer === undefined || usual.answer.isExplained) return usual;
  const opened = weigh(request, account, { ...of, weighsOpening: true });
  return opened.answer?.isExplained === true ? opened : usual;
}

function weigh(
  request: TimingRequest,
  account: WeighedAccount,
  of: { bounds: EffectBounds; takesLeast?: boolean; weighsOpening: boolean },
): WeighedTiming {
  const scene = sceneOf(request, account, of);
  const items = account.own.map((effect) => itemOf(effect, scene));
  const asked = questionOf(request, account, items);
  const question = { ...asked, takesLeast: of.takesLeast ?? false };
  const isWeighable = items.filter(isUncertain).length <= ITEMS_MAX;
  return { scene, items, question, answer: isWeighable ? weighTiming(question) : undefined };
}

export function isUncertain({ item }: PlacedItem): boolean {
  return item.places.length > 1;
}

function sceneOf(
  { span }: TimingRequest,
  { basis }: WeighedAccount,
  { bounds, weighsOpening }: { bounds: EffectBounds; weighsOpening: boolean },
): TimingScene {
  const { closing } = basis.figures;
  if (closing === undefined) throw new Error('Bug: an account without a closing has no timing');
  const isOpeningStated = statedOpeningOf(basis.figures) !== undefined;
  return { closing, openingAt: openingOf(basis), isOpeningStated, weighsOpening, span, bounds };
}

function questionOf(
  request: TimingRequest,
  { basis: { figures, unexplainedFen, toldFen }, openFen, mayHold }: WeighedAccount,
  items: readonly PlacedItem[],
): TimingQuestion {
  const { closing, previous, baseline, ledger } = figures;
  if (closing === undefined) throw new Error('Bug: an account without a closing has no timing');
  return {
    unexplainedFen: unexplainedFen ?? 0n,
    toldFen,
    closingFen: closing.balanceFen - closing.laterFen,
    frozenFen: closing.frozenFen,
    openFen,
    mayHold,
    items: items.map(({ item }) => item),
    openingDifferenceFen: ledger.assumed || baseline === undefined ? undefined : baseline.fen - ledger.fen,
    takesLeast: false,
    isBetween: request.isBetween,
    model: request.model,
    knownModel: previous?.model,
  };
}

function itemOf(effect: UncertainEffect, at: TimingScene): PlacedItem {
  const usual = usualPlace(effect, at);
  const places = placesOf(effect, usual, at);
  const { deltaFen, bookedSide, ledgerBeforeFen } = effect;
  const item: TimingItem = {
    key: effectId(effect),
    deltaFen,
    debitFen: places.includes('opening') ? 0n : effect.debitFen,
    isSeenBefore: effect.isSeenBefore,
    usual,
    likely: effect.isDated ? [usual] : likelyOf(places, bookedSide),
    places,
    bookedSide,
    lineFen: linesOf(effect, usual),
    crossingFen: {
      opening: bookedSide === undefined ? 0n : ledgerBeforeFen - deltaFen,
      since: ledgerBeforeFen,
    },
    notBeforeItem:
      effect.subject === 'settlement' || effect.subject === 'refund'
        ? effectId({ ...effect, subject: 'transfer', changeNo: 1 })
        : undefined,
  };
  return { effect, item };
}

/** What was not looked at before it was done counts with its transfer for want of anything else: the books may tell more. */
function likelyOf(places: readonly Place[], bookedSide: TimingItem['bookedSide']): readonly Place[] {
  const booked = places.filter(
    (place) => (place === 'opening' || place === 'before') === (bookedSide === 'before'),
  );
  return bookedSide === undefined || booked.length === 0 ? places : booked;
}

/** What lies before an opening that is not weighed has its line before it as well. */
function linesOf(effect: UncertainEffect, usual: Place): TimingItem['lineFen'] {
  const { deltaFen, othersFen, ledgerFen, isAtOpening } = effect;
  if (deltaFen === 0n) return { before: 0n, notBefore: 0n };
  const restFen = othersFen - ledgerFen;
  const before = restFen + deltaFen;
  return { before, notBefore: usual === 'opening' && !isAtOpening ? before : restFen };
}
