/** The slips themselves: what they say, how alike their files are, how fast they are made (VCH-06, U51). */
import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import type { DepositSeed } from '../../../src/sandbox/world/seed-schema.ts';
import { capitalAmount } from '../../../src/sandbox/vouchers/capital-amount.ts';
import { maskedBankAccount } from '../../../src/sandbox/vouchers/slip.ts';
import { orderNos, rows } from '../caller.ts';
import { call, PAYER, sandboxWithOrders } from '../orders/orders-caller.ts';
import { askFiles, filesOf, heavyStreams, pageTexts, theFile } from './trans-files-reading.ts';

function withDeposits(seeds: Partial<DepositSeed>[], options: SandboxOptions = {}): Sandbox {
  const sandbox = sandboxWithOrders(options);
  sandbox.seedDeposits(
    seeds.map((seed, place) => ({
      orderNo: `DP-${place + 1}`,
      payeeAcctNo: PAYER,
      amountFen: 123_456_789,
      payerName: '白鹭示例食品有限公司',
      payerAcctNo: '9999000011112222',
      payerBankNo: '999123456789',
      depositTime: '2026-03-01 11:05:09',
      remark: '三月货款',
      ...seed,
    })),
  );
  return sandbox;
}

const ask = (sandbox: Sandbox, place: number): Buffer =>
  theFile(sandbox, { transType: '1', orderNo: `DP-${place}` });

async function page(seed: Partial<DepositSeed>): Promise<string> {
  const [first, ...others] = await pageTexts(ask(withDeposits([seed]), 1));
  expect(others).toEqual([]);
  return first ?? '';
}

describe('what a slip says', () => {
  test('names, masked and plain accounts, amounts in figures and capitals, time, numbers, remark', async () => {
    const text = await page({});
    for (const said of [
      '电子回单',
      '充值入账',
      '白鹭示例食品有限公司',
      '9999********2222',
      '999123456789',
      '付款公司',
      PAYER,
      '￥1,234,567.89',
      '人民币壹佰贰拾叁万肆仟伍佰陆拾柒元捌角玖分',
      '2026-03-0111:05:09',
      'DP-1',
      '三月货款',
      '电子回单专用章',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).toMatch(/验证码：[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}/);
    expect(text).toMatch(/回单编号：HD20260301\d{8}/);
    expect(text).not.toContain('9999000011112222');
  });

  test('a withdrawal names the bank account it was paid to, masked', async () => {
    const sandbox = sandboxWithOrders();
    const card = { bankAccountNo: '9999333344445555', bankAccountName: '收款公司' };
    sandbox.seedAccounts([{ accountNo: '300001', balanceFen: 10_000, bindCard: card }]);
    const submittedAt = '2026-03-01 11:00:00';
    sandbox.seedWithdrawals([{ outOrderNo: 'W-1', acctNo: '300001', amountFen: 7_000, submittedAt }]);
    const [text] = await pageTexts(theFile(sandbox, { transType: '2', outOrderNo: 'W-1' }));
    for (const said of ['提现付款', '9999********5555', '300001', '￥70.00', '人民币柒拾元整']) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('9999333344445555');
  });

  test('characters beyond the usual ones are set, those no font has are boxes, controls are not there', async () => {
    expect(await page({ payerName: '鑫淼犇公司', remark: 'a\u0000b\u202ec\n1\u{1F600}2' })).toContain(
      '鑫淼犇公司',
    );
    expect(await page({ remark: 'a\u0000b\u202ec\n1\u{1F600}2\ud800' })).toContain('abc1□2');
  });

  test('a text that is too long is cut and says so', async () => {
    const text = await page({ remark: '长'.repeat(100_000) });
    expect(text).toContain('...');
    expect(text.match(/长/g)?.length).toBeLessThan(150);
  });

  test('bank accounts keep four characters at either end, short ones their last half', () => {
    expect(maskedBankAccount('6222020000001234')).toBe('6222 **** **** 1234');
    expect(maskedBankAccount('6222020000001234567')).toBe('6222 **** **** 4567');
    expect(maskedBankAccount('12345678')).toBe('****5678');
    expect(maskedBankAccount('123')).toBe('*23');
    expect(maskedBankAccount('')).toBe('');
  });

  test.each([
    [0n, '零元整'],
    [1n, '壹分'],
    [20n, '贰角整'],
    [105n, '壹元零伍分'],
    [150n, '壹元伍角整'],
    [100_000n, '壹仟元整'],
    [100_105n, '壹仟零壹元零伍分'],
    [1_000_000n, '壹万元整'],
    [10_050_000n, '壹拾万零伍佰元整'],
    [100_000_100n, '壹佰万零壹元整'],
    [10_000_000_000n, '壹亿元整'],
    [1_000_000_000_000n, '壹佰亿元整'],
    [20_010_000_000_000n, '贰仟零壹亿元整'],
    [1_000_000_000_000_000n, '壹拾万亿元整'],
    [123_456_789_012_345n, '壹万贰仟叁佰肆拾伍亿陆仟柒佰捌拾玖万零壹佰贰拾叁元肆角伍分'],
  ])('%d fen in capital characters', (fen, text) => {
    expect(capitalAmount(fen)).toBe(text);
  });
});

describe('files and pages', () => {
  test('an order with a fee has a page of details, one without has none', async () => {
    const sandbox = withDeposits([{ feeFen: 250 }, {}]);
    const [slip, details, ...others] = await pageTexts(ask(sandbox, 1));
    expect(others).toEqual([]);
    expect(slip).toContain('￥2.50（含于金额）');
    expect(slip).toContain('第1页，共2页');
    for (const said of ['交易明细', '第2页，共2页', 'DP-1', '￥2.50', '￥1,234,565.39'])
      expect(details).toContain(said);
    expect(await pageTexts(ask(sandbox, 2))).toHaveLength(1);
  });

  test.each([
    ['all', 2],
    ['none', 1],
  ] as const)('the switch voucherDetails at %s: %d pages', async (voucherDetails, pages) => {
    const sandbox = withDeposits([{ feeFen: 250 }, {}], { switches: { voucherDetails } });
    expect(await pageTexts(ask(sandbox, 1))).toHaveLength(pages);
    expect(await pageTexts(ask(sandbox, 2))).toHaveLength(pages);
  });

  test('VCH-06, U51: several files of an order are its copies, each with another number', async () => {
    const sandbox = withDeposits([{}], { switches: { voucherFiles: 3 } });
    const files = filesOf(askFiles(sandbox, { transType: '1', orderNo: 'DP-1' }));
    const texts = await Promise.all(files.map(async (file) => (await pageTexts(file)).join('')));
    expect(texts.map((text) => /第.联[^第]*?(?=第|$|\n)/.exec(text)?.[0])).toEqual([
      '第一联付款方',
      '第二联收款方',
      '第三联记账',
    ]);
    expect(new Set(files.map((file) => file.toString('latin1'))).size).toBe(3);
  });

  test('U51: fileList is a text where the switch says so', () => {
    const sandbox = withDeposits([{}], { switches: { fileListAs: 'string' } });
    const { fileList } = askFiles(sandbox, { transType: '1', orderNo: 'DP-1' }).biz;
    expect(JSON.parse(fileList as string)).toEqual([{ file: expect.any(String) as string }]);
  });

  test('the same order has the same bytes, in this sandbox, after a reset and in another', () => {
    const sandbox = withDeposits([{}]);
    const first = ask(sandbox, 1);
    sandbox.clock.advance(86_400_000);
    expect(ask(sandbox, 1)).toEqual(first);
    expect(ask(withDeposits([{}, {}]), 1)).toEqual(first);
  });

  test('slips weigh 30 to 60 KB and share font and picture under the same numbers', async () => {
    const sandbox = withDeposits([
      { remark: '货款' },
      { payerName: '赵测甲', feeFen: 10, remark: '' },
      { amountFen: 1, remark: '' },
    ]);
    const files = [1, 2, 3].map((place) => ask(sandbox, place));
    const digests = await Promise.all(
      files.map(async (file) => {
        expect(file.length).toBeGreaterThan(30_000);
        expect(file.length).toBeLessThan(60_000);
        const heavy = await heavyStreams(file);
        return heavy.map(({ no, bytes }) => `${no} ${createHash('sha256').update(bytes).digest('hex')}`);
      }),
    );
    expect(digests[0]).toHaveLength(3);
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[2]).toEqual(digests[0]);
  });

  test('names of the demo need no font beside the shared one', async () => {
    const sandbox = sandboxWithOrders({ scenario: { name: 'demo', through: '2026-02-28' } });
    const days = { startDate: '2026-02-01', endDate: '2026-02-28', pageSize: 40 };
    const listed = call(sandbox, 'query/deposit', { ...days, payeeAcctNo: '3100000002' });
    expect(rows(listed)).toHaveLength(40);
    for (const orderNo of orderNos(listed)) {
      expect(await heavyStreams(theFile(sandbox, { transType: '1', orderNo }))).toHaveLength(3);
    }
  });
});
