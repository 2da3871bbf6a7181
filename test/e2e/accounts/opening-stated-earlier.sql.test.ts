/** An opening that is stated for days before those that were ever read is held against what they brought (3.4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';

let night: Night;
/** A is paid 500 on the 5th, which nobody asked for: it holds them on the 10th, when its proofs begin. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-10 08:00:00' });
  night.sandbox.seedAccounts([{ accountNo: 'A', balanceFen: 1_000n }]);
  night.deposits({ payeeAcctNo: 'A', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-05 10:00:00' });
});
afterEach(() => night.close());

async function tell(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const outcome = await night.night(`2026-03-${day}`);
  return [outcome.result.run.verdict, ...findingsOf(outcome)];
}

const opening = (fen: bigint, day: string) => ({ no: 'A', opening: { fen, at: `2026-03-${day} 00:00:00` } });

test.each([
  ['a stated one', opening(1_500n, '10')],
  ['a first balance', { no: 'A' }],
])('where proofs began with %s', async (_what, listed) => {
  await night.listAccounts(listed);
  await tell(10);
  expect(await tell(11)).toEqual(['reconciled']);
  await night.listAccounts(opening(1_500n, '03'));
  const told = ['breaks', 'period_changed A A -500'];
  expect(await tell(12)).toEqual(told);
  expect(await tell(13)).toEqual(told);
  await night.listAccounts(opening(1_000n, '03'));
  expect(await tell(14)).toEqual(['reconciled']);
});
