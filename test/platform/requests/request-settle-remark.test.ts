/** The remark of a retried settlement (STL-03, U38). */
import { describe, expect, test } from 'vitest';
import { settleRemark } from '../../../src/platform/requests/settle-remark.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { fc } from '../../helpers/properties.ts';

const profileOf = (settle: object = {}) => readProfile(JSON.stringify({ settle }), 'test');

describe('STL-03, U38: the remark', () => {
  test.each([
    [undefined, 'recon retry 2'],
    ['结算重试{attempt}', '结算重试2'],
    ['  padded 2 ', 'padded 2'],
    ['a-b_c!d', 'abcd'],
    ['a'.repeat(32), 'a'.repeat(32)],
    ['结算结算结算结算结算ab', '结算结算结算结算结算ab'],
    ['{attempt}{attempt}', '22'],
    ['=1+1', '11'],
  ])('%j is sent as %j', (own, text) => {
    expect(settleRemark(profileOf(), { attemptNo: 2, own })).toEqual({ text });
  });

  test.each([
    ['!!!', 'nothing is left of the remark when its special characters are taken out'],
    ['   ', 'nothing is left of the remark when its special characters are taken out'],
    ['', 'nothing is left of the remark when its special characters are taken out'],
    ['a'.repeat(33), 'the remark has 33 bytes, and at most 32 are taken'],
    ['结'.repeat(11), 'the remark has 33 bytes, and at most 32 are taken'],
    // What is left would fit; the platform may measure the whole.
    [`a${'!'.repeat(32)}`, 'the remark has 33 bytes, and at most 32 are taken'],
    ['a'.repeat(31) + '{attempt}', 'the remark has 33 bytes, and at most 32 are taken', 10],
  ])('%j is not sent: %s', (own, fault, attemptNo = 2) => {
    expect(settleRemark(profileOf(), { attemptNo, own })).toEqual({ fault });
  });

  test('the profile says what survives and what it says', () => {
    const profile = profileOf({ remark: { pattern: '[a-z-]', template: 'try-{attempt}-x' } });
    expect(settleRemark(profile, { attemptNo: 1 })).toEqual({ text: 'try--x' });
  });

  test('whatever is wanted: what is sent has 1 to 32 bytes, no blank around it, and survives the filter', () => {
    const profile = profileOf();
    const wanted = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(wanted, fc.integer({ min: 1, max: 10 }), (own, attemptNo) => {
        const remark = settleRemark(profile, { attemptNo, own });
        if ('fault' in remark) return;
        const bytes = Buffer.byteLength(remark.text, 'utf8');
        expect(bytes > 0 && bytes <= 32).toBe(true);
        expect(remark.text).toBe(remark.text.trim());
        expect(settleRemark(profile, { attemptNo, own: remark.text })).toEqual(remark);
      }),
    );
  });
});
