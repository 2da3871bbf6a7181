/** How values are written in answers: amounts, counts, times. */
import type { Fen } from '../../core/fen.ts';
import { instantOf } from '../../core/time.ts';
import type { World } from '../world/world.ts';

export type WireObject = Record<string, unknown>;

/** A whole number as the switch `numbersAs` wants it (U59). Amounts are at most 10^15 and so exact. */
export function wireWhole(world: World, value: Fen | number): number | string {
  const digits = value.toString();
  return world.switches.numbersAs === 'string' ? digits : Number.parseInt(digits, 10);
}

export function wireDepositTime(world: World, ms: number): string | number {
  const form = world.switches.depositTimeForm;
  if (form === 'local') return world.localTime.text(ms);
  if (form === 'epochMs') return ms;
  return form === 'iso' ? instantOf(ms) : world.zone.compactText(instantOf(ms));
}
