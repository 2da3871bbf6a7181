/** Where the bounds of an uncertain order allow it to lie, and what is known of the bounds once it lies there. */
import { addMs } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';
import type { Closing } from '../balance/closings.ts';
import type { EffectBounds } from './effect-bounds.ts';
import type { ProofSpan } from '../balance/scope.ts';
import type { UncertainEffect } from './timing-items.ts';
import type { Place } from './timing-question.ts';

export interface TimingScene {
  closing: Closing;
  /** What counts before it counted there. */
  openingAt: Instant | undefined;
  /** The company states with how much the account began: no balance has decided yet what that holds. */
  isOpeningStated: boolean;
  /** Whether what lies on the edge of that opening may change its side of it. */
  weighsOpening: boolean;
  span: ProofSpan;
  bounds: EffectBounds;
}

export function usualPlace(
  { countsFrom, upper }: UncertainEffect,
  { closing, openingAt, span }: TimingScene,
): Place {
  if (openingAt !== undefined && countsFrom < openingAt) return 'opening';
  if (countsFrom < span.cut) return 'before';
  return upper <= closing.closedAt || countsFrom <= closing.openedAt ? 'between' : 'after';
}

/** The places the bounds allow, the usual one first. */
export function placesOf(effect: UncertainEffect, usual: Place, scene: TimingScene): Place[] {
  const { closing, span, bounds } = scene;
  const { lower, upper } = bounds.of(effect);
  const sides = sidesOfOpening(effect, usual, scene);
  if (!sides.since) return ['opening'];
  const mayBe: Record<Place, boolean> = {
    opening: sides.before,
    before: lower === undefined || lower < span.cut,
    between:
      usual === 'between' ||
      (closing.source === 'derived' &&
        upper >= span.cut &&
        (lower === undefined || lower < closing.openedAt)),
    after: upper > closing.closedAt && !sides.before,
  };
  const allowed = PLACES.filter((place) => mayBe[place]);
  const inOrder = [usual, ...PLACES.filter((place) => place !== usual)].filter((place) =>
    allowed.includes(place),
  );
  return inOrder.length > 0 ? inOrder : [usual];
}

const PLACES: readonly Place[] = ['opening', 'before', 'between', 'after'];

/** Only a stated opening leaves it open what it holds; there too a side is changed only where that is weighed. */
function sidesOfOpening(
  effect: UncertainEffect,
  usual: Place,
  { openingAt, isOpeningStated, weighsOpening, bounds }: TimingScene,
): { before: boolean; since: boolean } {
  const isUsual = { before: usual === 'opening', since: usual !== 'opening' };
  if (openingAt === undefined || !isOpeningStated) return isUsual;
  const { lower, upper } = bounds.of(effect);
  const mayBe = { before: lower === undefined || lower < openingAt, since: upper >= openingAt };
  if (weighsOpening && effect.isAtOpening) return mayBe;
  const isUsualLeft = usual === 'opening' ? mayBe.before : mayBe.since;
  return isUsualLeft ? isUsual : mayBe;
}

export function narrowTo(
  effect: UncertainEffect,
  place: Place,
  { closing, openingAt, isOpeningStated, span, bounds }: TimingScene,
): void {
  const from = isOpeningStated ? openingAt : undefined;
  switch (place) {
    case 'opening':
      if (from !== undefined) bounds.narrow(effect, { to: addMs(from, -1) });
      return;
    case 'before':
      bounds.narrow(effect, { ...(from !== undefined && { from }), to: addMs(span.cut, -1) });
      return;
    case 'between':
      bounds.narrow(effect, { from: span.cut, to: closing.openedAt });
      return;
    case 'after':
      bounds.narrow(effect, { from: addMs(closing.closedAt, 1) });
  }
}
