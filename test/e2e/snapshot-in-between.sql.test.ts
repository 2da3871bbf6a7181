/** A balance that a snapshot stores while a night is between posting and proving is used with its records. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Restate from '../../jobs/night/prove/restate.ts';
import { Night, findingsOf } from '../helpers/night.ts';

// Who has imported the module already has it as it is: all are loaded anew, and once more for the next file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});
const between = vi.hoisted((): { work: (() => Promise<void>) | undefined } => ({ work: undefined }));
vi.mock('../../jobs/night/prove/restate.ts', async (original) => {
  const real = await original<typeof Restate>();
  const findLateRecords: typeof Restate.findLateRecords = async (...of) => {
    const { work } = between;
    between.work = undefined;
    await work?.();
    return real.findLateRecords(...of);
  };
  return { ...real, findLateRecords };
});

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'D1',
    amountFen: 5_000n,
    depositTime: '2026-03-12 02:45:00',
  });
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  balanceMoves();
});
afterEach(() => night.close());

/** The night finds no balance of its own. */
function balanceMoves(): void {
  for (let calls = 0; calls < 40; calls++) {
    const set = { balance: 100_000 + calls, availableBalance: 100_000 + calls };
    night.sandbox.addFault({
      kind: 'record',
      path: 'acct/queryInfo',
      about: 'A1',
      set,
      skip: calls,
      times: 1,
    });
  }
}

/** After the deposit, which is in the balance. */
async function snapshot(): Promise<void> {
  night.sandbox.liftFaults();
  night.moveTo('2026-03-12 03:00:00');
  await night.snapshot();
}

/** No later night finds anything, and nothing is open at the end. */
async function laterNightsAreQuiet(): Promise<void> {
  await night.entries([{ id: 'E1', account: 'A1', fen: 5_000n, at: '2026-03-12 02:45:00', reference: 'D1' }]);
  for (const day of [12, 13]) {
    night.moveTo(`2026-03-${day + 1} 02:00:00`);
    expect(findingsOf(await night.night(`2026-03-${day}`))).toEqual([]);
  }
  expect(await night.db.selectFrom('break').select('item_key').execute()).toEqual([]);
}

test('a night without a balance is proven by the next one', async () => {
  const first = await night.night('2026-03-11');
  expect(first.result.run.verdict).toBe('unverified');
  await snapshot();
  await laterNightsAreQuiet();
});

test('a balance that comes after the posting is rolled back over the deposit that came with it', async () => {
  between.work = snapshot;
  const first = await night.night('2026-03-11');
  expect(first.result.accounts).toMatchObject([{ verdict: 'reconciled', unexplainedFen: 0n }]);
  await laterNightsAreQuiet();
});
