/** What an account's statement comes to, from the sums of the lists. */
import type { Fen } from '../../../src/core/fen.ts';
import type { ItemClass, ItemSum } from '../../read/read-items.ts';
import { LINE_ITEMS_MAX } from '../../read/read-statement-items.ts';
import { verdictsByWeight } from '../../read/read-run.ts';
import type { AccountRow } from '../../read/read-run.ts';
import type { Report } from '../../read/report.ts';
import type { SideLine } from '../../words/terms.ts';

/** What stands on one line: items of one side, or errors of one class. */
export interface LineSum {
  fen: Fen;
  count: number;
}

/** An account's lines and what they come to. */
export interface Statement {
  account: AccountRow;
  sides: Readonly<Record<SideLine, LineSum>>;
  errors: readonly (LineSum & { errorClass: ItemClass })[];
  /** Undefined where a balance is not stated: nothing is compared then. */
  left: Fen | undefined;
  right: Fen | undefined;
  difference: Fen | undefined;
  /** Unexplained amount and opening difference: what the difference must consist of. */
  explainedFen: Fen;
}

/** One statement an account, in the order of their index. */
export function statementsOf(report: Pick<Report, 'accounts' | 'items'>): Statement[] {
  const byAccount = new Map<number, ItemSum[]>();
  for (const item of report.items) {
    if ((item.list !== 'break' && item.list !== 'open') || item.line === 'none') continue;
    byAccount.set(item.accountIndex, [...(byAccount.get(item.accountIndex) ?? []), item]);
  }
  return report.accounts.map((account) => statementOf(account, byAccount.get(account.index) ?? []));
}

const NOTHING: LineSum = { fen: 0n, count: 0 };

function statementOf(account: AccountRow, items: readonly ItemSum[]): Statement {
  const sides = {
    platform_received: NOTHING,
    platform_paid: NOTHING,
    ledger_received: NOTHING,
    ledger_paid: NOTHING,
  };
  const errors = new Map<ItemClass, LineSum>();
  const add = (sum: LineSum, { netFen, count }: ItemSum): LineSum => ({
    fen: sum.fen + netFen,
    count: sum.count + count,
  });
  for (const item of items) {
    if (item.line === 'none') continue;
    if (item.line !== 'error') sides[item.line] = add(sides[item.line], item);
    else errors.set(item.class, add(errors.get(item.class) ?? NOTHING, item));
  }
  const errorFen = [...errors.values()].reduce((sum, { fen }) => sum + fen, 0n);
  const { ledgerFen, platformFen } = account;
  const left =
    ledgerFen === null
      ? undefined
      : ledgerFen + sides.platform_received.fen + sides.platform_paid.fen + errorFen;
  const right =
    platformFen === null ? undefined : platformFen - sides.ledger_received.fen - sides.ledger_paid.fen;
  return {
    account,
    sides,
    errors: [...errors].map(([errorClass, sum]) => ({ errorClass, ...sum })),
    left,
    right,
    difference: left === undefined || right === undefined ? undefined : right - left,
    explainedFen: (account.unexplainedFen ?? 0n) + (account.openingDifferenceFen ?? 0n),
  };
}

/** Accounts whose difference is more or less than what is known of it. */
export function unexplainedIn(statements: readonly Statement[]): number {
  return statements.filter(
    ({ difference, explainedFen }) => difference !== undefined && difference !== explainedFen,
  ).length;
}

/** How many items of the account's lines are shown one by one. */
export function shownItems({ sides, errors }: Statement): number {
  return [...Object.values(sides), ...errors].reduce(
    (sum, { count }) => sum + Math.min(count, LINE_ITEMS_MAX),
    0,
  );
}

/** Reconciled with nothing to adjust. */
function isPlain(statement: Statement): boolean {
  return (
    statement.account.verdict === 'reconciled' && statement.difference === 0n && shownItems(statement) === 0
  );
}

/** Those that somebody must look at, the worst first, and those that are reconciled. */
export function byNeed(statements: readonly Statement[]): Record<'needed' | 'reconciled', Statement[]> {
  const weight = ({ account }: Statement): number => verdictsByWeight().indexOf(account.verdict);
  return {
    needed: statements
      .filter((statement) => !isPlain(statement))
      .toSorted((one, other) => weight(other) - weight(one) || one.account.index - other.account.index),
    reconciled: statements.filter(isPlain),
  };
}
