/** The demo's month of transfers, settlements, refunds and withdrawals, as platform and company have it. */
import { describe, expect, test } from 'vitest';

import { maskPersonal } from '../../../src/core/mask.ts';
import { books, firstNight, ledger, PlatformAt, readCsv, scenario, secondNight } from './demo-files.ts';
import type { Members } from '../caller.ts';

const registry = readCsv(books.ordersCsv);
const [before, after] = [new PlatformAt(firstNight.at), new PlatformAt(secondNight.at)];

const batches = [...new Set(scenario.transfers.map(({ outBatchNo }) => outBatchNo))].map((outBatchNo) => {
  const { label, orders } = after.batch(outBatchNo) ?? { label: 'NOT FOUND', orders: [] };
  return { outBatchNo, label, orders };
});
const orders = batches.flatMap((batch) => batch.orders);
const withdrawals = scenario.withdrawals.map(({ outOrderNo }) => after.withdrawal(outOrderNo) ?? {});

function counted(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

function isNamed(order: Members | undefined, reference: string): boolean {
  return reference === order?.['outOrderNo'] || reference === order?.['orderNo'];
}

describe('the month', () => {
  test('DIV-18: has batches of 2 to 20 orders, but for one that is sent alone; one of 20 is partly successful', () => {
    const sizes = batches.map((batch) => batch.orders.length);
    expect(sizes.filter((size) => size === 1)).toHaveLength(1);
    expect([batches.length > 50, Math.max(...sizes)]).toEqual([true, 20]);
    const full = batches.filter(({ orders: { length }, label }) => length === 20 && label === 'PART_SUCCESS');
    const states = full.map((batch) => counted(batch.orders.map((order) => order['state'])));
    expect(states).toContainEqual({ SUCCESS: 17, FAIL: 3 });
  });

  test('has orders in every state and of every fee, settled and failed ones, refunds and withdrawals', () => {
    const words = (member: string, of: Members[]): string[] =>
      Object.keys(counted(of.map((o) => o[member]))).toSorted();
    expect(words('state', orders)).toEqual([
      'CLOSE',
      'FAIL',
      'PROCESSING',
      'REFUND',
      'RISK_REVIEW',
      'SUCCESS',
      'WAIT_CONFIRM',
    ]);
    expect(words('feeType', orders)).toEqual(['ACCOUNT', 'ORDER']);
    expect(words('settleState', orders)).toEqual(['', 'FAIL', 'SUCCESS']);
    expect(words('state', withdrawals)).toEqual(['FAIL', 'PROCESSING', 'SUCCESS']);
    expect(words('feeType', withdrawals)).toEqual(['ACCOUNT', 'ORDER']);
    const refunds = orders.filter((order) => order['refundAmount'] !== 0);
    expect(refunds.length).toBeGreaterThan(5);
    expect(refunds.every((order) => order['refundAmount'] === order['amount'])).toBe(true);
  });

  test('is booked with every kind of entry, by the one number or the other, fees netted or apart', () => {
    expect(Object.keys(counted(ledger.map(({ kind }) => kind))).toSorted()).toEqual([
      'deposit',
      'fee',
      'opening',
      'refund_in',
      'refund_out',
      'settlement',
      'transfer_in',
      'transfer_out',
      'withdrawal',
    ]);
    const names = (kind: string): string[] => {
      const references = ledger
        .filter((entry) => entry.kind === kind)
        .map(({ reference }) => reference.slice(0, 2));
      return Object.keys(counted(references)).toSorted();
    };
    expect([names('transfer_in'), names('withdrawal'), names('transfer_out')]).toEqual([
      ['PO', 'TO'],
      ['PW', 'WD'],
      ['PO'],
    ]);
    const amountsOf = (wanted: Members | undefined, account: unknown): number[] =>
      ledger
        .filter(({ accountNo }) => accountNo === account)
        .filter(({ kind, reference }) => ['transfer_in', 'fee'].includes(kind) && isNamed(wanted, reference))
        .map(({ fen }) => fen);
    const inside = (account: string): Members | undefined =>
      orders.find(
        (o) =>
          o['payeeAcctNo'] === account &&
          o['feeType'] === 'ORDER' &&
          o['mchFee'] !== 0 &&
          o['state'] === 'SUCCESS',
      );
    const [netted, apart] = [inside('3100000012'), inside('3100000002')];
    expect(amountsOf(netted, '3100000012')).toEqual([
      Number(netted?.['amount']) - Number(netted?.['mchFee']),
    ]);
    expect(amountsOf(apart, '3100000002')).toEqual([Number(apart?.['amount']), -Number(apart?.['mchFee'])]);
  });

  test('is registered with the time it was sent, but for three orders and a withdrawal that only the books name', () => {
    const known = new Set(registry.map((row) => row['out_order_no']));
    const strangers = [...orders, ...withdrawals].filter((order) => !known.has(String(order['outOrderNo'])));
    expect(counted(strangers.map((order) => String(order['outOrderNo']).slice(0, 2)))).toEqual({
      PO: 3,
      PW: 1,
    });
    for (const { outOrderNo, orderNo } of strangers) {
      expect(ledger.some(({ reference }) => reference === outOrderNo || reference === orderNo)).toBe(true);
    }
    const [row] = registry
      .filter(({ out_batch_no: batch, outcome }) => batch !== '' && outcome === 'accepted')
      .slice(-1);
    const sentAt = new Date(`${row?.['submitted_at']?.replace(' ', 'T')}+08:00`).getTime();
    const isThere = (ms: number): boolean =>
      new PlatformAt(new Date(ms).toISOString()).batch(row?.['out_batch_no'] ?? '') !== undefined;
    expect([isThere(sentAt - 1), isThere(sentAt)]).toEqual([false, true]);
  });

  test('S6: no number looks like a card or a phone, which would be hidden in the workbook', () => {
    const numbers = registry.flatMap((row) => [
      row['out_batch_no'],
      row['out_order_no'],
      row['batch_no'],
      row['order_no'],
    ]);
    for (const number of numbers) expect(maskPersonal(number ?? '')).toBe(number);
  });

  test('an order of the clean payer and a withdrawal are under way over the first night alone', () => {
    const overNight = scenario.planted.filter(({ until }) => until !== undefined);
    expect(overNight.map((finding) => [finding.class, finding.accountNo, finding.until])).toEqual([
      ['in_flight', '3100000001', '2026-03-30'],
      ['in_flight', '3100000002', '2026-03-30'],
    ]);
    const [order = '', withdrawal = ''] = overNight.map(({ reference }) => reference);
    expect([before, after].map((night) => night.order(order)?.['state'])).toEqual(['PROCESSING', 'SUCCESS']);
    expect([before, after].map((night) => night.withdrawal(withdrawal)?.['state'])).toEqual([
      'PROCESSING',
      'SUCCESS',
    ]);
  });
});
