/** Where something is planted in the demo: an account with the two days of the nights at hand. */
import type { Day } from '../../core/time.ts';
import type { DemoAccount, DemoRole } from './demo-accounts.ts';
import type { DemoDraft, Planted } from './demo.ts';

export interface Scene {
  draft: DemoDraft;
  account: DemoAccount;
  /** The second night is about the last day, the first about the one before. */
  dayBefore: Day;
  lastDay: Day;
}

export function sceneAt(draft: DemoDraft, part: DemoRole): Scene {
  const account = draft.accounts.find((known) => known.part === part);
  if (!account) throw new Error(`Bug: the demo has no account for ${part}`);
  const [dayBefore = '', lastDay = ''] = draft.days.slice(-2);
  return { draft, account, lastDay, dayBefore };
}

/** By default on the scene's account, found by the second night. */
export function finds(
  { draft, account, lastDay }: Scene,
  finding: Omit<Planted, 'accountNo' | 'foundBy'> & Partial<Planted>,
): void {
  draft.planted.push({ accountNo: account.accountNo, foundBy: lastDay, ...finding });
}
