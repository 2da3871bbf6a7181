/** S6: what `recon call` prints of an answer has no personal number and every amount. */
import { describe, expect, test } from 'vitest';
import { maskedData, withoutFiles } from '../../jobs/cli/masked-data.ts';
import { fc } from '../helpers/properties.ts';

describe('S6: masking by field', () => {
  test('cards, identity numbers, phones and names are masked however deep they lie', () => {
    expect(
      maskedData({
        accountNo: '6222021234567890123',
        bindAcctInfo: {
          bankAccountNo: '6222021234567890123',
          bankAccountName: '张三丰',
          mobile: '13812345678',
        },
        whiteAcctList: [{ bankAccountNo: 6222021234567890 }],
        subjectInfo: { idCardNo: '11010519491231002X', idCardName: '李四', address: '某路 1 号' },
      }),
    ).toEqual({
      accountNo: '6222021234567890123',
      bindAcctInfo: { bankAccountNo: '****0123', bankAccountName: '张*', mobile: '138****5678' },
      whiteAcctList: [{ bankAccountNo: '****7890' }],
      subjectInfo: { idCardNo: '110***********002X', idCardName: '李*', address: '[masked]' },
    });
  });

  test('amounts and numbers of orders are shown, also where they look like a card or a phone', () => {
    const shown = {
      balance: 13_812_345_678,
      availableBalance: '13812345678',
      realAmount: '1234567890123456',
      mchFee: '13812345678',
      total: 3,
      orderNo: '6222021234567890123',
      outBatchNo: '13812345678',
      state: 'SUCCESS',
    };
    expect(maskedData(shown)).toEqual(shown);
  });

  test('free text is masked by its form', () => {
    expect(maskedData({ remark: '退 13812345678 卡 6222021234567890123' })).toEqual({
      remark: '退 138****5678 卡 ****0123',
    });
  });

  test('ENV-26: a list that travels as JSON text is masked by its fields as well', () => {
    const orderList = JSON.stringify([{ outOrderNo: 'T1', amount: '100', payeeName: '王五' }]);
    expect(maskedData({ orderList })).toEqual({
      orderList: '[{"outOrderNo":"T1","amount":"100","payeeName":"王*"}]',
    });
    expect(maskedData({ remark: '[not JSON 13812345678' })).toEqual({ remark: '[not JSON 138****5678' });
  });

  test('no phone number survives in any field that is not a number of ours', () => {
    const field = fc.constantFrom('remark', 'note', 'mobile', 'payerName', 'extParam', 'whatever');
    fc.assert(
      fc.property(field, fc.integer({ min: 13_000_000_000, max: 19_999_999_999 }), (name, phone) => {
        expect(JSON.stringify(maskedData([{ [name]: `${phone}` }]))).not.toContain(String(phone));
      }),
    );
  });
});

test('VCH-06: a voucher stays whole in data and is a size on the terminal', () => {
  const file = Buffer.from('%PDF-1.7 13812345678').toString('base64');
  for (const data of [{ fileList: [file] }, { fileList: [{ file }] }]) expect(maskedData(data)).toEqual(data);
  expect(withoutFiles({ fileList: [file], total: 1 })).toEqual({
    fileList: ['(20 bytes, shown in full with --json)'],
    total: 1,
  });
});
