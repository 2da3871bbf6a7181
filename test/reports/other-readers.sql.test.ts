/** The lists of a night's workbook add up to the night's result, to the fen; other programs read the same cells in it. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import { openBook, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

type Book = Omit<PublishedBook, 'published'>;
const run = promisify(execFile);
let night: Night;
let path: string;
let outcome: NightOutcome;
let book: PublishedBook;

/** Deposits, transfers and withdrawals: as booked, otherwise, not at all, twice, failed and on their way. */
beforeAll(async () => {
  const trading = await openTrade('2026-03-02', { P: 10_000_000n, Q: 50_000n });
  night = trading.night;
  const { trade } = trading;
  const deposit = (orderNo: string, payeeAcctNo: string, amountFen: bigint) =>
    ({ orderNo, payeeAcctNo, amountFen, depositTime: '2026-03-02 09:00:00' }) as const;
  night.deposits(
    deposit('D1', 'P', 1_234n),
    deposit('D2', 'P', 459_000n),
    deposit('D3', 'Q', 700n),
    deposit('D4', 'Q', 8_001n),
  );
  const done = { payeeAcctNo: 'Q', finalAt: '2026-03-02 10:30:00' } as const;
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 10:00:00',
    orders: [
      { ...done, outOrderNo: 'T1', amountFen: 10_007n },
      { ...done, outOrderNo: 'T2', amountFen: 2_000n, state: 'FAIL' },
      { ...done, outOrderNo: 'T3', amountFen: 3_333n, finalAt: '2026-03-03 09:00:00' },
    ],
  });
  const withdrawn = {
    acctNo: 'P',
    submittedAt: '2026-03-02 11:00:00',
    finalAt: '2026-03-02 12:00:00',
  } as const;
  trade.withdrawals(
    { ...withdrawn, outOrderNo: 'W1', amountFen: 555n },
    { ...withdrawn, outOrderNo: 'W2', amountFen: 600n },
  );
  trade.books(
    'P deposit D1 1234 2026-03-02 09:05',
    'P deposit D2 495000 2026-03-02 09:05',
    'Q deposit D3 700 2026-03-02 09:05',
    'Q deposit D3 700 2026-03-02 09:06',
    'P transfer_out T1 -10007 2026-03-02 10:31',
    'Q transfer_in T1 10007 2026-03-02 10:31',
    'P transfer_out T2 -2000 2026-03-02 10:31',
    'P withdrawal W1 -555 2026-03-02 12:01',
  );
  outcome = await trade.night('2026-03-02');
  path = `${night.home}/read.xlsx`;
  book = await publish(night.db, { runId: outcome.result.run.id, path });
});
afterAll(() => night.close());

/** What a column of a sheet adds up to by account, in fen: in all its lists, below their headers. */
function sums(of: Book, sheet: string, title: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  let columns: { account: string; amount: string } | undefined;
  const rows = Map.groupBy(of.sheet(sheet).cells, ([place]) => place.replace(/^[A-Z]+/, ''));
  for (const cells of rows.values()) {
    const at = new Map(cells.map(([place, { value }]) => [place.replace(/\d+$/, ''), value]));
    const columnOf = (text: string) => [...at].find(([, value]) => value === text)?.[0];
    const [account, amount] = [columnOf('账户'), columnOf(title)];
    if (account !== undefined && amount !== undefined) columns = { account, amount };
    else if (columns !== undefined) {
      const [no, yuan] = [at.get(columns.account), at.get(columns.amount)];
      if (typeof no === 'string' && typeof yuan === 'number')
        sums[no] = (sums[no] ?? 0n) + BigInt(Math.round(yuan * 100));
    }
  }
  return sums;
}

function added(...parts: Record<string, bigint>[]): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const [no, fen] of parts.flatMap((part) => Object.entries(part))) all[no] = (all[no] ?? 0n) + fen;
  return all;
}

test('the lists add up, account by account, to the figures of the result', () => {
  const { accounts, breaks, timing } = outcome.result;
  const differences = (items: readonly { accountNo: string; differenceFen: bigint }[]) =>
    added(...items.map(({ accountNo, differenceFen }) => ({ [accountNo]: differenceFen })));
  expect(breaks.length).toBeGreaterThan(4);
  expect(sums(book, '差异', '差额')).toEqual(differences(breaks));
  expect(sums(book, '未达账项', '差额')).toEqual(differences(timing));
  const moved = added(
    sums(book, '充值', '平台净额'),
    sums(book, '划付', '对账户影响'),
    sums(book, '提现', '对账户影响'),
  );
  expect(moved).toEqual(Object.fromEntries(accounts.map((one) => [one.accountNo, one.movementsFen])));
  const booked = added(
    { P: 10_000_000n, Q: 50_000n },
    ...['充值', '划付', '提现'].map((sheet) => sums(book, sheet, '企业金额')),
  );
  expect(booked).toEqual(Object.fromEntries(accounts.map((one) => [one.accountNo, one.ledgerFen])));
});

/** Every cell that says something, by sheet and address. */
function cellsOf(of: Book): string[] {
  return book.published.sheets.flatMap(({ name }) =>
    [...of.sheet(name).cells]
      .filter(([, { value }]) => value !== undefined && value !== '')
      .map(([place, { value }]) => said(`${name}!${place}`, value)),
  );
}

/** A time of day is a fraction that each program writes to its own length; money has two decimals. */
function said(place: string, value: unknown): string {
  return `${place} ${JSON.stringify(typeof value === 'number' ? Number(value.toFixed(8)) : value)}`;
}

function has(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!has('ssconvert', '--version'))('gnumeric reads the same cells', async () => {
  const to = `${night.home}/gnumeric.xlsx`;
  await run('ssconvert', [path, to]);
  expect(cellsOf(await openBook(to)).toSorted()).toEqual(cellsOf(book).toSorted());
});

const OPENPYXL = `
import json, sys, openpyxl
from openpyxl.utils.datetime import to_excel
import datetime
for sheet in openpyxl.load_workbook(sys.argv[1], data_only=True):
    for row in sheet.iter_rows():
        for cell in row:
            value = cell.value
            if value is None: continue
            if isinstance(value, datetime.datetime): value = to_excel(value)
            print(json.dumps([sheet.title + '!' + cell.coordinate, value]))
`;

/** One that has it: another may be found first by that name. */
const PYTHON = ['python3', '/usr/bin/python3'].find((command) => has(command, '-c', 'import openpyxl'));

test.skipIf(PYTHON === undefined)('openpyxl reads the same cells', async () => {
  const { stdout } = await run(PYTHON ?? '', ['-c', OPENPYXL, path], { maxBuffer: 2 ** 26 });
  const read = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, string | number | boolean]);
  expect(read.map(([place, value]) => said(place, value)).toSorted()).toEqual(cellsOf(book).toSorted());
});
