/** What is known of an account's orders in flight and on the edge of a balance or of the cut, and how it is said. */
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { effectId } from './timing-items.ts';
import type { UncertainEffect } from './timing-items.ts';
import type { Assignment, InflightModel, Place } from './timing-question.ts';
import type { TimingAnswer } from './timing.ts';

export interface AccountTiming {
  /** The model that is proven by now; undefined where nothing was ever in flight. */
  model: InflightModel | undefined;
  openFen: Fen;
  /** What of it the balance had been debited for already. */
  heldFen: Fen;
  frozenDueFen: Fen;
  /** The model was not the one of the run before. */
  changedFrom: InflightModel | undefined;
  /** Debited was inferred from the balance, not stated. */
  isDebitedInferred: boolean;
  /** More orders than can be weighed. */
  tooMany: number;
  /** Orders whose side was decided, by the one assignment that explains the balance or as a last resort. */
  assumed: string[];
  candidates: { assume: string; closingFen: Fen; unexplainedFen: Fen }[];
  /** Which orders lie in the balance is known, or one choice of them alone explains it. */
  isBalanceDecided: boolean;
  /** Orders were put on a side of the stated opening: no later balance tells more of that. */
  isOpeningAssumed: boolean;
  /** The first look that leaves no doubt which of its orders lie in a balance after it; undefined where none is doubted. */
  certainFrom: Instant | undefined;
  /** None of the candidates explains the balance, or not even all orders together could. */
  isUnexplained: boolean;
  /** What explains the balance leaves the frozen amount unexplained, and the other way round. */
  isContradicted: boolean;
  /** Of how many that explain the balance one was taken as a last resort. */
  takenFrom: number;
  /** Why what may have been held explains nothing of the frozen amount: it is too much to decide; else empty. */
  undecided: string;
  /** What each placement would leave unexplained, where none explains the balance and one was taken as a last resort. */
  mayLeave: readonly Fen[];
}

/**
 * More orders than can be weighed: nothing is decided.
 * @param of.takesUsual the last resort: all of them are taken to be where they usually are
 */
export function tooManyTiming(
  effects: readonly UncertainEffect[],
  of: {
    knownModel: InflightModel | undefined;
    openFen: Fen;
    isUnexplained: boolean;
    takesUsual: boolean;
  },
): AccountTiming {
  const { knownModel, openFen, isUnexplained, takesUsual } = of;
  return {
    model: knownModel,
    openFen,
    heldFen: knownModel === 'debited' ? openFen : 0n,
    frozenDueFen: knownModel === 'debited' ? 0n : openFen,
    changedFrom: undefined,
    isDebitedInferred: false,
    tooMany: takesUsual ? 0 : effects.length,
    assumed: takesUsual ? namesOf(effects) : [],
    candidates: [],
    isBalanceDecided: false,
    isOpeningAssumed: false,
    certainFrom: undefined,
    isUnexplained: isUnexplained && !takesUsual,
    isContradicted: false,
    takenFrom: 0,
    undecided: '',
    mayLeave: [],
  };
}

export function accountTiming(of: {
  model: InflightModel | 'auto';
  answer: TimingAnswer;
  knownModel: InflightModel | undefined;
  uncertain: readonly UncertainEffect[];
  /** Those of them that may lie in the balance or outside it. */
  doubted: readonly UncertainEffect[];
  isOpeningAssumed: boolean;
  /** Refunds and settlements are too many to tell what they may have held. */
  isHeldUndecided: boolean;
}): AccountTiming {
  const { answer, knownModel } = of;
  const wasInFlight = answer.openFen !== 0n;
  const isNew = wasInFlight && answer.isModelProven;
  const isDecided = answer.rivals.length === 0;
  return {
    model: isNew ? answer.model : knownModel,
    openFen: answer.openFen,
    heldFen: answer.heldFen,
    frozenDueFen: answer.frozenDueFen,
    changedFrom: isNew && knownModel !== undefined && knownModel !== answer.model ? knownModel : undefined,
    isDebitedInferred: isNew && of.model === 'auto' && answer.model === 'debited',
    tooMany: 0,
    assumed: isDecided ? namesOf(of.uncertain) : [],
    candidates: answer.rivals.map((rival) => ({
      assume: describe(of.uncertain, rival),
      closingFen: rival.closingFen,
      unexplainedFen: rival.unexplainedFen,
    })),
    isBalanceDecided: answer.isBalanceDecided,
    isOpeningAssumed: of.isOpeningAssumed,
    certainFrom: of.doubted
      .map(({ upper }) => upper)
      .toSorted()
      .at(-1),
    isUnexplained: !isDecided && answer.unexplainedFen !== 0n,
    isContradicted:
      answer.unexplainedFen === 0n && answer.rivals.some(({ unexplainedFen }) => unexplainedFen !== 0n),
    takenFrom: 0,
    undecided: [
      ...(of.isHeldUndecided ? ['refunds and settlements that may have held it'] : []),
      ...(answer.isUnseenUndecided ? ['orders that may have come to the platform later'] : []),
    ].join(' and '),
    mayLeave: [],
  };
}

function namesOf(effects: readonly UncertainEffect[]): string[] {
  return [...new Set(effects.map(({ outOrderNo }) => outOrderNo))].toSorted();
}

const PLACE_WORDS: Readonly<Record<Place, string>> = {
  opening: 'before the opening',
  before: 'before the cut',
  between: 'after the cut',
  after: 'after the balance',
};

function describe(effects: readonly UncertainEffect[], { places }: Assignment): string {
  return effects
    .map(
      (effect) =>
        `${effect.subject} ${effect.outOrderNo} ${PLACE_WORDS[places.get(effectId(effect)) ?? 'after']}`,
    )
    .join('; ');
}
