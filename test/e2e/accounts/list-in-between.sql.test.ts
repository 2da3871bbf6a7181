/** An account list that is taken in while a night is at work: its proof goes by what the list says by then. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Restate from '../../../jobs/night/prove/restate.ts';
import { Night, findingsOf } from '../../helpers/night.ts';

// Who has imported the module already has it as it is: all are loaded anew, and once more for the next file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});
const between = vi.hoisted((): { work: (() => Promise<void>) | undefined } => ({ work: undefined }));
vi.mock('../../../jobs/night/prove/restate.ts', async (original) => {
  const real = await original<typeof Restate>();
  const findLateRecords: typeof Restate.findLateRecords = async (...of) => {
    const { work } = between;
    between.work = undefined;
    await work?.();
    return real.findLateRecords(...of);
  };
  return { ...real, findLateRecords };
});

const RIGHT = { no: 'A', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } };
const MISTYPED = { no: 'A', opening: { ...RIGHT.opening, fen: 10_000n } };

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-10 08:00:00' });
  await night.accounts(RIGHT);
});
afterEach(() => night.close());

async function tell(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const outcome = await night.night(`2026-03-${day}`);
  return [outcome.result.run.verdict, ...findingsOf(outcome)];
}

test('one that puts an opening right leaves no break that nothing ends', async () => {
  expect(await tell(10)).toEqual(['reconciled']);
  night.moveTo('2026-03-11 09:00:00');
  await night.listAccounts(MISTYPED);
  between.work = async () => {
    night.moveTo('2026-03-12 02:30:00');
    await night.listAccounts(RIGHT);
    night.moveTo('2026-03-12 03:10:00');
  };
  expect(await tell(11)).toEqual(['reconciled']);
  expect(await tell(12)).toEqual(['reconciled']);
  expect(await tell(13)).toEqual(['reconciled']);
});

test('one that states an opening for days that nobody has read leaves it to the night that reads them', async () => {
  night.deposits({ payeeAcctNo: 'A', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-05 10:00:00' });
  const held = { no: 'A', opening: { fen: 100_500n, at: RIGHT.opening.at } };
  await night.listAccounts(held);
  expect(await tell(10)).toEqual(['reconciled']);
  between.work = async () => {
    night.moveTo('2026-03-12 02:30:00');
    await night.listAccounts({ no: 'A', opening: { ...held.opening, at: '2026-03-03 00:00:00' } });
    night.moveTo('2026-03-12 03:10:00');
  };
  expect(await tell(11)).toEqual(['incomplete']);
  expect(await tell(11)).toEqual(['breaks', 'period_changed A A -500']);
  expect(await tell(12)).toEqual(['breaks', 'period_changed A A -500']);
  await night.listAccounts({ no: 'A', opening: { fen: 100_000n, at: '2026-03-03 00:00:00' } });
  expect(await tell(13)).toEqual(['reconciled']);
});
