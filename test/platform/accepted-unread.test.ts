/** A signed acceptance of a changing call stays one, whatever its content is (STL-11, docs/reliability.md 2.3 a). */
import { describe, expect, test } from 'vitest';

import { clientOf, envelopeText, profileOf, servePlatform, successText } from './platform-server.ts';

const SETTLE = { outOrderNo: 'C1', remark: 'recon retry 1' };
const PAID = { outOrderNo: 'C1', orderNo: 'N1', acctNo: 'Q', state: 'SUCCESS', amount: 100, fee: 0 };

async function heard(text: string) {
  await using platform = await servePlatform(() => text);
  await using client = clientOf(platform.url, { profile: profileOf({}) });
  return await client.call('order/settle', SETTLE);
}

const signed = (bizData: string): string => envelopeText({ code: '000000', bizData });

describe('a verified answer that accepts', () => {
  test.each([
    ['is about another order', JSON.stringify({ ...PAID, outOrderNo: 'C2' })],
    ['is of another kind', JSON.stringify({ total: 0, depositList: [] })],
    ['states an amount that cannot be read', JSON.stringify({ ...PAID, amount: '1e3' })],
    ['states two fees', JSON.stringify({ ...PAID, mchFee: 5 })],
    ['has no JSON for its data', 'paid'],
    ['has a list for its data', '[]'],
  ])(
    'and %s is unknown, and known as an acceptance with the text that was signed',
    async (_name, bizData) => {
      expect(await heard(signed(bizData))).toMatchObject({ kind: 'unknown', acceptedText: bizData });
    },
  );

  test('and has no data at all is one too', async () => {
    expect(await heard(envelopeText({ code: '000000' }))).toMatchObject({
      kind: 'unknown',
      acceptedText: '',
    });
  });
});

test('what nobody signed, or signed otherwise, accepts nothing', async () => {
  const bizData = { ...PAID, outOrderNo: 'C2' };
  const bare = JSON.stringify({ ...(JSON.parse(successText(bizData)) as object), sign: '' });
  for (const text of [bare, successText(bizData).replace('成功', '成功!')]) {
    const outcome = await heard(text);
    expect(outcome.kind).toBe('unknown');
    expect(outcome).not.toHaveProperty('acceptedText');
  }
});
