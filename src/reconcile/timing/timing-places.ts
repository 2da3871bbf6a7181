/** Where the bounds of an uncertain order allow it to lie, and what is known of the bounds once it lies there. */
import { addMs } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import type { Closing } from './closings.ts';
import type { EffectBounds } from './effect-bounds.ts';
import type { ProofSpan } from './scope.ts';
import type { UncertainEffect } from './timing-items.ts';
import type { Place } from './timing-question.ts';

export interface TimingScene {
  closing: Closing;
  /** What counts before it counted there. */
  openingAt: Instant | undefined;
  span: ProofSpan;
  bounds: EffectBounds;
}

export function usualPlace({ countsFrom, upper }: UncertainEffect, { closing, span }: TimingScene): Place {
  if (countsFrom < span.cut) return 'before';
  return upper <= closing.closedAt || countsFrom <= closing.openedAt ? 'between' : 'after';
}

/** The places the bounds allow, the usual one first. */
export function placesOf(
  effect: UncertainEffect,
  usual: Place,
  { closing, openingAt, span, bounds }: TimingScene,
): Place[] {
  const { lower, upper } = bounds.of(effect);
  if (openingAt !== undefined && effect.countsFrom < openingAt) return ['before'];
  const mayBe: Record<Place, boolean> = {
    before: lower === undefined || lower < span.cut,
    between:
      usual === 'between' ||
      (closing.source === 'derived' &&
        upper >= span.cut &&
        (lower === undefined || lower < closing.openedAt)),
    after: upper > closing.closedAt,
  };
  const allowed = PLACES.filter((place) => mayBe[place]);
  const inOrder = [usual, ...PLACES.filter((place) => place !== usual)].filter((place) =>
    allowed.includes(place),
  );
  return inOrder.length > 0 ? inOrder : [usual];
}

const PLACES: readonly Place[] = ['before', 'between', 'after'];

export function narrowTo(
  effect: UncertainEffect,
  place: Place,
  { closing, span, bounds }: TimingScene,
): void {
  switch (place) {
    case 'before':
      bounds.narrow(effect, { to: addMs(span.cut, -1) });
      return;
    case 'between':
      bounds.narrow(effect, { from: span.cut, to: closing.openedAt });
      return;
    case 'after':
      bounds.narrow(effect, { from: addMs(closing.closedAt, 1) });
  }
}
