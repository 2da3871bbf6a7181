/** How values are written in answers: amounts, counts, times, and members that a seed or fault overrides. */
import type { Fen } from '../core/fen.ts';
import { instantOf } from '../core/time.ts';
import type { SpecialDeposit, WirePatch } from './shelf.ts';
import type { World } from './world.ts';

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

/** A JSON value written exactly so: `1e3`, `100.0`, `9007199254740993`. @throws SyntaxError if it is none */
export function lexeme(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

export function isLexeme(text: string): boolean {
  try {
    lexeme(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function applyPatch(target: WireObject, patch: WirePatch): void {
  Object.assign(target, patch.set ?? {});
  for (const [name, text] of Object.entries(patch.raw ?? {})) target[name] = lexeme(text);
  for (const name of patch.remove ?? []) delete target[name];
}

/** The patches of a deposit that are in force by now. */
export function patchesAt(deposit: SpecialDeposit, nowMs: number): WirePatch[] {
  return deposit.patches.filter((change) => change.atMs <= nowMs).map((change) => change.patch);
}
