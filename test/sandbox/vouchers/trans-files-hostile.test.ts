/** Vouchers on demand: not there yet, several, or troubling; each kind is what it says (U51, P18, I6–I8). */
import { spawnSync } from 'node:child_process';

import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import { VOUCHER_NOTES, voucherTable } from '../../../src/sandbox/vouchers/voucher-schema.ts';
import type { VoucherKind, VoucherSeed } from '../../../src/sandbox/vouchers/voucher-schema.ts';
import { isRefusal } from '../caller.ts';
import { PAYER, sandboxWithOrders } from '../orders/orders-caller.ts';
import { askFiles, filesOf, fileTexts, openPdf, pageTexts, theFile } from './trans-files-reading.ts';

const FIRST = { transType: '1', orderNo: 'DP-1' };
const SECOND = { transType: '1', orderNo: 'DP-2' };

/** Two deposits of an hour ago. */
function twoDeposits(options: SandboxOptions = {}): Sandbox {
  const sandbox = sandboxWithOrders(options);
  const seed = { payeeAcctNo: PAYER, amountFen: 12_345, depositTime: '2026-03-01 11:00:00' };
  sandbox.seedDeposits([
    { ...seed, orderNo: 'DP-1' },
    { ...seed, orderNo: 'DP-2' },
  ]);
  return sandbox;
}

function planned(...seeds: VoucherSeed[]): Sandbox {
  const sandbox = twoDeposits();
  sandbox.planVouchers(seeds);
  return sandbox;
}

const fileAs = (as: VoucherKind, more: Partial<VoucherSeed> = {}): Buffer =>
  theFile(planned({ as, ...more }), FIRST);
const honest = (): Buffer => theFile(twoDeposits(), FIRST);
const isThere = (sandbox: Sandbox, biz = FIRST): boolean => askFiles(sandbox, biz).ok;

describe('when a voucher is there', () => {
  test('U51: the first so many asks for an order are refused, each order counted by itself', () => {
    const sandbox = twoDeposits({ switches: { voucherNotReady: 2 } });
    expect(askFiles(sandbox, FIRST).envelope['msg']).toContain('not generated yet');
    expect([isThere(sandbox, SECOND), isThere(sandbox), isThere(sandbox)]).toEqual([false, false, true]);
    expect([isThere(sandbox, SECOND), isThere(sandbox, SECOND)]).toEqual([false, true]);
  });

  test('U51: a voucher is there so long after its order became final', () => {
    const sandbox = twoDeposits({ switches: { voucherDelayMs: 3_600_001 } });
    expect(isRefusal(askFiles(sandbox, FIRST))).toBe(true);
    sandbox.clock.advance(1);
    expect(isThere(sandbox)).toBe(true);
  });

  test('what is planned for an order prevails over what is planned for any, and that over the switches', () => {
    const sandbox = planned({ notReady: 1, number: 'DP-2' }, { notReady: 0 });
    sandbox.setSwitches({ voucherNotReady: 5 });
    expect([isThere(sandbox), isThere(sandbox, SECOND), isThere(sandbox, SECOND)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a plan for some answers is used up by answers, not by refusals', () => {
    const sandbox = planned({ as: 'html', times: 1, notReady: 1 });
    sandbox.setSwitches({ voucherNotReady: 0 });
    expect(isThere(sandbox)).toBe(false);
    expect(theFile(sandbox, FIRST).toString('utf8')).toContain('<html>');
    expect(theFile(sandbox, FIRST)).toEqual(honest());
  });

  test('the control surface plans, lists and drops vouchers and names what is wrong', () => {
    const sandbox = twoDeposits();
    const control = (method: string, path: string, body: unknown = ''): unknown => {
      const request = { method, path: `/control${path}`, contentType: 'application/json' };
      const reply = sandbox.control({ ...request, body: body === '' ? '' : JSON.stringify(body) });
      return JSON.parse(reply.body);
    };
    const seed = { number: 'DP-1', as: 'zero_bytes', times: 3 };
    expect(control('POST', '/vouchers', { vouchers: [seed, { files: 2 }] })).toEqual({ nos: [1, 2] });
    expect(theFile(sandbox, FIRST)).toHaveLength(0);
    expect(control('GET', '/vouchers')).toEqual({
      vouchers: [
        { no: 1, voucher: seed, left: 2 },
        { no: 2, voucher: { as: 'slip', files: 2, times: null }, left: null },
      ],
    });
    control('POST', '/vouchers/drop', { no: 1 });
    expect(filesOf(askFiles(sandbox, FIRST))).toHaveLength(2);
    const wrong = control('POST', '/vouchers', { vouchers: [{}, { as: 'sparkling' }] });
    expect(JSON.stringify(wrong)).toContain('wrong voucher 2');
    expect(control('GET', '/vouchers')).toMatchObject({ vouchers: [{ no: 2 }] });
  });

  test('the table of docs/sandbox.md names every kind', () => {
    expect(voucherTable().split('\n')).toHaveLength(33);
    expect(voucherTable()).not.toContain('undefined');
  });
});

describe('lists and texts', () => {
  test('P18: an empty list, no list, an element without a text', () => {
    const list = (as: VoucherKind): unknown => askFiles(planned({ as }), FIRST).biz['fileList'];
    expect(list('empty_list')).toEqual([]);
    expect(list('null_list')).toBeNull();
    expect(list('no_file')).toEqual([{}]);
    expect(list('file_number')).toEqual([{ file: 12_345 }]);
  });

  test('the faults of lists meet fileList as well', () => {
    const sandbox = twoDeposits();
    sandbox.addFault({ kind: 'empty_list', path: 'get/transFiles' });
    sandbox.addFault({ kind: 'record', path: 'get/transFiles', skip: 1, set: { file: 'QQ==' } });
    expect(fileTexts(askFiles(sandbox, FIRST))).toEqual([]);
    expect(fileTexts(askFiles(sandbox, FIRST))).toEqual(['QQ==']);
  });

  test.each([
    ['data_uri', /^data:application\/pdf;base64,JVBERi0x[A-Za-z0-9+/]+=*$/],
    ['line_breaks', /^JVBERi0x(?:[A-Za-z0-9+/]+\r\n)+[A-Za-z0-9+/]+=*$/],
    ['url_safe', /^JVBERi0x[A-Za-z0-9_-]+$/],
    ['bad_base64', /^JVBERi0x.{32}!!\*.+====$/],
  ] as const)('I8, U51: %s', (as, form) => {
    const [text = '', ...others] = fileTexts(askFiles(planned({ as }), FIRST));
    expect(others).toEqual([]);
    expect(text).toMatch(form);
    if (as !== 'bad_base64') {
      expect(Buffer.from(text.replace(/^data:.*,/, ''), 'base64')).toEqual(honest());
    }
  });

  test('U51: several files of several pages; one of them odd', async () => {
    const files = filesOf(askFiles(planned({ files: 3, pages: 4, as: 'html', fileNo: 2 }), FIRST));
    expect(files.map((file) => file.subarray(0, 5).toString('latin1'))).toEqual(['%PDF-', '<html', '%PDF-']);
    expect(await pageTexts(files[2] ?? Buffer.alloc(0))).toHaveLength(4);
  });
});

describe('bytes', () => {
  test('nothing, a page of a web server, half a file, a file without an end', () => {
    expect(fileAs('zero_bytes')).toHaveLength(0);
    expect(fileAs('html').toString('utf8')).toMatch(/^<html>/);
    expect(fileAs('truncated')).toEqual(honest().subarray(0, Math.floor(honest().length / 2)));
    expect(fileAs('no_end').includes('%%EOF')).toBe(false);
    expect(fileAs('no_end')).toHaveLength(honest().length - 6);
  });

  test('junk of two thousand bytes before or behind the slip', () => {
    expect(fileAs('leading_junk').subarray(2_000)).toEqual(honest());
    expect(fileAs('trailing_junk').subarray(0, -2_000)).toEqual(honest());
  });

  test('oversize: a slip of 22 MiB that cannot be compressed, or of what was asked', async () => {
    expect(fileAs('oversize').length).toBeGreaterThan(22 * 1024 * 1024);
    const small = fileAs('oversize', { bytes: 100_000 });
    expect(small.length).toBeGreaterThan(140_000);
    expect(small.length).toBeLessThan(170_000);
    expect(await pageTexts(small)).toHaveLength(1);
  });
});

describe('files that are PDF', () => {
  test("P18: another order's slip, honest where there is such an order", async () => {
    expect(fileAs('wrong_order', { of: 'DP-2' })).toEqual(theFile(twoDeposits(), SECOND));
    const [text] = await pageTexts(fileAs('wrong_order'));
    expect(text).toContain('DP-1X');
  });

  test('P18: the same bytes for two orders', () => {
    const sandbox = planned({ as: 'same_bytes' });
    expect(theFile(sandbox, FIRST)).toEqual(theFile(sandbox, SECOND));
    expect(theFile(sandbox, FIRST)).not.toEqual(honest());
  });

  test('I7: an encrypted file needs its password', async () => {
    await expect(openPdf(fileAs('encrypted'))).rejects.toThrow('encrypted');
  });

  test('no page at all, and a page tree that holds itself', async () => {
    expect((await openPdf(fileAs('no_pages'))).getPageCount()).toBe(0);
    const cycle = await openPdf(fileAs('page_cycle'));
    expect(() => cycle.getPages()).toThrow(RangeError);
  });

  test('ten thousand pages, and one that says it is two billion', async () => {
    expect((await openPdf(fileAs('huge_page_count'))).getPages()).toHaveLength(10_000);
    expect(fileAs('stated_page_count').includes('/Count 2000000000')).toBe(true);
  });

  test('wrong offsets: no object begins where the table says', () => {
    const text = fileAs('wrong_offsets').toString('latin1');
    const rows = [...text.matchAll(/\n(\d{10}) 00000 n/g)].map(([, offset = '']) => Number(offset));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((offset) => /^\d+ 0 obj/.test(text.slice(offset, offset + 20)))).toEqual([]);
  });

  test.each([
    ['javascript', 'JavaScript', '/S/JavaScript/JS(app.alert'],
    ['launch', undefined, '/S/Launch'],
    ['embedded_file', 'EmbeddedFiles', '/Type/EmbeddedFile'],
  ] as const)('I6: %s is a slip of one page with active content', async (as, name, found) => {
    const bytes = fileAs(as);
    expect(await pageTexts(bytes)).toHaveLength(1);
    expect(bytes.includes(found)).toBe(true);
    const names = (await openPdf(bytes)).catalog.lookup(PDFName.of('Names'));
    expect(names instanceof PDFDict && name !== undefined && names.has(PDFName.of(name))).toBe(
      name !== undefined,
    );
  });

  test('I6: an object stream of two megabytes unpacks to what was asked', async () => {
    const bytes = fileAs('object_stream_bomb', { bytes: 512 * 1024 * 1024 });
    expect(bytes.length).toBeLessThan(2_000_000);
    const small = fileAs('object_stream_bomb', { bytes: 2 * 1024 * 1024 });
    expect((await PDFDocument.load(small)).getPageCount()).toBe(1);
  });

  test.each(['page_tree_bomb', 'object_stream_bomb'] as const)(
    'I6: %s is small and never ends for a reader without limits',
    (as) => {
      const bytes = fileAs(as);
      expect(bytes.length).toBeLessThan(2_000_000);
      const script = [
        "import { PDFDocument } from 'pdf-lib';",
        'const parts = []; for await (const part of process.stdin) parts.push(part);',
        '(await PDFDocument.load(Buffer.concat(parts))).getPages();',
      ].join('\n');
      const args = ['--max-old-space-size=200', '--input-type=module', '-e', script];
      const { status } = spawnSync(process.execPath, args, { input: bytes, timeout: 4_000 });
      expect(status).not.toBe(0);
    },
    20_000,
  );

  test('I6: an array too deep for a recursive reader, and very many objects', async () => {
    await expect(openPdf(fileAs('deep_nesting'))).rejects.toThrow();
    const many = fileAs('many_objects', { bytes: 1_000_000 });
    expect(many.toString('latin1').match(/ 0 obj\n/g)?.length).toBeGreaterThan(17_000);
    expect(await openPdf(many)).toBeInstanceOf(PDFDocument);
  });

  test('every kind answers twice alike', () => {
    for (const as of Object.keys(VOUCHER_NOTES) as VoucherKind[]) {
      const sandbox = planned({ as, bytes: 50_000 });
      const { fileList } = askFiles(sandbox, FIRST).biz;
      expect(askFiles(sandbox, FIRST).biz['fileList']).toEqual(fileList);
    }
  });
});
