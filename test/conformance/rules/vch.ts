/** VCH-01…08: vouchers as PDF files. */
import assert from 'node:assert/strict';

import { PDFDocument } from 'pdf-lib';

import { checkVoucherBytes } from '../voucher-bytes.ts';
import { PAYEE } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf, kindOf } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import { failedSettlement, ordersOf, paid, seedDeposits, withdrawBiz } from '../trade.ts';

const FILES = 'get/transFiles';

const files = async (bench: Bench, biz: Members): Promise<string[]> =>
  ((await bench.accepts(FILES, biz)).biz['fileList'] as Members[]).map(({ file }) => String(file));

const withdrawn = (bench: Bench): Promise<Answered> => bench.accepts('account/withdraw', withdrawBiz(bench));

export const VCH: Rules = {
  'VCH-01': {
    harmless: async (caller) => {
      for (const transType of ['4', '0', '', '01', ' 1', 'recharge', 4, true, null, ['1'], undefined]) {
        await caller.refuses(FILES, { transType, orderNo: 'no-such-order' });
      }
    },
    sandbox: async (bench) => {
      const [orderNo] = await seedDeposits(bench, [{}]);
      await files(bench, { transType: '1', orderNo });
      await files(bench, { transType: 1, orderNo });
      await bench.switches({ strictTypes: true });
      await bench.refuses(FILES, { transType: 1, orderNo });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ fileList: [] });
      await client.call(FILES, { transType: '1', orderNo: 'D1' });
      assert.deepEqual(requests[0]?.biz, { transType: '1', orderNo: 'D1' });
    },
  },
  'VCH-02': {
    harmless: async (caller) => {
      await caller.refuses(FILES, { transType: '1' });
      await caller.refuses(FILES, { transType: '1', outOrderNo: 'no-such-order' });
    },
    sandbox: async (bench) => {
      const [orderNo] = await seedDeposits(bench, [{}]);
      const { biz } = await bench.accepts(FILES, { transType: '1', orderNo });
      assert.deepEqual(biz, { fileList: [{ file: (biz['fileList'] as Members[])[0]?.['file'] }] });
      await bench.refuses(FILES, { transType: '1', orderNo, outOrderNo: 'X1' });
      await bench.switches({ depositOutOrderNo: 'ignore' });
      await files(bench, { transType: '1', orderNo, outOrderNo: 'X1' });
    },
  },
  'VCH-03': {
    sandbox: async (bench) => {
      const { outOrderNo, orderNo } = (await withdrawn(bench)).biz;
      await files(bench, { transType: '2', outOrderNo });
      await files(bench, { transType: '2', orderNo });
    },
  },
  'VCH-04': {
    sandbox: async (bench) => {
      const batch = await paid(bench);
      const { outOrderNo, orderNo } = ordersOf(batch)[0] ?? {};
      await files(bench, { transType: '3', outOrderNo });
      await files(bench, { transType: '3', orderNo });
      const { outBatchNo, batchNo } = batch.biz;
      await bench.refusesEach(FILES, {
        'outBatchNo as the number of the order': { transType: '3', outOrderNo: outBatchNo },
        'batchNo as the number of the order': { transType: '3', orderNo: batchNo },
        'the numbers of the batch': { transType: '3', outBatchNo, batchNo },
      });
    },
  },
  'VCH-05': {
    harmless: async (caller) => {
      for (const transType of ['1', '2', '3']) {
        for (const none of [undefined, '', null]) {
          await caller.refuses(FILES, { transType, orderNo: none, outOrderNo: none });
        }
      }
    },
    sandbox: async (bench) => {
      const { outOrderNo, orderNo } = (await withdrawn(bench)).biz;
      const [deposit] = await seedDeposits(bench, [{}]);
      const transfer = ordersOf(await paid(bench))[0]?.['outOrderNo'];
      await bench.refusesEach(FILES, {
        'a withdrawal as a transfer': { transType: '3', outOrderNo },
        'a withdrawal as a deposit': { transType: '1', orderNo },
        'a deposit as a withdrawal': { transType: '2', orderNo: deposit },
        'a deposit as a transfer': { transType: '3', orderNo: deposit },
        'a transfer as a withdrawal': { transType: '2', outOrderNo: transfer },
      });
    },
  },
  'VCH-06': {
    sandbox: async (bench) => {
      const [orderNo] = await seedDeposits(bench, [{}]);
      await bench.control('/vouchers', { vouchers: [{ number: orderNo, files: 2, pages: 3 }] });
      const both = await files(bench, { transType: '1', orderNo });
      assert.equal(both.length, 2);
      for (const file of both) {
        const bytes = Buffer.from(file, 'base64');
        assert.equal(bytes.toString('base64'), file, 'strict Base64');
        assert.equal(bytes.subarray(0, 5).toString('latin1'), '%PDF-');
        assert.ok(bytes.subarray(-1_024).includes('%%EOF'));
        assert.equal((await PDFDocument.load(bytes)).getPageCount(), 3);
      }
    },
    client: async (desk) => {
      const { client, bench } = await desk.sandbox();
      const [orderNo = ''] = await seedDeposits(bench, [{}]);
      await bench.control('/vouchers', { vouchers: [{ number: orderNo, files: 2 }] });
      const { files: all } = answerOf<typeof FILES>(await client.call(FILES, { transType: '1', orderNo }));
      assert.equal(all.length, 2, 'every element, not only the first');
      for (const file of all) assert.equal(await checkVoucherBytes(file), 'pdf');
      assert.notEqual(await checkVoucherBytes(Buffer.from('<html></html>').toString('base64')), 'pdf');
      assert.notEqual(await checkVoucherBytes('not Base64!'), 'pdf');
    },
  },
  'VCH-07': {
    sandbox: async (bench) => {
      const [orderNo] = await seedDeposits(bench, [{}]);
      await bench.accepts(FILES, { transType: '1', orderNo }, { APIkey: bench.credential.id });
    },
  },
  'VCH-08': {
    harmless: async (caller) => {
      for (const transType of ['1', '2', '3']) {
        await caller.refuses(FILES, { transType, orderNo: 'no-such-order' });
      }
    },
    sandbox: async (bench) => {
      await bench.plan({ kind: 'withdrawal', delayMs: 60_000 });
      const { outOrderNo } = (await withdrawn(bench)).biz;
      await bench.refuses(FILES, { transType: '2', outOrderNo });
      await bench.advance(60_000);
      await files(bench, { transType: '2', outOrderNo });
      await bench.plan({ kind: 'transfer', state: 'FAIL' });
      const failed = ordersOf(await paid(bench))[0]?.['outOrderNo'];
      await bench.refuses(FILES, { transType: '3', outOrderNo: failed });
      const { outOrderNo: settled } = await failedSettlement(bench);
      await files(bench, { transType: '3', outOrderNo: settled });
      await bench.switches({ voucherNotReady: 1 });
      const [orderNo] = await seedDeposits(bench, [{}]);
      await bench.refuses(FILES, { transType: '1', orderNo });
      await files(bench, { transType: '1', orderNo });
    },
    client: async (desk) => {
      const { client, bench } = await desk.sandbox();
      await bench.control('/switches', { voucherNotReady: 1 });
      const [orderNo = ''] = await seedDeposits(bench, [{ payeeAcctNo: PAYEE }]);
      const ask = (): Promise<string> => kindOf(client.call(FILES, { transType: '1', orderNo }));
      assert.deepEqual([await ask(), await ask()], ['refused', 'accepted'], 'not there yet is not the end');
    },
  },
};
