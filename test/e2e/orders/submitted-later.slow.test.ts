/** An order exists and ages from the earliest of what is known of it, whatever submission is stated (docs/reconciliation.md 3.5). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../../src/core/time.ts';
import type { OrderLine } from '../../helpers/company/company-files.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

const DAY = '2026-03-10';
const SENT = `${DAY} 09:00:00`;
const IN_A_YEAR = '2027-03-10 09:00:00';

let night: Night;
let trade: Trade;
beforeEach(async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }));
});
afterEach(() => night.close());

/** What a night says, once what comes before it is handed in. */
async function said(day: string): Promise<string> {
  const outcome = await trade.night(day);
  return [outcome.result.run.verdict, ...findingsOf(outcome)].join('; ');
}

async function nights(
  last: string,
  before: (day: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const all: string[] = [];
  for (let day = DAY; day <= last; day = addDays(day, 1)) {
    await before(day);
    all.push(await said(day));
  }
  return all;
}

const registered = (outOrderNo: string, submittedAt: string): Promise<void> =>
  night.orders({ kind: 'withdrawal', outOrderNo, payer: 'P', fen: 50_000n, submittedAt } satisfies OrderLine);

const booked = (reference: string, fen: bigint): Promise<unknown> =>
  night.entries([{ id: 'E1', account: 'P', kind: 'withdrawal', reference, fen, at: `${DAY} 10:00:00` }]);

describe('500.00 were registered, 900.00 left and the books copied it', () => {
  beforeEach(async () => {
    night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 90_000n, submittedAt: SENT }]);
    await booked('W1', -90_000n);
  });

  test.each([SENT, IN_A_YEAR])('it is told from the first night on, submitted %s', async (submittedAt) => {
    await registered('W1', submittedAt);
    for (const each of await nights('2026-03-12')) expect(each).toMatch(/^breaks; .*amount P W1/);
  });

  test('a submission in the future is not stored, and one put right is', async () => {
    const stored = () => night.db.selectFrom('withdrawal').select('submitted_at').executeTakeFirstOrThrow();
    await registered('W1', IN_A_YEAR);
    await said(DAY);
    expect(await stored()).toEqual({ submitted_at: null });
    await registered('W1', SENT);
    expect(await said('2026-03-11')).toMatch(/^breaks; .*amount P W1/);
    expect(await stored()).toEqual({ submitted_at: '2026-03-10T01:00:00.000Z' });
  });
});

describe('the platform does not know it', () => {
  test('it is told at once and is a break in the end', async () => {
    await registered('W9', SENT);
    const all = await nights('2026-03-15');
    expect(all[0]).toContain('unknown_not_found P W9');
    expect(all.at(-1)).toMatch(/^breaks; .*state P W9/);
  });

  test('what is registered for later and booked by nobody is a plan: it is told when its time has come', async () => {
    await registered('W9', '2026-03-12 09:00:00');
    const all = await nights('2026-03-12');
    expect(all.map((each) => each.includes('unknown_not_found P W9'))).toEqual([false, false, true]);
  });

  test.each([SENT, ''])(
    'told as submitted at "%s" it is told on, whatever is stated later',
    async (first) => {
      const all = await nights('2026-03-15', (day) =>
        registered('W9', day < '2026-03-12' ? first : IN_A_YEAR),
      );
      for (const each of all) expect(each).toMatch(/(unknown_not_found|state) P W9/);
      expect(all.at(-1)).toMatch(/^breaks; .*state P W9/);
    },
  );

  test('registered anew for every day and booked by nobody it grows old all the same', async () => {
    const all = await nights('2026-03-15', (day) => registered('W9', `${day} 09:00:00`));
    expect(all.at(-1)).toMatch(/^breaks; .*state P W9/);
  });

  test.each([SENT, IN_A_YEAR])('booked it is a break in the end, submitted %s', async (submittedAt) => {
    await registered('W9', submittedAt);
    await booked('W9', -50_000n);
    const all = await nights('2026-03-15');
    expect(all[0]).toContain('unknown_not_found P W9');
    expect(all.at(-1)).toMatch(/^breaks; .*ledger_only P W9/);
  });

  test('registered anew for every day it grows old all the same', async () => {
    await booked('W9', -50_000n);
    const all = await nights('2026-03-15', (day) => registered('W9', `${day} 09:00:00`));
    expect(all.at(-1)).toMatch(/^breaks; .*ledger_only P W9/);
  });
});

test.each([SENT, IN_A_YEAR])(
  'booked and under way it is a break in the end, submitted %s',
  async (submittedAt) => {
    night.sandbox.seedWithdrawals([
      { outOrderNo: 'W1', acctNo: 'P', amountFen: 50_000n, submittedAt: SENT, state: 'PROCESSING' },
    ]);
    await registered('W1', submittedAt);
    await booked('W1', -50_000n);
    const all = await nights('2026-03-15');
    expect(all[0]).toContain('pending P W1');
    expect(all.at(-1)).toMatch(/^breaks; .*state P W1/);
  },
);

describe('nobody states when it was submitted, and it is under way', () => {
  const TOLD = [/^reconciled_with_timing; in_flight P W1/, /^breaks; state P W1/];

  test('registered it is told from the first day on that begins with a look at it', async () => {
    night.sandbox.seedWithdrawals([
      { outOrderNo: 'W1', acctNo: 'P', amountFen: 50_000n, submittedAt: SENT, state: 'PROCESSING' },
    ]);
    await registered('W1', '');
    const [first, second, ...all] = await nights('2026-03-14');
    expect(first).toBe('reconciled');
    expect([second, all.at(-1)]).toEqual(TOLD.map((each): unknown => expect.stringMatching(each)));
  });

  test('so it is as another order of a batch that the books name', async () => {
    await night.accounts({ no: 'Q', opening: { fen: 0n, at: `${DAY} 00:00:00` } });
    const to = { payeeAcctNo: 'Q', amountFen: 50_000n };
    const orders = [
      { outOrderNo: 'T1', ...to },
      { outOrderNo: 'W1', ...to, state: 'PROCESSING' },
    ];
    night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: SENT, orders }]);
    trade.books(`P transfer_out T1 -50000 ${DAY} 10:00 B1`, `Q transfer_in T1 50000 ${DAY} 10:00 B1`);
    const [, second, ...all] = await nights('2026-03-15');
    expect([second, all.at(-1)]).toEqual(TOLD.map((each): unknown => expect.stringMatching(each)));
  });

  test('so is the settlement of a transfer that only the books name', async () => {
    await night.accounts({ no: 'Q', opening: { fen: 0n, at: `${DAY} 00:00:00` }, autoSettle: true });
    const settle = { delayMs: 30 * 86_400_000 };
    const orders = [{ outOrderNo: 'W1', payeeAcctNo: 'Q', amountFen: 50_000n, settle }];
    night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: SENT, orders }]);
    trade.books(`P transfer_out W1 -50000 ${DAY} 10:00 B1`, `Q transfer_in W1 50000 ${DAY} 10:00 B1`);
    const [, second, ...all] = await nights('2026-03-15');
    expect(second).toMatch(/^reconciled_with_timing; in_flight Q W1/);
    expect(all.at(-1)).toMatch(/^breaks; state Q W1/);
  });
});
