/** The demo: what the sandbox answers and what the company's files say differ by what is planted, and by nothing else. */
import { describe, expect, test } from 'vitest';

import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { demoBooks } from '../../../src/sandbox/scenarios/demo-books.ts';
import { demoScenario } from '../../../src/sandbox/scenarios/demo.ts';
import type { Members } from '../caller.ts';
import {
  books,
  firstNight,
  ledger,
  ledgerBalance,
  PlatformAt,
  readCsv,
  scenario,
  secondNight,
} from './demo-files.ts';

/** What is frozen for no order is no part of the difference of balances. */
const plantedFen = (accountNo: string, foundBy: (day: string) => boolean): number =>
  scenario.planted
    .filter((finding) => finding.accountNo === accountNo && foundBy(finding.foundBy))
    .filter((finding) => finding.class !== 'frozen')
    .reduce((sum, finding) => sum + Number(finding.differenceFen), 0);

describe('the two nights', () => {
  test('are those of the last two days, at two in the morning after', () => {
    expect(scenario.nights).toEqual([
      { day: '2026-03-30', at: '2026-03-30T18:00:00.000Z' },
      { day: '2026-03-31', at: '2026-03-31T18:00:00.000Z' },
    ]);
  });

  test.each([
    ['2026-03-30T15:59:59.999Z', '2026-03-31 00:00:00', (day: string) => day === '2026-03-30'],
    ['2026-03-31T15:59:59.999Z', '2026-04-01 00:00:00', () => true],
  ] as const)(
    'at the end of the day, %s, platform and ledger differ by what is planted, account by account',
    (at, cut, found) => {
      const platform = new PlatformAt(at);
      for (const { accountNo } of scenario.accounts) {
        const difference = Number(platform.money(accountNo)[0]) - ledgerBalance(accountNo, cut);
        expect([accountNo, difference]).toEqual([accountNo, plantedFen(accountNo, found)]);
      }
    },
  );

  test('most accounts are clean: every deposit has its entry and every entry its deposit', () => {
    const platform = new PlatformAt(secondNight.at);
    expect([scenario.accounts.length, scenario.cleanAccounts.length]).toEqual([16, 9]);
    for (const accountNo of scenario.cleanAccounts) {
      const listed = platform.deposits(accountNo);
      const ofLedger = ledger.filter((entry) => entry.accountNo === accountNo && entry.kind === 'deposit');
      expect(ofLedger).toHaveLength(listed.length);
      const known = new Set(listed.map((row) => row['orderNo']));
      expect(ofLedger.every((entry) => entry.reference === '' || known.has(entry.reference))).toBe(true);
    }
    expect(ledger.some((entry) => entry.kind === 'deposit' && entry.reference === '')).toBe(true);
  });
});

describe('what is planted', () => {
  /** Of deposits and balances, which are planted first. */
  const one = (wanted: string) =>
    scenario.planted.find((finding) => finding.class === wanted && !finding.follows);
  const recordOf = (night: { at: string }, wanted: string): Members | undefined => {
    const { accountNo, reference } = one(wanted) ?? { accountNo: '', reference: '' };
    return new PlatformAt(night.at).deposits(accountNo).find((row) => row['orderNo'] === reference);
  };

  test('is of every class but those of vouchers and of closed months', () => {
    const classes = scenario.planted.filter((finding) => !finding.follows).map((finding) => finding.class);
    expect([...new Set(classes)].toSorted()).toEqual([
      'account',
      'ambiguous',
      'amount',
      'bad_record',
      'batch_children',
      'duplicate',
      'empty_suspect',
      'fee',
      'fee_invariant',
      'frozen',
      'in_flight',
      'late',
      'ledger_only',
      'opening',
      'pending',
      'platform_only',
      'record_changed',
      'record_vanished',
      'settle_failed',
      'state',
      'state_regression',
      'unexplained',
      'unknown_not_found',
      'unknown_state',
    ]);
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
    const platform = new PlatformAt(secondNight.at);
    expect([platform.money(accountNo)[0], platform.deposits(accountNo)]).toEqual([260_000, []]);
    expect(ledgerBalance(accountNo, '2026-04-01 00:00:00')).toBe(260_000);
  });

  test('late: 23:59:30 on the platform, 00:00:40 in the ledger', () => {
    expect(recordOf(secondNight, 'late')?.['depositTime']).toBe('2026-03-31 23:59:30');
    const entry = ledger.find(({ reference }) => reference === one('late')?.reference);
    expect(entry?.bookedAt).toBe('2026-04-01 00:00:40');
  });
});

describe('the files', () => {
  test('are in the columns of the intake, one account a row', () => {
    expect(books.accountsCsv.split('\n')[0]).toBe(
      'account_no,ele_acct_no,name,role,subject_id,auto_settle,active_from',
    );
    expect(readCsv(books.accountsCsv).map((row) => `${row['role']} ${row['auto_settle']}`)).toEqual([
      'FQ no',
      'JS no',
      'JS yes',
      'JS no',
      'JS no',
      'JS yes',
      'JS yes',
      'JS no',
      'FQ no',
      'FQ no',
      'JS no',
      'JS yes',
      'JS yes',
      'JS no',
      'JS no',
      'JS yes',
    ]);
    expect(books.ledgerCsv.split('\n')[0]).toBe(
      'entry_id,account_no,kind,amount_yuan,reference,out_batch_no,counterparty,booked_at,status,memo',
    );
    expect(new Set(readCsv(books.ledgerCsv).map((row) => row['entry_id'])).size).toBe(ledger.length);
    expect(books.ordersCsv.split('\n')[0]).toBe(
      'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,payee_account_no,amount_yuan,submitted_at,outcome',
    );
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

  test('no account ever lacks the money for what is paid from it, whatever the seed', () => {
    for (let seed = 3; seed < 9; seed++) {
      const through = `2026-05-${String(seed + 10).padStart(2, '0')}`;
      expect(() =>
        createSandbox({ seed, now: secondNight.at, scenario: { name: 'demo', through } }),
      ).not.toThrow();
    }
  });

  test('no two accounts are held under one name', () => {
    expect(new Set(scenario.accounts.map(({ name }) => name)).size).toBe(16);
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
