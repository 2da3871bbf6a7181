/**
 * Movements that no endpoint shows: interest, hidden fees, manual adjustments, freezes, the replacement of a
 * payee account by an initiator account (U31, U57, OPN-04).
 */
import { WrongInput } from '../../core/errors.ts';
import { checked, movementSchema, timeMs } from './seed-schema.ts';
import type { MovementSeed } from './seed-schema.ts';
import { book, requireAccount } from './seed.ts';
import type { Account } from './account.ts';
import type { World } from './world.ts';

/** @throws WrongInput for an unknown account, or when a balance would fall below zero */
export function seedMovements(world: World, seeds: readonly MovementSeed[]): void {
  for (const seed of seeds) seedMovement(world, seed);
}

function seedMovement(world: World, seed: MovementSeed): void {
  const movement = checked(movementSchema, seed, 'movement');
  const account = requireAccount(world, movement.accountNo);
  const atMs = movement.at === undefined ? world.clock.nowMs() : timeMs(world.zone, movement.at);
  const effect = { atMs, kind: movement.kind, reference: '' };
  switch (movement.kind) {
    case 'interest':
    case 'adjustment':
      book(account, 'balance', { ...effect, deltaFen: movement.amountFen });
      return;
    case 'hidden_fee':
      book(account, 'balance', { ...effect, deltaFen: -movement.amountFen });
      return;
    case 'freeze':
      book(account, 'frozen', { ...effect, deltaFen: movement.amountFen });
      return;
    case 'unfreeze':
      book(account, 'frozen', { ...effect, deltaFen: -movement.amountFen });
      return;
    case 'state':
      changeState(account, atMs, movement.state);
      return;
    case 'replacement':
      replace(account, requireAccount(world, movement.toAccountNo), atMs);
  }
}

function changeState(account: Account, atMs: number, state: string): void {
  account.states.push({ atMs, state });
  account.states.sort((a, b) => a.atMs - b.atMs);
}

/** What the old account holds then moves to the new one, and the old one is closed (OPN-04). */
function replace(old: Account, replacement: Account, atMs: number): void {
  if (old === replacement) throw new WrongInput(`account ${old.accountNo} cannot replace itself`);
  const movedFen = old.balance.atMs(atMs);
  book(old, 'balance', { atMs, deltaFen: -movedFen, kind: 'replacement', reference: replacement.accountNo });
  book(replacement, 'balance', { atMs, deltaFen: movedFen, kind: 'replacement', reference: old.accountNo });
  changeState(old, atMs, '0');
  old.replacedBy = { accountNo: replacement.accountNo, atMs };
}
