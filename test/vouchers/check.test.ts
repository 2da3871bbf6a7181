/** What is accepted as a voucher, and what becomes of all else: strict Base64, a whole PDF, opened in a guarded process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { decodeFile, openChecker } from '../../src/vouchers/check/check.ts';
import type { Checker } from '../../src/vouchers/check/check.ts';
import { CORPUS } from './corpus.ts';
import { slip } from './slips.ts';
import { fc } from '../helpers/properties.ts';

const strict = { bytesMax: 1_000, stripDataUri: true };

describe('VCH-06, I8: Base64', () => {
  test.each([
    ['an empty text', '', 'the file is empty'],
    ['a prefix with nothing behind it', 'data:application/pdf;base64,', 'the file is empty'],
    ['other characters in the middle', 'JVBE!!Ri0x', 'the file is not strict Base64'],
    ['garbage behind the padding', 'JVBERi0x====garbage', 'the file is not strict Base64'],
    ['blanks', 'JVBE Ri0x', 'the file is not strict Base64'],
    ['the alphabet of addresses', 'JVBE-_0x', 'the file is not strict Base64'],
    ['a missing padding', 'JVBERi0', 'the file is not strict Base64'],
    ['bits behind the last byte', 'JVBERi1=', 'the file is not strict Base64'],
    ['a prefix of another encoding', 'data:application/pdf,JVBERi0x', 'the file is not strict Base64'],
    ['more than the limit', 'A'.repeat(1_340), 'the file is larger than 1000 bytes'],
  ])('%s is refused', (_name, given, fault) => {
    expect(decodeFile(given, strict)).toEqual({ fault });
  });

  test('U51: a data URI prefix is taken off, and is a fault where the profile does not say so', () => {
    const given = 'data:application/pdf;base64,JVBERi0x';
    expect(decodeFile(given, strict)).toEqual(new Uint8Array(Buffer.from('%PDF-1')));
    expect(decodeFile(given, { ...strict, stripDataUri: false })).toEqual({
      fault: 'the file is not strict Base64',
    });
  });

  test('every text of bytes is read back; the same text with one character changed to a foreign one never is', () => {
    const bytesMax = 200;
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: bytesMax }),
        fc.nat(),
        fc.constantFrom(' ', '\n', '!', '-', '_', '\0', '=', '中'),
        (bytes, at, foreign) => {
          const given = Buffer.from(bytes).toString('base64');
          expect(decodeFile(given, { bytesMax, stripDataUri: false })).toEqual(bytes);
          const place = at % given.length;
          if (given[place] === foreign) return;
          const corrupt = `${given.slice(0, place)}${foreign}${given.slice(place + 1)}`;
          const read = decodeFile(corrupt, { bytesMax, stripDataUri: false });
          const isOtherPadding = foreign === '=' && place >= given.length - 2;
          expect('fault' in read || isOtherPadding).toBe(true);
        },
      ),
    );
  });
});

describe('I6: opened in a process', () => {
  let checker: Checker;
  beforeAll(() => {
    checker = openChecker({ clock: systemClock(), timeoutMs: 3_000, memoryMb: 256 });
  });
  afterAll(async () => {
    await checker.close();
  });

  test('a slip is whole, and its pages are counted', async () => {
    expect(await checker.check(await slip({ marker: 'D1' }))).toEqual({
      condition: 'whole',
      pages: 1,
      remark: '',
    });
    expect(await checker.check(await slip({ marker: 'D2', pages: 3 }))).toEqual({
      condition: 'whole',
      pages: 3,
      remark: '',
    });
  });

  test(`the corpus has at least twenty files, each with a name of its own`, () => {
    expect(new Set(CORPUS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
  });

  test.each(CORPUS.map((file) => [file.name, file] as const))('%s', async (_name, file) => {
    const bytes = await file.bytes();
    const started = performance.now();
    const before = process.memoryUsage().rss;
    let [lateMs, last] = [0, started];
    const beat = setInterval(() => {
      lateMs = Math.max(lateMs, performance.now() - last - 10);
      last = performance.now();
    }, 10);
    const checked = await checker.check(bytes);
    clearInterval(beat);
    expect(checked.condition).toBe(file.condition);
    expect(checked.remark).toMatch(file.remark);
    expect(checked.pages).toBe(file.pages ?? null);
    expect(performance.now() - started, 'time').toBeLessThan(10_000);
    expect(process.memoryUsage().rss - before, 'memory').toBeLessThan(700_000_000);
    expect(lateMs, 'the event loop stayed free').toBeLessThan(1_500);
  });

  test('after all of them the next slip is checked as if nothing had been', async () => {
    const sound = await slip({ marker: 'D3' });
    const all = await Promise.all([1, 2, 3].map(() => checker.check(sound)));
    expect(all.map(({ condition }) => condition)).toEqual(['whole', 'whole', 'whole']);
  });
});
