/** What an operator does about each reason that a verdict gives; a reason without an answer does not compile. */
import { REASONS } from '../../src/reconcile/balance/reasons.ts';
import type { ReasonCode } from '../../src/reconcile/balance/reasons.ts';
import { table } from './markdown.ts';

const NOTHING = 'nothing: an assumption, which is only told';
const RUN_AGAIN = 'read the cause behind it; when the platform answers again, run the same command again';

const ANSWERS: Readonly<Record<ReasonCode, string>> = {
  run_stopped: 'read the cause in the log (`run.stopped`), mend it, run the same command again',
  windows_unread: RUN_AGAIN,
  days_unproven: 'run the night again, or `recon backfill` over those days',
  rollback_unread: 'run the night again',
  balance_unread: RUN_AGAIN,
  ledger_incomplete:
    'deliver the file of the day to the inbox, or import the rest of the ledger with a later `--complete-to`; then run the night again',
  lists_unverified: 'set `deposits.verify` to `true` in the profile, and run the night again',
  balance_absent: 'ask the platform why it states no balance of this account',
  balance_moving: 'run the night again at a quieter hour',
  no_snapshot: 'run the night again: it takes a balance. A snapshot at midnight gives an observed one',
  no_baseline:
    'nothing: the next night proves from this balance; an opening in the account list spares it, if stated before',
  before_baseline: 'nothing: what lies before the first balance, or before the books begin, cannot be proven',
  identity_fails: 'a fault of the program: keep the database and report it',
  proof_failed:
    'a fault of the program: keep the database and report it; the next night that proves the account spans the day',
  orders_unread: `${RUN_AGAIN}; a single order that the platform refuses to show becomes a break by itself`,
  ambiguous_orders: 'take snapshots more often, hourly for instance, so that fewer orders lie in doubt',
  timing_candidates:
    'look at the candidates in the result or workbook; book what is missing, or take snapshots more often',
  timing_unexplained: 'look at the breaks of the account, then `recon calibrate`',
  break_neither_found_nor_ended: 'look at them: `recon breaks list --account NO`, `recon breaks show ID`',
  opening_in_doubt:
    'state the opening of the books, as an entry of the kind `opening`; adjust nothing before: the books may be right',
  timing_assumed: NOTHING,
  debited_inferred: 'state `inflight.model` in the profile once you know it from the platform',
  days_spanned: NOTHING,
  ledger_opening_assumed:
    'nothing; an entry of the kind `opening`, before the first night, has the opening of the books compared',
  ledger_opening_differs:
    'look at the orders it names; an entry of the kind `opening` has the opening of the books compared',
  first_balance_moved:
    'look at what came late; an entry of the kind `opening` has the opening of the books compared',
  first_balance_is_baseline: NOTHING,
  account_gone: 'book what it held at last as an `adjustment`; until then it is unexplained',
  entries_before_opening: NOTHING,
};

function reasonTable(): string {
  const rows = Object.entries(ANSWERS).map(([code, answer]) => [
    `\`${code}\``,
    REASONS[code as ReasonCode],
    answer,
  ]);
  return table(['reason', 'it says', 'what to do'], rows);
}

export const REASON_TABLES = { reasons: reasonTable } as const;
