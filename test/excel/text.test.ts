import { describe, expect, test } from 'vitest';
import { brokenWidth, CELL_TEXT_MAX, escapeText, inlineString, shownWidth } from '../../src/excel/text.ts';
import { shownText } from '../helpers/read-workbook.ts';
import { parseXml, textOf } from '../helpers/xml.ts';
import { fc, runs } from '../helpers/properties.ts';

/** What a reader of the workbook sees of a text. */
function asShown(text: string): string {
  return shownText(textOf(parseXml(`<t>${escapeText(text)}</t>`)));
}

describe('I4: characters a sheet cannot hold', () => {
  test.each([
    ['a & b < c > "d"', 'a & b < c > "d"'],
    ['_x0041_ stays itself', '_x0041_ stays itself'],
    ['_x0041', '_x0041'],
    ['_X0041_', '_X0041_'],
    ['line\r\nbreak\tand tab', 'line\r\nbreak\tand tab'],
    ['\u0000\u0001\u001f', '\\u0000\\u0001\\u001f'],
    ['\ufffe and \uffff', '\\ufffe and \\uffff'],
    ['\ud800 alone, \udc00 alone', '\\ud800 alone, \\udc00 alone'],
    ['𠀀 and 😀 are whole', '𠀀 and 😀 are whole'],
    ['=1+1', '=1+1'],
    ['', ''],
  ])('%j is shown as %j', (text, shown) => {
    expect(asShown(text)).toBe(shown);
  });

  test('a text over the limit is cut, says how much is missing and still fits', () => {
    const shown = asShown('好'.repeat(40_000));
    expect(shown.length).toBeLessThanOrEqual(CELL_TEXT_MAX);
    expect(shown.slice(-10)).toBe('好好…[+7257]');
    expect(shown.slice(0, 3)).toBe('好好好');
  });

  test('a text at the limit is whole', () => {
    expect(asShown('a'.repeat(CELL_TEXT_MAX))).toBe('a'.repeat(CELL_TEXT_MAX));
  });

  test('a cut never halves a character of two units', () => {
    for (const shift of ['', 'a']) {
      expect(() => asShown(shift + '😀'.repeat(20_000))).not.toThrow();
    }
  });

  test('a text that grows over the limit by its escapes is cut too', () => {
    expect(asShown('\u0001'.repeat(10_000)).length).toBeLessThanOrEqual(CELL_TEXT_MAX);
  });

  test('any text gives well-formed XML, and legal text is shown as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const shown = asShown(text);
        // oxlint-disable-next-line eslint/no-control-regex -- legal text is text without these
        if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) && text.isWellFormed()) {
          expect(shown).toBe(text);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('so does any sequence of UTF-16 units, whole or not', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }), (units) => {
        expect(() => asShown(String.fromCharCode(...units))).not.toThrow();
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test('blanks that a reader may drop are marked to be kept', () => {
  expect(inlineString(' a')).toBe('<is><t xml:space="preserve"> a</t></is>');
  expect(inlineString('a\nb')).toBe('<is><t xml:space="preserve">a\nb</t></is>');
  expect(inlineString('a  b')).toBe('<is><t xml:space="preserve">a  b</t></is>');
  expect(inlineString('a b')).toBe('<is><t>a b</t></is>');
});

test('a Chinese character is two wide, the longest line counts', () => {
  expect(shownWidth('账户 No. 1')).toBe(10);
  expect(shownWidth('ab\n余额调节表')).toBe(10);
  expect(shownWidth('（全角）')).toBe(8);
  expect(shownWidth('')).toBe(0);
});

test('a head of two lines is as wide as its wider half, broken at a blank or between wide characters', () => {
  expect(brokenWidth('Booked into before')).toBe(11);
  expect(brokenWidth('Unexplained')).toBe(11);
  expect(brokenWidth('期末余额')).toBe(4);
  expect(brokenWidth('上期签字余额')).toBe(6);
  expect(brokenWidth('No. 账户')).toBe(4);
  expect(brokenWidth('')).toBe(0);
});
