/**
 * Every kind of movement with a fee inside or beside it, what each bearer of that fee gains or loses, and what is
 * held while it is under way: written out by hand from docs/reconciliation.md 3.3. Amounts in fen: A = 10,000,
 * F = 30; a settlement pays out the 9,970 or 10,000 that arrived, with a fee of 20; a refund takes back 4,000.
 */

export type Kind = 'deposit' | 'transfer' | 'withdrawal' | 'settlement' | 'refund';
export type FeeType = 'ORDER' | 'ACCOUNT';
export type Bearer = 'payer' | 'payee' | 'self' | 'external' | 'acct:X';
export type Outcome = 'final' | 'failed' | 'in flight';

export const BEARERS: readonly Bearer[] = ['payer', 'payee', 'self', 'external', 'acct:X'];

/** By how much each account changes. `own`: the payer of a transfer, the account of all else but its payee. */
export interface Change {
  payer: bigint;
  payee: bigint;
  third: bigint;
}

export interface Case {
  kind: Kind;
  feeType: FeeType;
  outcome: Outcome;
  change: Readonly<Record<Bearer, Change>>;
  /** Held on the payer's and the payee's account while it is under way. */
  held: Readonly<Record<Bearer, { payer: bigint; payee: bigint }>>;
}

const all = <T>(value: T): Record<Bearer, T> => ({
  payer: value,
  payee: value,
  self: value,
  external: value,
  'acct:X': value,
});
const nothing: Change = { payer: 0n, payee: 0n, third: 0n };
const free = { payer: 0n, payee: 0n };

/** A transfer that moved, with its fee inside: what every settlement and refund of an ORDER order stands on. */
const movedOrder: Change = { payer: -10_000n, payee: 9_970n, third: 0n };
/** The same with its fee beside it. */
const movedAccount: Record<Bearer, Change> = {
  payer: { payer: -10_030n, payee: 10_000n, third: 0n },
  payee: { payer: -10_000n, payee: 9_970n, third: 0n },
  self: { payer: -10_030n, payee: 10_000n, third: 0n },
  external: { payer: -10_000n, payee: 10_000n, third: 0n },
  'acct:X': { payer: -10_000n, payee: 10_000n, third: -30n },
};

export const CASES: readonly Case[] = [
  {
    kind: 'deposit',
    feeType: 'ORDER',
    outcome: 'final',
    change: all({ payer: 0n, payee: 9_970n, third: 0n }),
    held: all(free),
  },
  {
    kind: 'deposit',
    feeType: 'ACCOUNT',
    outcome: 'final',
    change: {
      payer: { payer: 0n, payee: 10_000n, third: 0n },
      payee: { payer: 0n, payee: 9_970n, third: 0n },
      self: { payer: 0n, payee: 9_970n, third: 0n },
      external: { payer: 0n, payee: 10_000n, third: 0n },
      'acct:X': { payer: 0n, payee: 10_000n, third: -30n },
    },
    held: all(free),
  },
  { kind: 'transfer', feeType: 'ORDER', outcome: 'final', change: all(movedOrder), held: all(free) },
  { kind: 'transfer', feeType: 'ACCOUNT', outcome: 'final', change: movedAccount, held: all(free) },
  { kind: 'transfer', feeType: 'ORDER', outcome: 'failed', change: all(nothing), held: all(free) },
  { kind: 'transfer', feeType: 'ACCOUNT', outcome: 'failed', change: all(nothing), held: all(free) },
  {
    kind: 'transfer',
    feeType: 'ORDER',
    outcome: 'in flight',
    change: all(nothing),
    held: all({ payer: 10_000n, payee: 0n }),
  },
  {
    kind: 'transfer',
    feeType: 'ACCOUNT',
    outcome: 'in flight',
    change: all(nothing),
    held: {
      payer: { payer: 10_030n, payee: 0n },
      payee: { payer: 10_000n, payee: 0n },
      self: { payer: 10_030n, payee: 0n },
      external: { payer: 10_000n, payee: 0n },
      'acct:X': { payer: 10_000n, payee: 0n },
    },
  },
  {
    kind: 'withdrawal',
    feeType: 'ORDER',
    outcome: 'final',
    change: all({ payer: -10_000n, payee: 0n, third: 0n }),
    held: all(free),
  },
  {
    kind: 'withdrawal',
    feeType: 'ACCOUNT',
    outcome: 'final',
    change: {
      payer: { payer: -10_030n, payee: 0n, third: 0n },
      payee: { payer: -10_030n, payee: 0n, third: 0n },
      self: { payer: -10_030n, payee: 0n, third: 0n },
      external: { payer: -10_000n, payee: 0n, third: 0n },
      'acct:X': { payer: -10_000n, payee: 0n, third: -30n },
    },
    held: all(free),
  },
  { kind: 'withdrawal', feeType: 'ORDER', outcome: 'failed', change: all(nothing), held: all(free) },
  { kind: 'withdrawal', feeType: 'ACCOUNT', outcome: 'failed', change: all(nothing), held: all(free) },
  {
    kind: 'withdrawal',
    feeType: 'ORDER',
    outcome: 'in flight',
    change: all(nothing),
    held: all({ payer: 10_000n, payee: 0n }),
  },
  {
    kind: 'withdrawal',
    feeType: 'ACCOUNT',
    outcome: 'in flight',
    change: all(nothing),
    held: {
      payer: { payer: 10_030n, payee: 0n },
      payee: { payer: 10_030n, payee: 0n },
      self: { payer: 10_030n, payee: 0n },
      external: { payer: 10_000n, payee: 0n },
      'acct:X': { payer: 10_000n, payee: 0n },
    },
  },
  // A settlement pays out what an ORDER transfer brought: 9,970; its own fee of 20 lies inside or beside that.
  {
    kind: 'settlement',
    feeType: 'ORDER',
    outcome: 'final',
    change: all({ payer: -10_000n, payee: 0n, third: 0n }),
    held: all(free),
  },
  {
    kind: 'settlement',
    feeType: 'ACCOUNT',
    outcome: 'final',
    change: {
      payer: { payer: -10_020n, payee: 0n, third: 0n },
      payee: { payer: -10_000n, payee: -20n, third: 0n },
      self: { payer: -10_000n, payee: -20n, third: 0n },
      external: { payer: -10_000n, payee: 0n, third: 0n },
      'acct:X': { payer: -10_000n, payee: 0n, third: -20n },
    },
    held: all(free),
  },
  { kind: 'settlement', feeType: 'ORDER', outcome: 'failed', change: all(movedOrder), held: all(free) },
  { kind: 'settlement', feeType: 'ACCOUNT', outcome: 'failed', change: all(movedOrder), held: all(free) },
  {
    kind: 'settlement',
    feeType: 'ORDER',
    outcome: 'in flight',
    change: all(movedOrder),
    held: all({ payer: 0n, payee: 9_970n }),
  },
  {
    kind: 'settlement',
    feeType: 'ACCOUNT',
    outcome: 'in flight',
    change: all(movedOrder),
    held: {
      payer: { payer: 0n, payee: 9_970n },
      payee: { payer: 0n, payee: 9_990n },
      self: { payer: 0n, payee: 9_990n },
      external: { payer: 0n, payee: 9_970n },
      'acct:X': { payer: 0n, payee: 9_970n },
    },
  },
  {
    kind: 'refund',
    feeType: 'ORDER',
    outcome: 'final',
    change: all({ payer: -6_000n, payee: 5_970n, third: 0n }),
    held: all(free),
  },
  {
    kind: 'refund',
    feeType: 'ACCOUNT',
    outcome: 'final',
    change: {
      payer: { payer: -6_030n, payee: 6_000n, third: 0n },
      payee: { payer: -6_000n, payee: 5_970n, third: 0n },
      self: { payer: -6_030n, payee: 6_000n, third: 0n },
      external: { payer: -6_000n, payee: 6_000n, third: 0n },
      'acct:X': { payer: -6_000n, payee: 6_000n, third: -30n },
    },
    held: all(free),
  },
  { kind: 'refund', feeType: 'ORDER', outcome: 'failed', change: all(movedOrder), held: all(free) },
  { kind: 'refund', feeType: 'ACCOUNT', outcome: 'failed', change: movedAccount, held: all(free) },
  {
    kind: 'refund',
    feeType: 'ORDER',
    outcome: 'in flight',
    change: all(movedOrder),
    held: all({ payer: 0n, payee: 4_000n }),
  },
  {
    kind: 'refund',
    feeType: 'ACCOUNT',
    outcome: 'in flight',
    change: movedAccount,
    held: all({ payer: 0n, payee: 4_000n }),
  },
];
