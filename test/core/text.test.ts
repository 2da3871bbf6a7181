import { describe, expect, test } from 'vitest';

import { storableText, textAsReceived } from '../../src/core/text.ts';
import { fc, runs } from '../helpers/properties.ts';

describe('storableText', () => {
  test('P16: what databases and workbooks refuse becomes an escape', () => {
    expect(storableText('a\0b')).toBe('a\\u0000b');
    expect(storableText('\ufffe\uffff')).toBe('\\ufffe\\uffff');
    expect(storableText('\ud800x')).toBe('\\ud800x');
    expect(storableText('x\udc00')).toBe('x\\udc00');
    expect(storableText('\udc00\ud800')).toBe('\\udc00\\ud800');
  });

  test('ordinary text, pairs of surrogates, marks and backslashes stay as they are', () => {
    for (const text of ['', '货款 2026', '😀', '\u202eabc', 'C:\\users', '\\u12', 'tab\tnew\n', '\\U0000']) {
      expect(storableText(text)).toBe(text);
    }
  });

  test('a literal escape is told from our own', () => {
    expect(storableText('\\u0000')).toBe('\\u005cu0000');
    expect(textAsReceived('\\u005cu0000')).toBe('\\u0000');
  });

  test('P16: every text comes back, and what is stored is well formed', () => {
    const pieces = fc.constantFrom(
      '\0',
      '\ud800',
      '\udc00',
      '\ufffe',
      '\\',
      '\\u',
      '\\u0000',
      '\\u005c',
      'u00',
      '0',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (received) => {
        const stored = storableText(received);
        expect(textAsReceived(stored)).toBe(received);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toMatch(/[\0\ufffe\uffff]/);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('P16: a text without end is cut, and says how long it was and its digest', () => {
    const stored = storableText('x'.repeat(1_000_000));
    expect(stored.length).toBeLessThanOrEqual(4_000);
    expect(stored.slice(3_890)).toBe(
      'xxxxxxxxxx… [1000000 characters, sha256 1b977e9f84f1b26b6ed7f68b0498faee2385ea4125bd29adce4a7d9106ba3134]',
    );
    expect(storableText('x'.repeat(4_000))).toBe('x'.repeat(4_000));
  });

  test('P16: a cut falls neither into a character nor into an escape', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3_880, max: 3_900 }), fc.constantFrom('😀', '\0'), (plain, character) => {
        const stored = storableText('x'.repeat(plain) + character.repeat(200));
        expect(stored.isWellFormed()).toBe(true);
        expect(stored.slice(0, stored.indexOf('…'))).toMatch(/^x*(?:😀|\\u0000)*$/);
      }),
    );
  });
});
