/** `get/transFiles`: which orders have a voucher, and what it is (VCH-06, VCH-08, ENV-28, U27, U51). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { md5Signed, members, send } from '../caller.ts';
import type { Members } from '../caller.ts';
import { expectRefused, PAYEE, PAYER, sandboxWithOrders } from '../orders/orders-caller.ts';
import { askFiles, openPdf, pageTexts, theFile } from './trans-files-reading.ts';

const DEPOSIT = { transType: '1', orderNo: 'DP-1' };
const WITHDRAWAL = { transType: '2', outOrderNo: 'W-1' };
const TRANSFER = { transType: '3', outOrderNo: 'O-1' };
/** The automatic withdrawal of the transfer order O-S. */
const SETTLEMENT = { transType: '2', outOrderNo: 'O-S' };
const EVERY_KIND = [DEPOSIT, WITHDRAWAL, TRANSFER, SETTLEMENT];

/** An hour after a deposit, two withdrawals (one fails) and a batch: O-1 succeeds, O-2 fails, O-S is settled, O-F not. */
function sandboxWithVouchers(options: SandboxOptions = {}): Sandbox {
  const sandbox = sandboxWithOrders(options);
  sandbox.seedDeposits([
    {
      orderNo: 'DP-1',
      payeeAcctNo: PAYER,
      amountFen: 123_456,
      payerName: '白鹭示例食品有限公司',
      payerAcctNo: '9999000011112222',
      depositTime: '2026-03-01 11:00:00',
    },
    { orderNo: 'DP-F', payeeAcctNo: PAYER, amountFen: 1, depositTime: '2026-03-01 11:00:00', failed: true },
    { orderNo: 'DP-L', payeeAcctNo: PAYER, amountFen: 1, depositTime: '2026-03-01 14:00:00' },
  ]);
  const at = { acctNo: PAYER, submittedAt: '2026-03-01 11:00:00' };
  sandbox.seedWithdrawals([
    { ...at, outOrderNo: 'W-1', orderNo: 'WD-1', amountFen: 5_000 },
    { ...at, outOrderNo: 'W-F', amountFen: 5_000, state: 'FAIL' },
    { ...at, outOrderNo: 'W-P', amountFen: 5_000, state: 'PROCESSING' },
  ]);
  const to = { payeeAcctNo: PAYEE, amountFen: 10_000 };
  sandbox.seedTransfers([
    {
      outBatchNo: 'B-1',
      batchNo: 'TB-1',
      payerAcctNo: PAYER,
      submittedAt: '2026-03-01 11:00:00',
      orders: [
        { ...to, outOrderNo: 'O-1', orderNo: 'TO-1' },
        { ...to, outOrderNo: 'O-2', state: 'FAIL' },
        { ...to, outOrderNo: 'O-S', orderNo: 'TO-S', settle: {} },
        { ...to, outOrderNo: 'O-F', settle: { state: 'FAIL' } },
        { ...to, outOrderNo: 'O-R' },
      ],
      refunds: [{ outOrderNo: 'O-R', at: '2026-03-01 11:30:00' }],
    },
  ]);
  return sandbox;
}

function refusal(biz: Members, options: SandboxOptions = {}): string {
  const sandbox = sandboxWithVouchers(options);
  return String(expectRefused(sandbox, () => askFiles(sandbox, biz)).envelope['msg']);
}

describe('what is asked', () => {
  test.each([
    ['refuse', false],
    ['own', true],
    ['platform', true],
  ] as const)('U27: with both numbers and the switch at %s, a file comes: %s', (bothIds, comes) => {
    const sandbox = sandboxWithVouchers({ switches: { bothIds } });
    expect(askFiles(sandbox, { transType: '2', outOrderNo: 'W-1', orderNo: 'WD-1' }).ok).toBe(comes);
    expect(askFiles(sandbox, { transType: '3', outOrderNo: 'O-1', orderNo: 'TO-1' }).ok).toBe(comes);
  });

  test('U27: of both numbers the one counts that the switch names', () => {
    const both = { transType: '2', outOrderNo: 'W-1', orderNo: 'nothing' };
    const ask = (bothIds: 'own' | 'platform'): boolean =>
      askFiles(sandboxWithVouchers({ switches: { bothIds } }), both).ok;
    expect([ask('own'), ask('platform')]).toEqual([true, false]);
  });
});

describe('which orders have one', () => {
  test.each(EVERY_KIND)(
    'VCH-06: $transType $orderNo$outOrderNo is a PDF of one page that names the order',
    async (biz) => {
      const bytes = theFile(sandboxWithVouchers(), biz);
      expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
      expect(bytes.subarray(-6).toString('latin1')).toBe('%%EOF\n');
      const number = 'orderNo' in biz ? biz.orderNo : biz.outOrderNo;
      const [page, ...others] = await pageTexts(bytes);
      expect(others).toEqual([]);
      expect(page).toContain(number);
      expect((await openPdf(bytes)).getSubject()).toContain(number);
    },
  );

  test('VCH-08: an order that is unknown, failed, under way or still to come has none', () => {
    expect(refusal({ transType: '1', orderNo: 'nobody' })).toContain('no such order');
    expect(refusal({ transType: '1', orderNo: 'DP-F' })).toContain('no such order');
    expect(refusal({ transType: '1', orderNo: 'DP-L' })).toContain('no such order');
    expect(refusal({ transType: '2', outOrderNo: 'W-P' })).toContain('only an order that succeeded');
    expect(refusal({ transType: '2', outOrderNo: 'W-F' })).toContain('only an order that succeeded');
    expect(refusal({ transType: '3', outOrderNo: 'O-2' })).toContain('only an order that succeeded');
  });

  test('VCH-08: a withdrawal that the bank gives back loses its voucher', () => {
    const sandbox = sandboxWithOrders();
    const submittedAt = '2026-03-01 12:00:00';
    sandbox.seedWithdrawals([
      { outOrderNo: 'W-9', acctNo: PAYER, amountFen: 100, submittedAt, returnAfterMs: 60_000 },
    ]);
    const ask = (): boolean => askFiles(sandbox, { transType: '2', outOrderNo: 'W-9' }).ok;
    expect(ask()).toBe(true);
    sandbox.clock.advance(60_000);
    expect(ask()).toBe(false);
  });

  test("ENV-28: another company's orders do not exist", () => {
    const sandbox = sandboxWithVouchers();
    for (const biz of EVERY_KIND) {
      const request = md5Signed(members(biz, { apiKey: 'ak_sandbox_other' }), 'synthetic-api-secret-other');
      const { envelope } = send(sandbox, 'get/transFiles', request);
      expect(envelope['msg']).toContain('no such order');
      expect(typeof envelope['sign']).toBe('string');
    }
  });

  test('U51: a refund leaves the voucher of its order, and has none of its own', () => {
    const sandbox = sandboxWithVouchers();
    expect(theFile(sandbox, { transType: '3', outOrderNo: 'O-R' }).length).toBeGreaterThan(30_000);
  });

  test('U51: an automatic withdrawal that succeeded is type 2 under both numbers of its transfer order', async () => {
    const sandbox = sandboxWithVouchers();
    const settled = theFile(sandbox, SETTLEMENT);
    expect(theFile(sandbox, { transType: '2', orderNo: 'TO-S' })).toEqual(settled);
    expect(settled).not.toEqual(theFile(sandbox, { transType: '3', outOrderNo: 'O-S' }));
    expect((await pageTexts(settled))[0]).toContain('自动结算付款');
    expect(refusal({ transType: '2', outOrderNo: 'O-F' })).toContain('only an order that succeeded');
  });

  test('U51: where the platform gives none for automatic withdrawals, they are not found', () => {
    const switches = { autoWithdrawVoucher: 'refused' } as const;
    expect(refusal(SETTLEMENT, { switches })).toContain('no such order');
    expect(askFiles(sandboxWithVouchers({ switches }), WITHDRAWAL).ok).toBe(true);
  });

  test('deposits of a computed volume have vouchers too, and only those there are', async () => {
    const volume = {
      name: 'volume',
      accounts: 2,
      depositsPerAccount: 50,
      from: '2026-02-01',
      days: 20,
    } as const;
    const sandbox = sandboxWithOrders({ scenario: volume });
    const ask = (orderNo: string): Buffer => theFile(sandbox, { transType: '1', orderNo });
    expect((await pageTexts(ask('DV000001K00000049')))[0]).toContain('DV000001K00000049');
    for (const orderNo of [
      'DV000001K00000050',
      'DV000002K00000000',
      'DV000001K0000004',
      'DV00001K00000049',
    ]) {
      expect(askFiles(sandbox, { transType: '1', orderNo }).ok).toBe(false);
    }
  });
});
