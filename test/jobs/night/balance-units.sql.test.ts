/** Balances as units: what a worker reads counts while the unit is its own, and one account holds up no other (M4). */
import type { Transaction } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BALANCE_UNITS } from '../../../jobs/night/collect/balance-units.ts';
import { ClaimLost, itemsOf } from '../../../jobs/units/unit.ts';
import type { Claim } from '../../../jobs/units/unit.ts';
import type { Tables } from '../../../src/store/schema/schema.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight, RUN } from '../../helpers/company/order-night.ts';

let order: OrderNight;
beforeEach(async () => {
  order = await OrderNight.open();
});
afterEach(() => order.close());

const ACCOUNTS = ['P', 'Q'].map((accountNo) => ({ accountNo, eleAcctNo: undefined }));

function read(keep: (trx: Transaction<Tables>) => Promise<void>): Promise<object> {
  const claim: Claim = { unitId: 'unit-1', isRepeated: false, keep };
  return BALANCE_UNITS.work(order.job, RUN, itemsOf(ACCOUNTS), claim);
}

const balances = () => lines(order.night.db, 'balance_snapshot', ['account_no', 'balance_fen', 'run_id']);

function giveUp(): Promise<object> {
  const { db } = order.night;
  return db.transaction().execute((trx) => BALANCE_UNITS.giveUp(trx, RUN, ACCOUNTS, 'given up'));
}

test('each account of a unit has a balance', async () => {
  expect(await read(() => Promise.resolve())).toEqual({ unreadBalances: {}, unknownAccounts: {} });
  expect(await balances()).toEqual(['P 10000000 night-1', 'Q 0 night-1']);
});

test('nothing is stored of a unit that another one has by then', async () => {
  await expect(read(() => Promise.reject(new ClaimLost('it stood still')))).rejects.toThrow(ClaimLost);
  expect(await balances()).toEqual([]);
  expect(await giveUp()).toEqual({
    unreadBalances: { P: 'given up', Q: 'given up' },
    unknownAccounts: {},
  });
});

test('of a unit that was given up only the accounts without a balance are unread', async () => {
  const refusing = async (trx: Transaction<Tables>): Promise<void> => {
    const rows = await trx.selectFrom('balance_snapshot').select('account_no').execute();
    if (rows.some((row) => row.account_no === 'P')) throw new Error('P cannot be stored');
  };
  await expect(read(refusing)).rejects.toThrow('P cannot be stored');
  expect(await balances()).toEqual(['Q 0 night-1']);
  expect(await giveUp()).toMatchObject({ unreadBalances: { P: 'given up' } });
});
