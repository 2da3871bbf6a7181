/**
 * Which side of the balance and of the cut an order took effect on, when our looks at it do not tell: every
 * assignment that the bounds allow is tried, and one is taken only when it alone explains the balance and the
 * books (spec/reconciliation.md 3.4, 3.5). Pure arithmetic on one account.
 */
import type { Fen } from '../core/fen.ts';
import { FROZEN_FITS } from './best-choices.ts';
import { frozenDue, lineAt, search } from './timing-search.ts';
import type { Assignment, InflightModel, Place, Search, Side, TimingQuestion } from './timing-search.ts';

export interface TimingAnswer {
  model: InflightModel;
  /** Whether the balance was decided by that model: something was in flight. */
  isModelProven: boolean;
  places: ReadonlyMap<string, Place>;
  openFen: Fen;
  /** What of it the balance had been debited for already. */
  heldFen: Fen;
  unexplainedFen: Fen;
  closingFen: Fen;
  /** What `frozen` should be. */
  frozenDueFen: Fen;
  /** Assignments that explain the balance equally well and differ in closing or lines; empty when one is left. */
  rivals: readonly Assignment[];
  /**
   * What the balance itself says: items on which all that explains it agrees, whichever model holds and whatever
   * the books have; none where nothing explains it.
   */
  certain: ReadonlyMap<string, Side>;
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
  const believed = fitting[0]?.assignments ?? [];
  // Nothing explains the balance: what is known of the model stands, and the least is left unexplained.
  if (best >= FROZEN_FITS) return { ...answerOf(question, believed.slice(0, 1)), certain: new Map() };
  const distinct = distinctOnes(question, believed);
  const inBooks = distinct.filter((assignment) => linesOf(question, assignment).every((fen) => fen === 0n));
  const left = inBooks.length === 1 ? inBooks : distinct;
  return { ...answerOf(question, left), certain: commonTo(fitting) };
}

function commonTo([first, ...others]: readonly Search[]): Map<string, Side> {
  return new Map(
    [...(first?.certain ?? [])].filter(([key, side]) =>
      others.every(({ certain }) => certain.get(key) === side),
    ),
  );
}

/** Assignments with the same closing and the same lines are one. */
function distinctOnes(question: TimingQuestion, fitting: readonly Assignment[]): Assignment[] {
  const byEffect = new Map<string, Assignment>();
  for (const assignment of fitting) {
    const effect = [assignment.closingFen, ...linesOf(question, assignment)].join(' ');
    if (!byEffect.has(effect)) byEffect.set(effect, assignment);
  }
  return [...byEffect.values()];
}

function linesOf({ items }: TimingQuestion, { places }: Assignment): Fen[] {
  return items.map((item) => lineAt(item, places.get(item.key) ?? 'after'));
}

function answerOf(
  { frozenFen, mayHold }: TimingQuestion,
  left: readonly Assignment[],
): Omit<TimingAnswer, 'certain'> {
  const [chosen] = left;
  if (chosen === undefined) throw new Error('Bug: no assignment is left');
  const heldBesidesFen = (frozenFen ?? 0n) - chosen.openFen;
  const isHeldBesides = chosen.model === 'frozen' && frozenFen !== undefined && mayHold(heldBesidesFen);
  return {
    ...chosen,
    openFen: isHeldBesides ? chosen.openFen + heldBesidesFen : chosen.openFen,
    isModelProven: chosen.openFen !== 0n && chosen.unexplainedFen === 0n,
    heldFen: chosen.model === 'debited' ? chosen.openFen : 0n,
    frozenDueFen: frozenDue(chosen) + (isHeldBesides ? heldBesidesFen : 0n),
    rivals: left.length > 1 ? left.slice(0, RIVALS_MAX) : [],
  };
}
