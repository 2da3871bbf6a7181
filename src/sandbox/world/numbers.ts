/** The numbers the platform gives: one count for all kinds, so that none is ever given twice. */
import { instantOf } from '../../core/time.ts';
import type { World } from './world.ts';

/** Deposit, transfer batch and order, withdrawal, SMS flow, opening, change, account and its electronic number. */
export type NumberKind = 'DP' | 'TB' | 'TO' | 'WD' | 'SM' | 'OA' | 'CA' | 'AC' | 'EA';

/** `DP20260301K000001`: the letters keep it from looking like a bank card. */
export function nextNumber(world: World, kind: NumberKind, ms: number): string {
  return `${kind}${compactDay(world, ms)}K${String(++world.numbersGiven).padStart(6, '0')}`;
}

/** 19 digits above 2^53, which no floating number holds exactly (OPN-25): `1202603010000000001`. */
export function nextRecordId(world: World, ms: number): string {
  return `1${compactDay(world, ms)}${String(++world.numbersGiven).padStart(10, '0')}`;
}

function compactDay(world: World, ms: number): string {
  return world.zone.dayOf(instantOf(ms)).replaceAll('-', '');
}
