/** The numbers the platform gives: one count for all kinds, so that none is ever given twice. */
import { instantOf } from '../core/time.ts';
import type { World } from './world.ts';

/** Deposit, transfer batch, transfer order, withdrawal, SMS flow. */
export type NumberKind = 'DP' | 'TB' | 'TO' | 'WD' | 'SM';

/** `DP20260301K000001`: the letters keep it from looking like a bank card. */
export function nextNumber(world: World, kind: NumberKind, ms: number): string {
  const day = world.zone.dayOf(instantOf(ms)).replaceAll('-', '');
  return `${kind}${day}K${String(++world.numbersGiven).padStart(6, '0')}`;
}
