/** `recon call` before anything is sent: what it lists, how it reads its data, and what it refuses (LIM, ENV-27). */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEndpoint, parseData, unknownEndpoint } from '../../jobs/call/call-input.ts';
import { ENDPOINT_NAMES } from '../../src/platform/contract.ts';
import { faultsOf, runCli, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';
import { callWithStdin } from './call-world.ts';

let folder: TemporaryFolder;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = {
    RECON_HOME: path.join(folder.path, 'home'),
    PLATFORM_URL: 'https://pay.example.com',
    PLATFORM_API_KEY: 'ak_test',
    PLATFORM_SECRET: 'topsecret',
  };
});
afterAll(() => folder.remove());

const call = (...args: readonly string[]): Promise<CliOutcome> =>
  runCli(['call', ...args], { env, cwd: folder.path });

async function refused(...args: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await call(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  return faultsOf(stderr);
}

describe('ENV-04: --list', () => {
  test('shows the 17 endpoints with what they do, and needs no settings', async () => {
    const { status, stdout, stderr } = await runCli(['call', '--list']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const shown = stdout
      .split('\n')
      .slice(2, 19)
      .map((line) => line.split(/ {2,}/));
    expect(shown.map(([endpoint]) => endpoint)).toEqual(ENDPOINT_NAMES);
    expect(shown[9]).toEqual([
      'division/pay',
      'change',
      'transfers in a batch',
      'outBatchNo, payerAcctNo, num, amount, currency, clientIp, orderList',
    ]);
    expect(shown[13]).toEqual(['account/queryWithdraw', 'read', 'reads a withdrawal', 'outOrderNo|orderNo']);
  });

  test('as a document says which members are optional too', async () => {
    const { stdout } = await runCli(['call', '--list', '--json']);
    const { endpoints } = JSON.parse(stdout) as { endpoints: { endpoint: string }[] };
    expect(endpoints).toHaveLength(17);
    expect(endpoints.find(({ endpoint }) => endpoint === 'division/refund')).toEqual({
      endpoint: 'division/refund',
      effect: 'change',
      does: 'refunds transfer orders',
      required: ['outOrderNos', 'channelExtra'],
      oneOf: ['outBatchNo', 'batchNo'],
      optional: ['remark'],
    });
  });
});

test('--help shows how transfers, files, stdin and codes are typed', async () => {
  const { stdout } = await runCli(['call', '--help']);
  for (const part of [
    '--list',
    '--unchecked',
    '--yes',
    '@transfer.json',
    '"orderList":[',
    'account/withdraw - --yes',
  ]) {
    expect(stdout).toContain(part);
  }
});

describe('an endpoint nobody knows', () => {
  test.each([
    ['withdraw', ' (did you mean account/withdraw or account/queryWithdraw?)'],
    ['/acct/queryInfo', ' (did you mean acct/queryInfo?)'],
    ['/api/open/virtualBank/order/settle', ' (did you mean order/settle?)'],
    ['TRANSFILES', ' (did you mean get/transFiles?)'],
    ['acct/sendMsg/CH01', `: ${ENDPOINT_NAMES.join(', ')} (recon call --list)`],
    ['', `: ${ENDPOINT_NAMES.join(', ')} (recon call --list)`],
  ])('%j names what is near, else all there are', (name, rest) => {
    expect(findEndpoint(name)).toBeUndefined();
    expect(unknownEndpoint(name)).toBe(`${JSON.stringify(name)} is no endpoint${rest}`);
  });

  test('or none at all is asked for', async () => {
    expect(await refused()).toEqual([
      'which endpoint? recon call --list shows them (recon call --help how they are called)',
    ]);
  });
});

describe('data', () => {
  test.each([
    ['{"recordId":1934567890123456789}', { recordId: '1934567890123456789' }],
    ['{"amount":1.5,"page":1e2}', { amount: 1.5, page: 100 }],
    ['{"amount":1e999}', { amount: '1e999' }],
    ['[1]', undefined],
    ['{', undefined],
    [`${'['.repeat(100)}${']'.repeat(100)}`, undefined],
  ])('%s is read as it was written', (text, data) => {
    expect(parseData(text)).toEqual(data);
  });

  test('comes from a file, also one that begins with a byte order mark', async () => {
    await writeFile(path.join(folder.path, 'withdraw.json'), '\uFEFF{"outOrderNo":"W1","amount":"1"}');
    expect(await refused('account/withdraw', '@withdraw.json', '--yes')).toEqual([
      'acctNo is missing (WDR-02)',
      'amount must be whole fen as a number (Long), not the text "1" (WDR-03)',
    ]);
    expect(await refused('account/withdraw', '@nothing.json', '--yes')).toEqual([
      'the data cannot be read: there is no file nothing.json',
    ]);
    expect(await refused('account/withdraw', '@.', '--yes')).toEqual([
      'the data cannot be read: . is a folder',
    ]);
  });

  test('comes from stdin', async () => {
    const { status, stderr } = await callWithStdin(['acct/queryInfo', '-'], env, '{"accountNo":1}');
    expect(status).toBe(2);
    expect(faultsOf(stderr)).toEqual(['accountNo must be text, not a number (ACC-01)']);
  });

  test('of more than a megabyte is not read', async () => {
    const { status, stderr } = await callWithStdin(['acct/queryInfo', '-'], env, ' '.repeat(1_100_000));
    expect(status).toBe(2);
    expect(faultsOf(stderr)).toEqual(['the data in stdin has more than 1048576 bytes']);
  });
});

describe('a call that is wrong', () => {
  test('is refused with all that is wrong, and the confirmation shows what was put in', async () => {
    const orderList = [{ outOrderNo: 'T1', body: 'x', amount: 5_000_001, payeeAcctNo: '100002' }];
    const typed = { outBatchNo: 'B1', clientIp: '203.0.113.7', orderList };
    expect(await refused('division/pay', JSON.stringify(typed))).toEqual([
      'payerAcctNo is missing (DIV-02)',
      'orderList[0].amount is 5000001 fen, and at most 5000000 are taken (DIV-15, DIV-19, LIM-06)',
      'division/pay changes something on the platform: it would send ' +
        '{"outBatchNo":"B1","clientIp":"203.0.113.7","orderList":"[{\\"outOrderNo\\":\\"T1\\",\\"body\\":\\"x\\",' +
        '\\"amount\\":\\"5000001\\",\\"payeeAcctNo\\":\\"100002\\"}]","num":1,"amount":5000001,"currency":"CNY"}; ' +
        'add --yes to really do it',
    ]);
  });

  test('DIV-03, DIV-04: sums are not missing where the orders they come from are', async () => {
    expect(await refused('division/pay', '{"outBatchNo":"B2"}', '--yes')).toEqual([
      'payerAcctNo is missing (DIV-02)',
      'clientIp is missing (DIV-06)',
      'orderList is missing (DIV-07, ENV-26)',
    ]);
    expect(await refused('division/pay', '{"outBatchNo":"B2","num":"2"}', '--yes')).toContain(
      'num must be a whole number (Long), not the text "2" (DIV-03)',
    );
  });

  test('SMS-02, U7: the missing number of a code says what it would be', async () => {
    const missing = (sceneType: string) =>
      refused('acct/sendMsg', `{"sceneType":"${sceneType}","outReqNo":"S1"}`, '--yes');
    expect(await missing('OPEN')).toEqual([
      'reqNo is missing (SMS-02): it is the reqNo that the application was answered with',
    ]);
    expect(await missing('REFUND')).toEqual([
      'reqNo is missing (SMS-02): it is the openReqNo of the account; give accountNo instead, and it is looked up',
    ]);
    expect(await missing('WHITE_SET')).toEqual([
      'reqNo is missing (SMS-02): it is the channel code, and PLATFORM_CHANNEL_CODE is not set',
    ]);
  });

  test('OPN-F07: a platform elsewhere cannot be given an address of this machine', async () => {
    const typed = {
      outReqNo: 'O1',
      ifCode: 'X',
      reqNo: 'R1',
      subjectInfo: { idCard1Img: 'http://10.0.0.1/a.png' },
    };
    expect(await refused('acct/reviseApply', JSON.stringify(typed), '--yes')).toContain(
      'subjectInfo.idCard1Img must be reachable from outside, and 10.0.0.1 is not (OPN-F07)',
    );
  });

  test('a settlement is always checked, its remark too', async () => {
    expect(
      await refused('order/settle', '{"outOrderNo":"T1","remark":"!!!"}', '--yes', '--unchecked'),
    ).toEqual([
      'order/settle cannot be sent --unchecked: it goes through the attempts of recon settle',
      'remark is not taken: nothing is left of the remark when its special characters are taken out (STL-03)',
    ]);
  });
});
