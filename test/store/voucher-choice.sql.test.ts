/** What is asked for next, what became of a run, and what a bundle is made of. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/store/schema/schema.ts';
import { countAskedVouchers, countDueVouchers } from '../../src/store/vouchers/voucher-choice.ts';
import { contentDigest, listBundledOrders } from '../../src/store/vouchers/voucher-entries.ts';
import { listMarkedBundles, unmarkBundle } from '../../src/store/vouchers/voucher-marks.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { at } from '../helpers/service-time.ts';
import { ALL_MONTHS, KINDS, VoucherList, filter } from '../helpers/company/voucher-list.ts';

let database: TestDatabase;
let db: Db;
let list: VoucherList;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  list = new VoucherList(db);
});
afterAll(() => database.close());
beforeEach(() => emptyTables(db, 'all'));

describe('what is chosen', () => {
  test('newest month first, page by page, each once', async () => {
    await list.books.deposits('P', [
      { orderNo: 'D1', at: '2026-01-10 10:00:00', amountFen: 1n },
      { orderNo: 'D2', at: '2026-03-10 10:00:00', amountFen: 1n },
      { orderNo: 'D3', at: '2026-02-10 10:00:00', amountFen: 1n },
      { orderNo: 'D4', at: '2026-03-11 10:00:00', amountFen: 1n },
    ]);
    await list.fill();
    const first = await list.choose({}, 3);
    expect(first.map(({ number }) => number)).toEqual(['D2', 'D4', 'D3']);
    const second = await list.choose({}, 3, first.at(-1));
    expect(second.map(({ number }) => number)).toEqual(['D1']);
    expect(await countDueVouchers(db, filter())).toBe(4);
  });

  test('only of the kinds that are wanted', async () => {
    await list.deposits('D1');
    await list.orders.withdrawal({ out: 'W1', account: 'P', amountFen: 900n });
    await list.fill();
    expect((await list.choose({ kinds: ['withdrawal'] })).map(({ number }) => number)).toEqual(['W1']);
    expect(await list.choose({ kinds: [] })).toEqual([]);
  });

  test('what is not there is due again tomorrow, and not before', async () => {
    await list.deposits('D1');
    await list.answer('D1', { refused: 'not ready' });
    expect(await list.choose()).toEqual([]);
    expect(await list.choose({ today: '2026-03-03' })).toHaveLength(1);
    expect(await list.dues('tries', 'first_asked_day', 'next_day', 'reason')).toEqual([
      'deposit D1 due 1 2026-03-02 2026-03-03 not ready',
    ]);
  });

  test('in a window all that is not there, also what waits for tomorrow or was given up', async () => {
    await list.deposits('D1', 'D2', 'D3');
    await list.answer('D1', { refused: 'not ready' });
    await list.answer('D2', { refused: 'not ready' });
    await list.answer('D2', { refused: 'not ready' }, '2026-03-05');
    await list.answer('D3', { files: [{}] });
    const day = { from: at('2026-03-01 00:00:00'), to: at('2026-03-02 00:00:00') };
    expect((await list.choose({ window: day })).map(({ number }) => number)).toEqual(['D1', 'D2']);
    const dayAfter = { from: at('2026-03-02 00:00:00'), to: at('2026-03-03 00:00:00') };
    expect(await list.choose({ window: dayAfter })).toEqual([]);
  });
});

test('what became of a run is counted by orders', async () => {
  await list.deposits('D1', 'D2', 'D3', 'D4', 'D5');
  await list.answer('D1', { files: [{}, {}] });
  await list.answer('D2', { refused: 'not ready' });
  await list.answer('D3', { files: [{ condition: 'rejected' }] });
  await list.answer('D4', { unanswered: 'no answer' });
  expect(await countAskedVouchers(db, 'night-2026-03-02')).toEqual({
    asked: 3,
    fetched: 1,
    files: 2,
    missing: 1,
    rejected: 1,
    givenUp: 0,
    unavailable: 0,
  });
});

describe('what a bundle is made of', () => {
  const bundle = (accountNo: string) => listBundledOrders(db, { accountNo, month: '2026-03' }, KINDS);

  test('by time, with its files; of the payee it names the payer', async () => {
    await list.books.account('P');
    await list.books.account('Q');
    await list.orders.transfer({
      out: 'T1',
      payer: 'P',
      payee: 'Q',
      amountFen: 500n,
      submittedAt: '2026-03-01 12:00:00',
    });
    await list.deposits('D1', 'D2');
    await list.answer('D2', { files: [{}, { condition: 'rejected' }, { pages: 2 }] });
    const told = async (accountNo: string) =>
      (await bundle(accountNo)).map(
        (order) =>
          `${order.number} of ${order.orderAccountNo} with ${order.counterparty}: ${order.files.map(({ fileNo }) => fileNo).join(',')}`,
      );
    expect(await told('P')).toEqual([
      'D1 of P with Payer: ',
      'D2 of P with Payer: 1,2,3',
      'T1 of P with Q: ',
    ]);
    expect(await told('Q')).toEqual(['T1 of P with P: ']);
  });

  test('its digest changes when a voucher is filed or given up, and not while one is waited for', async () => {
    await list.deposits('D1', 'D2');
    const digest = async () => contentDigest(await bundle('P'));
    const marked = async () => (await listMarkedBundles(db, ALL_MONTHS)).length;
    for (const mark of await listMarkedBundles(db, ALL_MONTHS)) await unmarkBundle(db, mark);
    const atFirst = await digest();
    await list.answer('D1', { refused: 'not ready' });
    await list.answer('D2', { unanswered: 'no answer' });
    expect(await digest()).toBe(atFirst);
    expect(await marked()).toBe(0);
    await list.answer('D1', { refused: 'not ready' }, '2026-03-05');
    const givenUp = await digest();
    expect(givenUp).not.toBe(atFirst);
    expect(await marked()).toBe(1);
    await list.answer('D2', { files: [{}] });
    expect(await digest()).not.toBe(givenUp);
  });
});
