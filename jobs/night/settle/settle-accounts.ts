/** Whether the accounts that settlements leave are usable, as the platform says it now (STL-08, U21). */
import pLimit from 'p-limit';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { AccountStanding } from './settle-policy.ts';
import type { SettlePorts } from './settle-ports.ts';
import { isUnanswered } from '../../context/unanswered.ts';

/** Asks for each account once; one that cannot be read is said and keeps none of the others back. */
export async function askStandings(
  ports: SettlePorts,
  accountNos: readonly string[],
): Promise<Map<string, AccountStanding>> {
  const inTurn = pLimit(ports.profile.http.rate.concurrency);
  const standings = await Promise.allSettled(
    accountNos.map((accountNo) => inTurn(() => askStanding(ports, accountNo))),
  );
  return new Map(
    standings.map((standing, place) => {
      if (standing.status === 'rejected') throw standing.reason as Error;
      return [accountNos[place] ?? '', standing.value];
    }),
  );
}

async function askStanding({ client, signal }: SettlePorts, accountNo: string): Promise<AccountStanding> {
  signal.throwIfAborted();
  try {
    const outcome = await client.call('acct/queryInfo', { accountNo });
    if (outcome.kind === 'refused') {
      return { unread: maskPersonal(`the platform refused: ${outcome.code} ${outcome.msg}`) };
    }
    if (!outcome.signed) return { unread: 'the answer is not signed' };
    const { accountState } = outcome.answer;
    return accountState === undefined ? { unread: 'the platform states no state' } : { state: accountState };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return { unread: maskPersonal(error.message) };
  }
}
