/**
 * Vouchers and settlements stand beside the proof: a voucher that stays away needs a person and never colours the
 * verdict, and a step that breaks off keeps no night from being proven and published.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runNight } from '../../jobs/commands/nightly.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import { Stopped } from '../../src/core/errors.ts';
import type { Files } from '../../src/core/ports.ts';
import { openBook } from '../reports/publish.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

/** Account P received D1 on 1 March, and the books know it. */
async function open(): Promise<void> {
  ({ night, trade } = await openTrade(
    '2026-03-01',
    { P: 100_000n, Q: 5_000n },
    { autoSettle: ['Q'], workbooks: 'each' },
  ));
  night.clock.bePatient(10);
  night.deposits({
    orderNo: 'D1',
    payeeAcctNo: 'P',
    amountFen: 10_000n,
    depositTime: '2026-03-01 10:00:00',
  });
  trade.books('P deposit D1 10000 2026-03-01 10:00');
}

const dues = () => lines(night.db, 'voucher_due', ['number', 'state']);

const verdictOf = ({ result }: NightOutcome): string => result.run.verdict;

/** A night whose vouchers meet a full disk; what else is written finds its place. */
async function onFullDisk(day: string): Promise<unknown> {
  const process = await night.process();
  const writeWhole: Files['writeWhole'] = async (file, content) => {
    if (file.includes(`${path.sep}vouchers${path.sep}`)) throw new Stopped('no space left on device');
    await process.files.writeWhole(file, content);
  };
  try {
    return await runNight({ ...process, files: { ...process.files, writeWhole } }, day).catch(
      (error: unknown) => error,
    );
  } finally {
    await process.close();
  }
}

test('VCH-08, P18: a voucher that stays away is named after the days of grace, beside the verdict, until it is filed', async () => {
  await open();
  night.sandbox.planVouchers([{ number: 'D1', notReady: 4 }]);
  expect(findingsOf(await trade.settlingNight('2026-03-01'))).toEqual([]);
  expect(findingsOf(await trade.settlingNight('2026-03-05'))).toEqual([]);
  const named = await trade.settlingNight('2026-03-06');
  expect(findingsOf(named)).toEqual(['voucher_missing P D1 0']);
  expect(named.result.breaks.map(({ severity }) => severity)).toEqual(['attention']);
  expect(verdictOf(named)).toBe('reconciled');
  const again = await trade.settlingNight('2026-03-07');
  expect(again.result.breaks.map(({ id, ageDays }) => [id, ageDays])).toEqual([
    [named.result.breaks[0]?.id, 1],
  ]);
  // It is filed in this night, after the proof that still misses it.
  expect(findingsOf(await trade.settlingNight('2026-03-08'))).toEqual(['voucher_missing P D1 0']);
  expect(await dues()).toEqual(['D1 filed']);
  const cured = await trade.settlingNight('2026-03-09');
  expect(findingsOf(cured)).toEqual([]);
  expect(cured.result.closed.map(({ id }) => id)).toEqual([named.result.breaks[0]?.id]);
});

test('a full disk under the vouchers: the night is proven and published, says what failed, and the next one goes on', async () => {
  await open();
  await trade.until('2026-03-02 02:00:00');
  const failure = await onFullDisk('2026-03-01');
  expect(String(failure)).toContain('no space left on device');
  expect(night.log.lines.map(({ event }) => event)).toContain('vouchers.failed');
  const published = path.join(night.home, 'reports/2026-03-01/v1');
  const stored = JSON.parse(
    await readFile(path.join(published, 'result.json'), 'utf8'),
  ) as NightOutcome['result'];
  expect(stored.run.verdict).toBe('reconciled');
  expect(await dues()).toEqual(['D1 due']);
  const next = await night.settlingNight('2026-03-01');
  expect(verdictOf(next)).toBe('reconciled');
  expect(await dues()).toEqual(['D1 filed']);
});

test('a mark of settlements that cannot be read: nothing is sent, the night is published, error and sheet 11 say so', async () => {
  await open();
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-01 09:00:00',
    orders: [
      { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, settle: { state: 'FAIL', delayMs: 60_000 } },
    ],
  });
  trade.books('P transfer_out T1 -10000 2026-03-01 09:05', 'Q transfer_in T1 10000 2026-03-01 09:05');
  const mark = night.markFile;
  await writeFile(mark, 'seven\n');
  await expect(trade.settlingNight('2026-03-01')).rejects.toThrow(mark);
  expect(night.sandbox.requests().filter(({ path: called }) => called.endsWith('/order/settle'))).toEqual([]);
  const book = await openBook(path.join(night.home, 'reports/2026-03-01/v1/reconciliation-2026-03-01.xlsx'));
  const said = [...book.sheet('Settlements').cells.values()].map(({ value }) => value);
  expect(said).toContain('The retry came to no end; the log says why, and the next run goes on from there.');
});
