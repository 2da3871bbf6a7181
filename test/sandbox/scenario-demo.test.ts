/** The demo: what the sandbox answers and what the company's files say differ by what is planted, and by nothing else. */
import { describe, expect, test } from 'vitest';

import { Zone } from '../../src/core/time.ts';
import { createSandbox } from '../../src/sandbox/create-sandbox.ts';
import { demoBooks } from '../../src/sandbox/scenarios/demo-books.ts';
import { demoScenario } from '../../src/sandbox/scenarios/demo.ts';
import { ask, rows } from './caller.ts';
import type { Members } from './caller.ts';

const THROUGH = '2026-03-31';
const ZONE = new Zone('Asia/Shanghai');
const scenario = demoScenario({ seed: 1, through: THROUGH, timeZone: 'Asia/Shanghai' });
const [firstNight, secondNight] = scenario.nights;

/** What the platform says at an instant: balances, and all deposits it lists. */
function platformAt(at: string) {
  const sandbox = createSandbox({ now: at, scenario: { name: 'demo', through: THROUGH } });
  const reqTime = { reqTime: ZONE.compactText(at) };
  return new Map(
    scenario.accounts.map(({ accountNo }) => {
      const { biz } = ask(sandbox, 'acct/queryInfo', { accountNo }, reqTime);
      const listed: Members[] = [];
      for (let page = 1; page <= 5; page++) {
        const asked = {
          startDate: '2026-03-02',
          endDate: '2026-04-01',
          payeeAcctNo: accountNo,
          page,
          pageSize: 100,
        };
        listed.push(...rows(ask(sandbox, 'query/deposit', asked, reqTime)));
      }
      return [accountNo, { balance: biz['balance'] as number, listed }];
    }),
  );
}

interface Entry {
  account_no: string;
  kind: string;
  fen: number;
  reference: string;
  booked_at: string;
  status: string;
}

function readCsv(text: string): Record<string, string>[] {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, place) => [names[place] ?? '', cell])),
  );
}

const books = demoBooks(scenario);
const ledger = readCsv(books.ledgerCsv).map((row) => ({
  ...row,
  fen: fenOf(row['amount_yuan'] ?? ''),
})) as unknown as Entry[];

function fenOf(yuan: string): number {
  return Math.round(Number(yuan) * 100);
}

/** The ledger's balance at a cut: posted entries booked before it. */
function ledgerBalance(accountNo: string, cut: string): number {
  return ledger
    .filter((entry) => entry.account_no === accountNo && entry.status === 'posted' && entry.booked_at < cut)
    .reduce((sum, entry) => sum + entry.fen, 0);
}

const plantedFen = (accountNo: string, foundBy: (day: string) => boolean): number =>
  scenario.planted
    .filter((finding) => finding.accountNo === accountNo && foundBy(finding.foundBy))
    .reduce((sum, finding) => sum + Number(finding.differenceFen), 0);

/** The sum of what moved on the platform from midnight to the night's two o'clock: the roll-back to the cut. */
function sinceMidnight(listed: readonly Members[], midnight: string): number {
  return listed
    .filter((row) => String(row['depositTime']) >= midnight)
    .reduce((sum, row) => sum + (row['amount'] as number) - (row['fee'] as number), 0);
}

describe('the two nights', () => {
  test('are those of the last two days, at two in the morning after', () => {
    expect(scenario.nights).toEqual([
      { day: '2026-03-30', at: '2026-03-30T18:00:00.000Z' },
      { day: '2026-03-31', at: '2026-03-31T18:00:00.000Z' },
    ]);
  });

  test.each([
    [firstNight, '2026-03-31 00:00:00', (day: string) => day === '2026-03-30'],
    [secondNight, '2026-04-01 00:00:00', () => true],
  ] as const)(
    'at %o platform and ledger differ by what is planted, account by account',
    (night, cut, found) => {
      for (const [accountNo, { balance, listed }] of platformAt(night.at)) {
        const difference = balance - sinceMidnight(listed, cut) - ledgerBalance(accountNo, cut);
        expect([accountNo, difference]).toEqual([accountNo, plantedFen(accountNo, found)]);
      }
    },
  );

  test('most accounts are clean: every record has its entry and every entry its record', () => {
    const platform = platformAt(secondNight.at);
    expect(scenario.cleanAccounts).toHaveLength(4);
    for (const accountNo of scenario.cleanAccounts) {
      const listed = platform.get(accountNo)?.listed ?? [];
      const ofLedger = ledger.filter((entry) => entry.account_no === accountNo && entry.kind === 'deposit');
      expect(ofLedger).toHaveLength(listed.length);
      expect(listed.length).toBeGreaterThan(50);
      const known = new Set(listed.map((row) => row['orderNo']));
      expect(ofLedger.every((entry) => entry.reference === '' || known.has(entry.reference))).toBe(true);
    }
    expect(ledger.some((entry) => entry.kind === 'deposit' && entry.reference === '')).toBe(true);
  });
});

describe('what is planted', () => {
  const one = (wanted: string) =>
    scenario.planted.find((finding) => finding.class === wanted && !finding.follows);
  const recordOf = (night: { at: string }, wanted: string): Members | undefined => {
    const { accountNo, reference } = one(wanted) ?? { accountNo: '', reference: '' };
    return platformAt(night.at)
      .get(accountNo)
      ?.listed.find((row) => row['orderNo'] === reference);
  };

  test('is one of every class that deposits and balances can show', () => {
    const classes = scenario.planted.filter((finding) => !finding.follows).map((finding) => finding.class);
    expect(classes.toSorted()).toEqual(
      [
        'platform_only',
        'ledger_only',
        'amount',
        'fee',
        'duplicate',
        'account',
        'ambiguous',
        'unexplained',
        'opening',
        'bad_record',
        'record_changed',
        'record_vanished',
        'empty_suspect',
        'fee_invariant',
        'late',
        'pending',
      ].toSorted(),
    );
  });

  test('record_changed, record_vanished: the first night sees another record than the second', () => {
    expect(recordOf(firstNight, 'record_changed')).toMatchObject({
      amount: 1_000_000,
      fee: 0,
      realAmount: 1_000_000,
    });
    expect(recordOf(secondNight, 'record_changed')).toMatchObject({
      amount: 1_000_300,
      fee: 300,
      realAmount: 1_000_000,
    });
    expect(recordOf(firstNight, 'record_vanished')).toMatchObject({ amount: 47_500 });
    expect(recordOf(secondNight, 'record_vanished')).toBeUndefined();
  });

  test('bad_record, fee_invariant: what the platform states contradicts itself', () => {
    expect(recordOf(secondNight, 'bad_record')?.['amount']).toBe(12.5);
    expect(recordOf(secondNight, 'fee_invariant')).toMatchObject({
      feeType: 'ACCOUNT',
      amount: 200_000,
      fee: 600,
      realAmount: 199_400,
    });
  });

  test('empty_suspect: the listing is empty, the balance and the ledger are not', () => {
    const { accountNo } = one('empty_suspect') ?? { accountNo: '' };
    expect(platformAt(secondNight.at).get(accountNo)).toEqual({ balance: 260_000, listed: [] });
    expect(ledgerBalance(accountNo, '2026-04-01 00:00:00')).toBe(260_000);
  });

  test('late: 23:59:30 on the platform, 00:00:40 in the ledger', () => {
    expect(recordOf(secondNight, 'late')?.['depositTime']).toBe('2026-03-31 23:59:30');
    const entry = ledger.find(({ reference }) => reference === one('late')?.reference);
    expect(entry?.booked_at).toBe('2026-04-01 00:00:40');
  });
});

describe('the files', () => {
  test('are in the columns of the intake, one account a row', () => {
    expect(books.accountsCsv.split('\n')[0]).toBe(
      'account_no,ele_acct_no,name,role,subject_id,auto_settle,active_from',
    );
    expect(readCsv(books.accountsCsv).map((row) => row['role'])).toEqual([
      'FQ',
      ...Array<string>(7).fill('JS'),
    ]);
    expect(books.ledgerCsv.split('\n')[0]).toBe(
      'entry_id,account_no,kind,amount_yuan,reference,out_batch_no,counterparty,booked_at,status,memo',
    );
    expect(new Set(readCsv(books.ledgerCsv).map((row) => row['entry_id'])).size).toBe(ledger.length);
  });

  test('hold the true openings on request', () => {
    const [row] = readCsv(demoBooks(scenario, { openings: true }).accountsCsv);
    expect([row?.['opening_yuan'], row?.['opening_at']]).toEqual(['1250000.00', '2026-03-02 00:00:00']);
  });

  test('S8: no card and no identity number in them could be real', () => {
    const personal = scenario.companyAccounts.flatMap(({ seed, subjectId }) => [
      seed.bindCard?.bankAccountNo ?? '',
      subjectId,
    ]);
    for (const number of personal) expect([number, isRealNumber(number)]).toEqual([number, false]);
  });

  test('another seed makes another month, any last day works', () => {
    const leap = demoScenario({ seed: 2, through: '2024-02-29', timeZone: 'Asia/Shanghai' });
    expect([leap.firstDay, leap.planted.length]).toEqual(['2024-01-31', scenario.planted.length]);
    expect(demoBooks(leap).ledgerCsv).not.toBe(books.ledgerCsv);
  });
});

/** Passes the check of a bank card or of an identity number. */
function isRealNumber(number: string): boolean {
  if (/^\d{17}[\dX]$/.test(number)) {
    const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const sum = weights.reduce((total, weight, place) => total + weight * Number(number[place]), 0);
    return '10X98765432'[sum % 11] === number[17];
  }
  if (!/^\d{16}$/.test(number)) return false;
  const sum = number.split('').reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
