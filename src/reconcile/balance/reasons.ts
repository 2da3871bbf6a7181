/**
 * Why a verdict is what it is, and what it assumes: a code and, after a colon, a figure or a name. Codes are
 * stored; each language of the report has its own words for them.
 */
export const REASONS = {
  run_stopped: 'the run was stopped before everything was read',
  windows_unread: 'windows of deposits could not be read in a verified pass',
  days_unproven: 'days between the opening and the balance have not been read in a verified pass',
  rollback_unread: 'days between the cut and the first balance after it have not been read',
  balance_unread: 'the balance could not be read',
  ledger_incomplete: 'the ledger is complete only to an instant before the cut',
  lists_unverified: 'days were read in lists of deposits that nothing verified',
  balance_absent: 'the platform states no balance',
  balance_moving: 'the balance moved at every reading',
  no_snapshot: 'there is no balance at or after the cut',
  no_baseline: 'there is no earlier balance to prove from; this first one becomes the baseline',
  before_baseline: 'the period begins before the baseline',
  identity_fails: 'the figures do not add up; this is a fault of the program',
  proof_failed: 'the proof of the account failed; this is a fault of the program',
  orders_unread: 'transfer batches or withdrawals could not be read',
  ambiguous_orders: 'more orders than can be weighed may lie on either side of the cut or of the balance',
  timing_candidates:
    'several assignments of orders to the two sides of the cut explain the balance or the frozen amount',
  timing_unexplained: 'no assignment of orders to the two sides of the cut explains the balance',
  break_neither_found_nor_ended: 'breaks are open that this proof neither finds nor can tell the end of',
  opening_in_doubt:
    'the assumed opening of the ledger may be wrong by what orders or late records move across it',
  timing_assumed: 'the side of the cut was assumed from the balance and the books for the orders',
  debited_inferred:
    'amounts in flight are taken to be debited already, because only that fits; it could hide a loss of',
  days_spanned: 'the account was not proven the day before; this proof covers all days since',
  ledger_opening_assumed: 'the ledger has no opening entry; its opening is taken to equal the baseline',
  ledger_opening_differs:
    'the ledger has no opening entry; its opening is taken to equal the baseline but for what the books have on its other side',
  first_balance_moved: 'records that came later move the first balance since it was first told',
  first_balance_is_baseline: 'no opening was given; the first balance seen is the baseline',
  account_gone:
    'the account has ended and the platform knows it no more: it holds nothing since its last balance',
  entries_before_opening: 'ledger entries booked before the opening are kept and not counted',
} as const;

export type ReasonCode = keyof typeof REASONS;

/** `entries_before_opening:12`. */
export function reason(code: ReasonCode, detail?: string | number): string {
  return detail === undefined ? code : `${code}:${detail}`;
}

/** The words of a stored reason, with its figure. */
export function reasonText(stored: string, words: Readonly<Record<ReasonCode, string>> = REASONS): string {
  const [code = '', ...rest] = stored.split(':');
  const text = Object.hasOwn(words, code) ? words[code as ReasonCode] : stored;
  return rest.length === 0 ? text : `${text} (${rest.join(':')})`;
}

const CAUSE: Readonly<Partial<Record<ReasonCode, RegExp>>> = {
  run_stopped: /^()(.*)$/s,
  proof_failed: /^()(.*)$/s,
  balance_unread: /^()(.*)$/s,
  windows_unread: /^(\d+): (.*)$/s,
  orders_unread: /^(\d+): (.*)$/s,
};

/** Why it could not be read, where a stored reason says so: for people and for whoever watches the nights. */
export function causeOf(stored: string): string {
  const at = stored.indexOf(':');
  const code = at < 0 ? '' : stored.slice(0, at);
  const form = Object.hasOwn(CAUSE, code) ? CAUSE[code as ReasonCode] : undefined;
  return form?.exec(stored.slice(at + 1))?.[2] ?? '';
}
