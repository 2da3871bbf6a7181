import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Night } from '../helpers/night.ts';
import { openBook } from './publish.ts';
import type { PublishedBook } from './publish.ts';

let night: Night;
let file: string;
let book: Omit<PublishedBook, 'published'>;

/** A night against the sandbox, whose platform gives each deposit its voucher. */
beforeAll(async () => {
  night = await Night.open({ now: '2026-03-02 02:00:00', workbooks: 'each' });
  await night.accounts({ no: 'P', heldFen: 10_000_000n });
  night.deposits(
    ...['D1', 'D2'].map((orderNo) => ({
      orderNo,
      payeeAcctNo: 'P',
      amountFen: 10_000n,
      depositTime: '2026-03-01 10:00:00',
    })),
  );
  await night.settlingNight('2026-03-01');
  file = path.join(night.home, 'reports/2026-03-01/v1/reconciliation-2026-03-01.xlsx');
  book = await openBook(file);
}, 120_000);
afterAll(() => night.close());

test('VCH-09: what a night files is in its workbook, linked to the bytes its digest names', async () => {
  expect(['B4', 'C4', 'D4', 'E4', 'I4'].map((at) => book.value('Vouchers', at))).toEqual([
    2,
    2,
    0,
    0,
    'agrees',
  ]);
  expect(['F12', 'J12', 'F13', 'J13'].map((at) => book.value('Vouchers', at))).toEqual([
    'D1',
    'Filed',
    'D2',
    'Filed',
  ]);
  for (const at of [12, 13]) {
    const formula = book.cell('Vouchers', `M${at}`)?.formula ?? '';
    const target = /^HYPERLINK\("([^"]+)","Voucher"\)$/.exec(formula)?.[1] ?? '';
    const bytes = await readFile(path.resolve(path.dirname(file), target));
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(book.value('Vouchers', `N${at}`)).toBe(digest);
  }
});

test('VCH-09: the page in the bundle leads to the bundle’s file', async () => {
  expect(book.value('Vouchers', 'P12')).toMatch(/^version 1, part 1, page \d+$/);
  const formula = book.cell('Vouchers', 'P12')?.formula ?? '';
  const target = /^HYPERLINK\("([^"]+)",/.exec(formula)?.[1] ?? '';
  const bytes = await readFile(path.resolve(path.dirname(file), target));
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(book.value('Deposits', 'S7')).toBe('Voucher');
});
