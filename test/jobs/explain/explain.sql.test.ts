/** A figure, an order and a break, each traced from its cell to the signed answer and to the row of the file. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainNumber } from '../../../jobs/explain/explain-number.ts';
import type { Explanation } from '../../../jobs/explain/explain-number.ts';
import { explanationText } from '../../../jobs/explain/explanation-text.ts';
import { screenOf } from '../../../jobs/explain/screen.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { findAnswerText } from '../../../src/store/deposits/answers.ts';
import { Night, zone } from '../../helpers/night.ts';
import { readWorkbook } from '../../helpers/read-workbook.ts';

const DAY = '2026-03-02';
let night: Night;

beforeAll(async () => {
  night = await Night.open({ now: '2026-03-03 02:00:00', workbooks: 'each' });
  const opening = { fen: 100_000n, at: `${DAY} 00:00:00` };
  await night.accounts({ no: 'P', opening }, { no: 'Q', opening: { ...opening, fen: 0n } });
  night.deposits(
    { payeeAcctNo: 'P', orderNo: 'D1', amountFen: 500n, depositTime: `${DAY} 09:00:00` },
    {
      payeeAcctNo: 'P',
      orderNo: 'D2',
      amountFen: 700n,
      depositTime: `${DAY} 10:00:00`,
      payerName: '王五 13812345678',
    },
  );
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: `${DAY} 11:00:00`,
      orders: [
        { outOrderNo: 'T0', payeeAcctNo: 'Q', amountFen: 300n },
        { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 1_000n },
      ],
    },
  ]);
  await night.orders(
    ...['T0', 'T1'].map((outOrderNo) => ({
      kind: 'transfer' as const,
      outBatchNo: 'B1',
      outOrderNo,
      payer: 'P',
      payee: 'Q',
      fen: outOrderNo === 'T0' ? 300n : 1_000n,
      submittedAt: `${DAY} 11:00:00`,
    })),
  );
  const entry = (id: string, of: [account: string, kind: string, fen: bigint, reference: string]) => {
    const [account, kind, fen, reference] = of;
    return { id, account, kind, fen, reference, at: `${DAY} 12:00:00` };
  };
  await night.entries([
    entry('E1', ['P', 'deposit', 500n, 'D1']),
    entry('E2', ['P', 'transfer_out', -999n, 'T1']),
    entry('E3', ['Q', 'transfer_in', 1_000n, 'T1']),
  ]);
  await night.entries([entry('E2', ['P', 'transfer_out', -1_000n, 'T1'])]);
  await night.night(DAY);
});
afterAll(() => night.close());

async function explained(number: string, day?: string): Promise<Explanation | undefined> {
  const profile = readProfile(undefined, 'the defaults');
  const explaining = { db: night.db, zone, profile, locale: 'en' as const, home: night.home };
  return explainNumber(explaining, { number, day, today: '2026-03-03' });
}

async function textOf(number: string, locale: 'zh-CN' | 'en' = 'en'): Promise<string> {
  const explanation = await explained(number);
  if (explanation === undefined) throw new Error(`nothing bears ${number}`);
  return explanationText(screenOf({ zone, locale }), explanation);
}

test('an order leads to its place in the signed answer, its movements, and the rows of the files that booked it', async () => {
  const found = await explained('T1');
  expect(found?.records).toHaveLength(1);
  const [record] = found?.records ?? [];
  expect(record).toMatchObject({
    kind: 'transfer',
    accountNo: 'P',
    payeeAccountNo: 'Q',
    amountFen: 1_000n,
    version: 1,
    formerVersions: [],
    answer: { endpoint: 'division/query', signed: true, place: '/orderList/1' },
    registrations: [{ registeredAs: 'T1', amountFen: 1_000n, fileName: 'import-2.csv' }],
    movements: [
      { accountNo: 'P', key: 'transfer_out:T1', deltaFen: -1_000n, day: DAY },
      { accountNo: 'Q', key: 'transfer_in:T1', deltaFen: 1_000n, day: DAY },
    ],
  });
  expect(record?.movements.map(({ proof }) => proof?.runId)).toEqual([
    'nightly-2026-03-02-v1',
    'nightly-2026-03-02-v1',
  ]);
  const rows = record?.matches.map(({ accountNo, outcome, entries }) =>
    [
      accountNo,
      outcome,
      ...entries.map((entry) => `${entry.entryId} v${entry.version} ${entry.fileName}:${entry.fileRow}`),
    ].join(' '),
  );
  expect(rows).toEqual(['P equal E2 v2 import-4.csv:2', 'Q equal E3 v1 import-3.csv:4']);
});

test('the digest is that of a text that is kept, and the place in it is the record', async () => {
  const [record] = (await explained('D1'))?.records ?? [];
  const text = await findAnswerText(night.db, record?.answer.sha256 ?? '');
  expect(text).toContain('"D1"');
  expect(record?.answer).toMatchObject({ endpoint: 'query/deposit', signed: true });
  expect(record?.answer.place).toMatch(/^\/[a-zA-Z]+\/\d$/);
});

test('an entry leads to the record it was matched with, and shows what the books said before', async () => {
  const found = await explained('E2');
  expect(found?.records.map(({ outOrderNo }) => outOrderNo)).toEqual(['T1']);
  expect(
    found?.entries.map(({ versions }) => versions.map((one) => [one.version, one.amountFen, one.state])),
  ).toEqual([
    [
      [2, -1_000n, 'current'],
      [1, -999n, 'former'],
    ],
  ]);
});

test('a break leads to its record, and the record to its break; personal numbers are masked', async () => {
  const [found] = (await explained('D2'))?.breaks ?? [];
  expect(found).toMatchObject({
    class: 'platform_only',
    differenceFen: 700n,
    lastRun: 'nightly-2026-03-02-v1',
  });
  const ofBreak = await explained(found?.id ?? '');
  expect(ofBreak?.records.map(({ orderNo }) => orderNo)).toEqual(['D2']);
  expect(ofBreak?.breaks.map(({ id }) => id)).toEqual([found?.id]);
  const text = await textOf('D2');
  expect(text).toContain('Matching: matched with no entry');
  expect(text).not.toContain('13812345678');
});

test('a batch lists its orders, and what nothing bears is not there', async () => {
  expect((await explained('B1'))?.batches).toMatchObject([
    { accountNo: 'P', orders: [{ outOrderNo: 'T0' }, { outOrderNo: 'T1' }] },
  ]);
  expect(await explained('T')).toBeUndefined();
  expect(await explained('P', '2026-03-03')).toBeUndefined();
});

test('each figure of an account stands in the cell that is named, and its movements add up to it', async () => {
  const account = (await explained('P', DAY))?.account;
  const workbook = account?.figures[0]?.workbook;
  const read = await readWorkbook(path.join(night.home, workbook?.file ?? ''));
  const sheet = read.sheets.find(({ name }) => name === workbook?.sheet);
  const shown = account?.figures.map(({ figure, workbook: at }) => [
    figure,
    sheet?.cells.get(at?.cell ?? '')?.value,
  ]);
  expect(shown).toEqual([
    ['opening', 1_000],
    ['in', 12],
    ['out', 13],
    ['fees', 0],
    ['reported', 999],
    ['unexplained', 0],
    ['inFlight', 0],
    ['ledgerOpening', 1_000],
    ['ledgerIn', 5],
    ['ledgerOut', 10],
    ['ledgerFees', 0],
    ['ledgerReported', 995],
    ['difference', 4],
    ['lines', 4],
    ['openingDifference', 0],
  ]);
  expect(account?.movements).toEqual([
    { kind: 'deposit', count: 2, amountFen: 1_200n },
    { kind: 'transfer_out', count: 2, amountFen: -1_300n },
  ]);
  expect(account?.balance).toMatchObject({ balanceFen: 99_900n, answer: { endpoint: 'acct/queryInfo' } });
});

test('a screen says it in either language', async () => {
  expect(await textOf('T1', 'zh-CN')).toMatch(
    /^平台记录: 划付 T1 \/ \S+ · 账户 P\n {2}金额 +10\.00 元，手续费 0\.00 元/,
  );
  expect(await textOf('P')).toMatch(/Opening +1,000\.00 +Roll-forward!F7 +\/accounts\/0\/openingFen/);
});
