/** The volume: very many deposits, the same ones in the sandbox and in the company's files. */
import { expect, test } from 'vitest';

import { Zone } from '../../../src/core/time.ts';
import {
  volumeAccountsCsv,
  volumeDeposits,
  volumeDifferenceAt,
  volumeLedger,
  volumeLedgerCsv,
} from '../../../src/sandbox/scenarios/volume.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { ask, rows } from '../caller.ts';
import type { Members } from '../caller.ts';

const VOLUME = { accounts: 3, depositsPerAccount: 250, from: '2026-02-01', days: 28 };
const OPTIONS = { ...VOLUME, seed: 4, timeZone: 'Asia/Shanghai' };
const NIGHT = '2026-02-28T18:00:00.000Z';
const REQ_TIME = { reqTime: new Zone('Asia/Shanghai').compactText(NIGHT) };

function listed(accountNo: string): Members[] {
  const sandbox = createSandbox({ now: NIGHT, seed: 4, scenario: { name: 'volume', ...VOLUME } });
  const biz = { startDate: '2026-02-01', endDate: '2026-02-28', payeeAcctNo: accountNo, pageSize: 100 };
  return [1, 2, 3].flatMap((page) => rows(ask(sandbox, 'query/deposit', { ...biz, page }, REQ_TIME)));
}

test('DEP-11: the sandbox lists exactly the deposits of the generator', () => {
  const generated = [...volumeDeposits(OPTIONS)].filter((row) => row.accountNo === '4100000001');
  const seen = listed('4100000001');
  expect(seen).toHaveLength(250);
  expect(seen.map((row) => row['orderNo']).toReversed()).toEqual(generated.map((row) => row.orderNo));
  expect(seen.map((row) => row['amount']).toReversed()).toEqual(
    generated.map((row) => Number(row.amountFen)),
  );
  const times = seen.map((row) => String(row['depositTime']));
  expect(times).toEqual(times.toSorted().toReversed());
});

test('the balance is the opening and every deposit up to now', () => {
  const sandbox = createSandbox({ now: NIGHT, seed: 4, scenario: { name: 'volume', ...VOLUME } });
  const account = { accountNo: '4100000002' };
  let expected = 1_000_000n;
  for (const row of volumeDeposits(OPTIONS)) {
    if (row.accountNo === account.accountNo) expected += row.amountFen - row.feeFen;
  }
  expect(ask(sandbox, 'acct/queryInfo', account, REQ_TIME).biz['balance']).toBe(Number(expected));
  sandbox.clock.set('2026-01-31T16:00:00.000Z');
  const before = ask(sandbox, 'acct/queryInfo', account, { reqTime: '20260201000000' });
  expect(before.biz['balance']).toBe(1_000_000);
});

test('without differences the ledger is worth what the sandbox holds', () => {
  const ledger = [...volumeLedger({ ...OPTIONS, differences: 0 })];
  const sandbox = createSandbox({ now: NIGHT, seed: 4, scenario: { name: 'volume', ...VOLUME } });
  for (const accountNo of ['4100000000', '4100000001', '4100000002']) {
    const sum = ledger
      .filter((row) => row.accountNo === accountNo)
      .reduce((fen, row) => fen + row.amountFen, 0n);
    const { biz } = ask(sandbox, 'acct/queryInfo', { accountNo }, REQ_TIME);
    expect(biz['balance']).toBe(Number(sum));
  }
});

test('as many differences as asked for, spread and of every kind', () => {
  const kinds = Array.from({ length: 750 }, (_, nth) =>
    volumeDifferenceAt(nth, { total: 750, differences: 10 }),
  );
  const planted = kinds.filter((kind) => kind !== undefined);
  expect(planted).toHaveLength(10);
  expect(new Set(planted)).toEqual(new Set(['platform_only', 'amount', 'ledger_only', 'duplicate']));
  const clean = [...volumeLedger({ ...OPTIONS, differences: 0 })].map(
    (row) => `${row.reference} ${row.kind} ${row.amountFen}`,
  );
  const wrong = [...volumeLedger({ ...OPTIONS, differences: 10 })].map(
    (row) => `${row.reference} ${row.kind} ${row.amountFen}`,
  );
  expect(wrong).not.toEqual(clean);
});

test('the files have the columns of the intake, a line an entry', () => {
  const lines = [...volumeLedgerCsv({ ...OPTIONS, differences: 0 })];
  expect(lines[0]).toBe(
    'entry_id,account_no,kind,amount_fen,reference,out_batch_no,counterparty,booked_at,status,memo\n',
  );
  expect(lines[1]).toBe('E000000001,4100000000,opening,1000000,,,,2026-02-01 00:00:00,posted,\n');
  expect(lines.length).toBeGreaterThan(750);
  expect(volumeAccountsCsv(OPTIONS).split('\n')[1]).toBe('4100000000,EA4100000000,示例商户0,JS,no');
});
