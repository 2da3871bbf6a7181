/** How far our looks, and the balances that were decided, narrow the moment at which each order took effect. */
import type { Instant } from '../../core/time.ts';
import { effectId } from './timing-items.ts';
import type { UncertainEffect } from './timing-items.ts';

interface Bound {
  lower: Instant | undefined;
  upper: Instant;
  countsFrom: Instant;
}

/** Over all accounts: an effect has one moment, whichever account it moves. */
export class EffectBounds {
  readonly #known = new Map<string, Bound>();
  readonly #effects = new Map<string, UncertainEffect>();

  constructor(effects: readonly UncertainEffect[]) {
    for (const effect of effects) {
      const { lower, upper, countsFrom } = effect;
      this.#effects.set(effectId(effect), effect);
      this.#known.set(effectId(effect), { lower, upper, countsFrom });
    }
  }

  of(effect: UncertainEffect): Bound {
    const bound = this.#known.get(effectId(effect));
    if (bound === undefined) throw new Error('Bug: an effect without bounds');
    return bound;
  }

  /**
   * It lies at or after `from`, and before or at `to`; a bound that contradicts the others is not taken.
   * @returns whether less is left open than before
   */
  narrow(effect: UncertainEffect, { from, to }: { from?: Instant; to?: Instant }): boolean {
    const bound = this.of(effect);
    const lower =
      from !== undefined && (bound.lower === undefined || from > bound.lower) ? from : bound.lower;
    const upper = to !== undefined && to < bound.upper ? to : bound.upper;
    if (lower !== undefined && lower > upper) return false;
    const floored = lower !== undefined && bound.countsFrom < lower ? lower : bound.countsFrom;
    this.#known.set(effectId(effect), { lower, upper, countsFrom: floored > upper ? upper : floored });
    return lower !== bound.lower || upper !== bound.upper;
  }

  changed(): (UncertainEffect & { countsFrom: Instant })[] {
    return [...this.#effects].flatMap(([id, effect]) => {
      const countsFrom = this.#known.get(id)?.countsFrom ?? effect.countsFrom;
      return effect.deltaFen === 0n || countsFrom === effect.countsFrom ? [] : [{ ...effect, countsFrom }];
    });
  }
}
