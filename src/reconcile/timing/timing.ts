/**
 * Which side of the balance and of the cut an order took effect on, when our looks at it do not tell: every
 * assignment that the bounds allow is tried, and one is taken only when it alone explains the balance and the
 * books; else none is taken before the last resort (docs/reconciliation.md 3.4, 3.5). Pure arithmetic on
 * one account.
 */
import type { Fen } from '../../core/fen.ts';
import { LACKS_UNSEEN } from './best-choices.ts';
import { fitsFrozen, frozenDue } from './timing-rank.ts';
import { lineAt, rangeOf, search } from './timing-search.ts';
import { isAmbiguous } from './timing-sides.ts';
import type { Assignment, InflightModel, Place, TimingQuestion } from './timing-question.ts';
import type { Search, Side } from './timing-search.ts';

export interface TimingAnswer {
  model: InflightModel;
  /** Whether the balance was decided by that model: something was in flight. */
  isModelProven: boolean;
  places: ReadonlyMap<string, Place>;
  openFen: Fen;
  /** What of it the balance had been debited for already. */
  heldFen: Fen;
  unexplainedFen: Fen;
  /** All that is left leaves nothing unexplained, and nothing between the openings of both sides. */
  isExplained: boolean;
  closingFen: Fen;
  /** What `frozen` should be. */
  frozenDueFen: Fen;
  /**
   * Assignments that explain balance and frozen amount equally well, and that differ in what they leave unexplained,
   * in closing or lines; empty when one is left.
   */
  rivals: readonly Assignment[];
  /** All that is left has the same orders in the balance; only the cut may still divide them in several ways. */
  isBalanceDecided: boolean;
  /**
   * What the balance itself says: items on which all that explains it agrees, whichever model holds and whatever
   * the books have; none where nothing explains it.
   */
  certain: ReadonlyMap<string, Side>;
  /** Orders that no look had shown are too many to tell what they leave out of the frozen amount. */
  isUnseenUndecided: boolean;
}

/** More rivals than a person can look at. */
const RIVALS_MAX = 16;

/**
 * @throws Error (Bug) with more than ITEMS_MAX items that may lie outside the balance: the caller reports those
 */
export function weighTiming(question: TimingQuestion): TimingAnswer {
  const kept = question.knownModel ?? 'frozen';
  const models: InflightModel[] =
    question.model === 'auto' ? [kept, kept === 'frozen' ? 'debited' : 'frozen'] : [question.model];
  const searches = models.map((model) => search(question, model));
  const best = Math.min(...searches.map(({ rank }) => rank));
  // The other model is believed only where it alone explains the balance.
  const fitting = searches.filter(({ rank }) => rank === best);
  const [believed] = fitting;
  if (believed === undefined) throw new Error('Bug: no model was tried');
  const distinct = distinctOnes(question, believed.assignments);
  const isUnseenUndecided = searches.some((search) => search.isUnseenUndecided);
  const agreed = distinct.filter((assignment) => agreesAtOpening(question, assignment));
  if (!fitting.every(explains) || agreed.length === 0) {
    const left = answerOf(question, leftOf(question, distinct), best);
    return { ...left, isExplained: false, certain: new Map(), isUnseenUndecided };
  }
  const left = believed.isCapped ? agreed : byTheBooks(question, agreed);
  return {
    ...answerOf(question, left, best),
    isExplained: true,
    certain: commonTo(fitting),
    isUnseenUndecided,
  };
}

/**
 * What the balance puts on the other side of an opening than the books have it is right only where it is what their
 * stated openings differ by: else an amount that is missing would be told as one of the opening.
 */
function agreesAtOpening(
  { items, openingDifferenceFen }: TimingQuestion,
  { places }: Pick<Assignment, 'places'>,
): boolean {
  if (openingDifferenceFen === undefined) return true;
  const across = items.filter(isAmbiguous).flatMap(({ key, usual, places: mayBe, crossingFen }) => {
    if (!mayBe.includes('opening')) return [];
    const isBefore = places.get(key) === 'opening';
    const fen = isBefore ? crossingFen.opening : crossingFen.since;
    return [{ fen, isMoved: isBefore !== (usual === 'opening') }];
  });
  const fen = across.reduce((sum, item) => sum + item.fen, openingDifferenceFen);
  return fen === 0n || across.every((item) => !item.isMoved || item.fen === 0n);
}

/**
 * Where a proof of these days has told already what is unexplained, nothing is moved that explains it no better: every
 * order stays where it counts; of what nothing tells where it counts, and else, what was told is what is left. What
 * explains the balance against the frozen amount explains nothing.
 */
function leftOf(question: TimingQuestion, distinct: readonly Assignment[]): readonly Assignment[] {
  const { items, toldFen } = question;
  if (toldFen === undefined) return shown(question, distinct);
  const amounts = distinct.filter(({ unexplainedFen }) => unexplainedFen !== 0n);
  const likely = amounts.filter(({ places }) =>
    items.every((item) => item.likely.includes(places.get(item.key) ?? 'after')),
  );
  const isTold = ({ unexplainedFen }: Assignment): boolean => unexplainedFen === toldFen;
  const kept = likely.length > 0 ? likely : amounts;
  if (kept.some(isTold)) return kept.filter(isTold).slice(0, 1);
  return likely.length > 0 ? likely : shown(question, distinct);
}

/**
 * On the way to another balance a frozen amount that is unexplained is never seen again, an amount is: what speaks for
 * the frozen amount is taken.
 */
function shown({ isBetween, takesLeast }: TimingQuestion, distinct: readonly Assignment[]) {
  const amounts = distinct.filter(({ unexplainedFen }) => unexplainedFen !== 0n);
  return isBetween && takesLeast && amounts.length > 0 ? amounts : distinct;
}

/** Whether all that is left of it explains the balance: what only the frozen amount speaks for speaks against that. */
function explains({ assignments }: Search): boolean {
  return assignments.every(({ unexplainedFen }) => unexplainedFen === 0n);
}

/** Not even all items together could make up for what is unexplained, whichever model holds. */
export function isBeyondAll(question: TimingQuestion): boolean {
  const { least, most } = rangeOf(question);
  return least > 0n || most < 0n;
}

/** The one that leaves no line, where the books have what is weighed; what they lack they do not decide. */
function byTheBooks({ items }: TimingQuestion, distinct: readonly Assignment[]): readonly Assignment[] {
  const booked = { items: items.filter(({ bookedSide }) => bookedSide !== undefined) };
  const inBooks = distinct.filter((assignment) => linesOf(booked, assignment).every((fen) => fen === 0n));
  return inBooks.length === 1 ? inBooks : distinct;
}

function commonTo([first, ...others]: readonly Search[]): Map<string, Side> {
  return new Map(
    [...(first?.certain ?? [])].filter(([key, side]) =>
      others.every(({ certain }) => certain.get(key) === side),
    ),
  );
}

/** Assignments that leave the same unexplained and have the same closing and lines are one. */
function distinctOnes(question: TimingQuestion, fitting: readonly Assignment[]): Assignment[] {
  const byEffect = new Map<string, Assignment>();
  for (const assignment of fitting) {
    const { unexplainedFen, closingFen } = assignment;
    const effect = [unexplainedFen, closingFen, ...linesOf(question, assignment)].join(' ');
    if (!byEffect.has(effect)) byEffect.set(effect, assignment);
  }
  return [...byEffect.values()];
}

function linesOf({ items }: Pick<TimingQuestion, 'items'>, { places }: Assignment): Fen[] {
  return items.map((item) => lineAt(item, places.get(item.key) ?? 'after'));
}

function answerOf(
  question: TimingQuestion,
  left: readonly Assignment[],
  rank: number,
): Omit<TimingAnswer, 'certain' | 'isExplained' | 'isUnseenUndecided'> {
  const [chosen] = left;
  if (chosen === undefined) throw new Error('Bug: no assignment is left');
  const { frozenFen, takesLeast } = question;
  const isFrozenTold = chosen.model === 'frozen' && (fitsFrozen(question, chosen) || rank === LACKS_UNSEEN);
  const openFen = isFrozenTold ? (frozenFen ?? 0n) : chosen.openFen;
  return {
    ...chosen,
    openFen,
    isModelProven: chosen.openFen !== 0n && openFen !== 0n && chosen.unexplainedFen === 0n,
    heldFen: chosen.model === 'debited' ? chosen.openFen : 0n,
    frozenDueFen: frozenDue({ model: chosen.model, openFen }),
    rivals: left.length > 1 && !takesLeast ? left.slice(0, RIVALS_MAX) : [],
    isBalanceDecided: new Set(left.map(outsideOf)).size === 1,
  };
}

function outsideOf({ places }: Assignment): string {
  return [...places].flatMap(([key, place]) => (place === 'after' ? [key] : [])).join('\n');
}
