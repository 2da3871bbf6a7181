/** What is wrong with transfers and withdrawals on the demo's last day, and how the platform and the books show it. */
import { describe, expect, test } from 'vitest';

import {
  books,
  fenOf,
  firstNight,
  ledger,
  PlatformAt,
  readCsv,
  scenario,
  secondNight,
} from './demo-files.ts';

const registry = readCsv(books.ordersCsv);
const [before, after] = [new PlatformAt(firstNight.at), new PlatformAt(secondNight.at)];

const plants = scenario.planted.filter(
  (finding) =>
    (/^P[BOW]/.test(finding.reference) || finding.class === 'frozen') && finding.until === undefined,
);
const planted = (wanted: string, accountNo: string): string =>
  plants.find((finding) => finding.class === wanted && finding.accountNo === accountNo)?.reference ?? '';

describe('what is planted', () => {
  test('is found on these accounts with these differences', () => {
    const listed = plants.map((finding) => [
      finding.class,
      finding.accountNo,
      finding.differenceFen,
      finding.follows,
    ]);
    expect(listed).toEqual([
      ['platform_only', '3100000005', 138_800n, undefined],
      ['ledger_only', '3100000009', 96_000n, undefined],
      ['amount', '3100000009', 9_000n, undefined],
      ['fee', '3100000009', -4_500n, undefined],
      ['duplicate', '3100000005', -72_000n, undefined],
      ['state', '3100000009', 205_000n, undefined],
      ['account', '3100000005', 410_000n, undefined],
      ['account', '3100000006', -410_000n, 'account'],
      ['platform_only', '3100000009', 260_000n, undefined],
      ['platform_only', '3100000005', -260_000n, 'platform_only'],
      ['batch_children', '3100000009', 0n, undefined],
      ['unknown_state', '3100000009', 0n, undefined],
      ['in_flight', '3100000009', 0n, 'unknown_state'],
      ['state_regression', '3100000009', 0n, undefined],
      ['fee_invariant', '3100000009', 0n, undefined],
      ['settle_failed', '3100000006', 0n, undefined],
      ['settle_failed', '3100000006', 0n, undefined],
      ['fee', '3100000011', -700n, undefined],
      ['state', '3100000011', 620_000n, undefined],
      ['amount', '3100000011', 740_000n, undefined],
      ['record_changed', '3100000011', 0n, undefined],
      ['frozen', '3100000011', 1_200_000n, undefined],
      ['in_flight', '3100000010', 0n, undefined],
      ['pending', '3100000010', 189_000n, undefined],
      ['unknown_not_found', '3100000010', 0n, undefined],
      ['late', '3100000004', 93_000n, undefined],
      ['in_flight', '3100000004', 0n, undefined],
      ['in_flight', '3100000004', 0n, undefined],
    ]);
  });

  test('every reference is planted for one finding an account', () => {
    const keys = plants.map((finding) => `${finding.accountNo} ${finding.reference}`);
    const twice = keys.filter((key, place) => keys.indexOf(key) !== place);
    expect(twice).toEqual([`3100000009 ${planted('unknown_state', '3100000009')}`]);
  });

  test('in flight: what is frozen is what the open orders hold, and on one account a sum that no order holds', () => {
    const frozen = scenario.accounts.map(({ accountNo }) => [accountNo, after.money(accountNo)[1]]);
    expect(frozen.filter(([, fen]) => fen !== 0)).toEqual([
      // A refund that waits and a withdrawal.
      ['3100000004', 118_000 + 480_000],
      ['3100000009', 330_000],
      // With the fee beside the amount, and the one the books have posted.
      ['3100000010', 275_300 + 189_000],
      ['3100000011', 1_200_000],
    ]);
    expect(after.order(planted('in_flight', '3100000010'))).toMatchObject({
      state: 'PROCESSING',
      amount: 275_000,
    });
    expect(after.order(planted('pending', '3100000010'))).toMatchObject({
      state: 'PROCESSING',
      amount: 189_000,
    });
    expect(after.order(planted('unknown_state', '3100000009'))?.['state']).toBe('RISK_REVIEW');
  });

  test('unknown_not_found: registered, no answer came, and the platform knows neither batch nor order', () => {
    const reference = planted('unknown_not_found', '3100000010');
    const row = registry.find((order) => order['out_order_no'] === reference);
    expect(row).toMatchObject({ outcome: 'unknown', order_no: '', submitted_at: '2026-03-31 17:40:00' });
    expect([fenOf(row?.['amount_yuan']), after.order(reference)]).toEqual([64_000, undefined]);
  });

  test('ledger_only: the platform has neither the batch nor the order that the books name', () => {
    const entry = ledger.find(({ reference }) => reference === planted('ledger_only', '3100000009'));
    expect([entry?.fen, after.batch(entry?.batch ?? '')]).toEqual([-96_000, undefined]);
  });

  test('batch_children: the label says SUCCESS, an order says FAIL', () => {
    const batch = after.batch(planted('batch_children', '3100000009'));
    expect([batch?.label, batch?.orders.map((order) => order['state'])]).toEqual([
      'SUCCESS',
      ['FAIL', 'SUCCESS'],
    ]);
  });

  test('state_regression: SUCCESS in the first night, PROCESSING in the second', () => {
    const reference = planted('state_regression', '3100000009');
    const states = [before, after].map((night) => night.order(reference)?.['state']);
    expect(states).toEqual(['SUCCESS', 'PROCESSING']);
  });

  test('record_changed: a fee out of the same amount, so that the same sum has left the account', () => {
    const reference = planted('record_changed', '3100000011');
    expect(before.withdrawal(reference)).toMatchObject({ amount: 550_000, realAmount: 550_000, fee: 0 });
    expect(after.withdrawal(reference)).toMatchObject({
      amount: 550_000,
      realAmount: 549_000,
      fee: 1_000,
      feeType: 'ORDER',
    });
  });

  test('fee_invariant: less is credited than the amount although the fee is beside it', () => {
    expect(after.order(planted('fee_invariant', '3100000009'))).toMatchObject({
      amount: 300_000,
      mchFee: 900,
      feeType: 'ACCOUNT',
      realAmount: 299_100,
    });
  });

  test('U49: the withdrawal succeeds in the first night and has come back in the second', () => {
    const reference = planted('amount', '3100000011');
    const states = [before, after].map((night) => night.withdrawal(reference)?.['state']);
    expect(states).toEqual(['SUCCESS', 'FAIL']);
    expect(ledger.filter((entry) => entry.reference === reference).map(({ fen }) => fen)).toEqual([-740_000]);
  });

  test('U36: the refund shows in the first night already, and nobody booked it', () => {
    const reference = planted('platform_only', '3100000009');
    const refunded = [before, after].map((night) => night.order(reference)?.['refundAmount']);
    expect(refunded).toEqual([260_000, 260_000]);
    const kinds = ledger.filter((entry) => entry.reference === reference).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['transfer_in', 'transfer_out']);
  });

  test('U34, STL-15: two settlements failed, and nobody booked them; of their retries one fails, one succeeds', () => {
    const references = plants
      .filter(({ class: of }) => of === 'settle_failed')
      .map((plant) => plant.reference);
    const night = new PlatformAt(secondNight.at);
    const seen = references.map((reference) => {
      const { settleState, settleRemark } = night.order(reference) ?? {};
      return [settleState, settleRemark, night.retry(reference), night.order(reference)?.['settleState']];
    });
    expect(seen).toEqual([
      ['FAIL', '收款银行账户状态异常', 'FAIL', 'FAIL'],
      ['FAIL', '收款银行系统维护', 'SUCCESS', 'SUCCESS'],
    ]);
    const booked = ledger.filter((entry) => references.includes(entry.reference));
    expect(booked.map(({ kind }) => kind)).not.toContain('settlement');
  });

  test('state: booked when they were sent, and failed', () => {
    expect(after.order(planted('state', '3100000009'))?.['state']).toBe('FAIL');
    expect(after.withdrawal(planted('state', '3100000011'))?.['state']).toBe('FAIL');
  });

  test('late: 23:57 on the platform and with the payer, 00:03 with the payee', () => {
    const reference = planted('late', '3100000004');
    const { orderNo } = after.order(reference) ?? {};
    const entries = ledger.filter((entry) => [reference, orderNo].includes(entry.reference));
    expect(entries.map(({ kind, bookedAt }) => [kind, bookedAt])).toEqual([
      ['transfer_out', '2026-03-31 23:58:30'],
      ['transfer_in', '2026-04-01 00:03:00'],
    ]);
  });
});
