/** Types and forms of single members: what the client refuses to send, and how it says so (U28, ENV-24). */
import { describe, expect, test } from 'vitest';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { faultsOf, ORDERS, sample, transfer } from './request-samples.ts';
import type { Sample } from './request-samples.ts';

describe('types and forms', () => {
  test.each<[string, EndpointName, Sample, string]>([
    ['OPN-08', 'acct/addApply', { acctRole: 'XX' }, 'acctRole must be one of FQ, JS, not "XX" (OPN-08)'],
    [
      'OPN-10',
      'acct/addApply',
      { notifyUrl: 'ftp://a.example.com' },
      'notifyUrl must be an http or https address (OPN-10)',
    ],
    ['OPN-20', 'acct/reviseApply', { ifCode: 1 }, 'ifCode must be text, not a number (OPN-20)'],
    ['OPN-21', 'acct/reviseApply', { subjectInfo: [] }, 'subjectInfo must be an object, not a list (OPN-21)'],
    ['CHG-01', 'acct/changeApply', { recordId: 1 }, 'recordId must be text, not a number (CHG-01, LIM-15)'],
    ['CHG-03', 'acct/changeApply', { subjectInfo: 'x' }, 'subjectInfo must be an object, not text (CHG-03)'],
    [
      'DIV-03, U28',
      'division/pay',
      { num: '2' },
      'num must be a whole number (Long), not the text "2" (DIV-03)',
    ],
    [
      'DIV-04, U28',
      'division/pay',
      { amount: '100000' },
      'amount must be whole fen as a number (Long), not the text "100000" (DIV-04)',
    ],
    [
      'ENV-24',
      'division/pay',
      { amount: 1.5 },
      'amount must be whole fen as a number (Long), not 1.5 (DIV-04)',
    ],
    ['DIV-07', 'division/pay', { orderList: ORDERS }, 'orderList must be text, not a list (DIV-07, ENV-26)'],
    ['DIV-07', 'division/pay', { orderList: '{}' }, 'orderList must hold a JSON list (DIV-07, ENV-26)'],
    ['DIV-07', 'division/pay', { orderList: '[' }, 'orderList must hold a JSON list (DIV-07, ENV-26)'],
    [
      'DIV-07',
      'division/pay',
      { orderList: '[1]', num: 1 },
      'orderList[0] must be an object, not a number (DIV-07)',
    ],
    [
      'DIV-08, U28',
      'division/pay',
      { payMethod: '1' },
      'payMethod must be a whole number (Long), not the text "1" (DIV-08)',
    ],
    ['DIV-09', 'division/pay', { extParam: {} }, 'extParam must be text, not an object (DIV-09)'],
    [
      'DIV-12',
      'division/pay',
      { notifyUrl: 'http://10.0.0.1/n' },
      'notifyUrl must be reachable from outside, and 10.0.0.1 is not (DIV-12)',
    ],
    [
      'REF-02',
      'division/refund',
      { outOrderNos: ['T1', 'T2'] },
      'outOrderNos must be text, numbers joined by commas of which none holds one itself, not a list (REF-02)',
    ],
    [
      'REF-02',
      'division/refund',
      { outOrderNos: 'T1,T2,T1' },
      'outOrderNos names a transfer order twice (REF-02)',
    ],
    [
      'REF-03',
      'division/refund',
      { channelExtra: {} },
      'channelExtra must be text that holds a JSON object, not an object (REF-03, ENV-26)',
    ],
    [
      'REF-03',
      'division/refund',
      { channelExtra: 'x' },
      'channelExtra must hold a JSON object (REF-03, ENV-26)',
    ],
    [
      'REF-03',
      'division/refund',
      { channelExtra: '{"smsCode":1,"smsFlowNo":"F"}' },
      'channelExtra must hold smsCode and smsFlowNo: smsCode must be text, not a number (REF-03, ENV-26)',
    ],
    ['REF-04', 'division/refund', { remark: 1 }, 'remark must be text, not a number (REF-04)'],
    ['WDR-03', 'account/withdraw', { amount: -1 }, 'amount must be above 0 fen, not -1 (WDR-03)'],
    [
      'WDR-03',
      'account/withdraw',
      { amount: 1.5 },
      'amount must be whole fen as a number (Long), not 1.5 (WDR-03)',
    ],
    [
      'ENV-24',
      'account/withdraw',
      { amount: 2 ** 53 },
      'amount must be whole fen as a number (Long), not 9007199254740992 (WDR-03)',
    ],
    ['WDR-04', 'account/withdraw', { recvAcctNo: 6222 }, 'recvAcctNo must be text, not a number (WDR-04)'],
    ['WDR-04', 'account/withdraw', { channelExtra: {} }, 'channelExtra must be text, not an object (WDR-04)'],
    [
      'DEP-01',
      'query/deposit',
      { startDate: '20260301' },
      'startDate must be a day of the calendar such as 2026-03-01, not "20260301" (DEP-01)',
    ],
    [
      'DEP-01',
      'query/deposit',
      { endDate: '2026-02-30' },
      'endDate must be a day of the calendar such as 2026-03-01, not "2026-02-30" (DEP-01)',
    ],
    [
      'DEP-05, U28',
      'query/deposit',
      { page: '1' },
      'page must be a whole number (Long), not the text "1" (DEP-05)',
    ],
    ['VCH-01, U28', 'get/transFiles', { transType: 3 }, 'transType must be text, not a number (VCH-01)'],
    ['STL-03', 'order/settle', { remark: 7 }, 'remark must be text, not a number (STL-03, LIM-12)'],
    ['STL-04', 'order/settle', { recvAcctName: [] }, 'recvAcctName must be text, not a list (STL-04)'],
  ])('%s: %s %j', (_requirement, endpoint, over, fault) => {
    expect(faultsOf(endpoint, sample(endpoint, over))).toEqual([fault]);
  });

  test('DIV-13…16: each order says what is wrong with it, and which it is', () => {
    const [first = {}, second = {}] = ORDERS;
    const amount = 'must be whole fen above 0 in digits, not';
    const cases: [Sample, string][] = [
      [{ outOrderNo: 'T2' }, 'orderList[1].outOrderNo stands in the list twice (DIV-13)'],
      [{ outOrderNo: 7 }, 'orderList[0].outOrderNo must be text, not a number (DIV-13, LIM-04)'],
      [{ body: '' }, 'orderList[0].body is empty (DIV-14)'],
      [
        { amount: 30_000 },
        'orderList[0].amount must be text of digits, not a number (DIV-15, DIV-19, LIM-06)',
      ],
      [{ amount: '300.00' }, `orderList[0].amount ${amount} "300.00" (DIV-15, DIV-19, LIM-06)`],
      [{ amount: '-1' }, `orderList[0].amount ${amount} "-1" (DIV-15, DIV-19, LIM-06)`],
      [{ amount: '030000' }, `orderList[0].amount ${amount} "030000" (DIV-15, DIV-19, LIM-06)`],
      [{ amount: '' }, 'orderList[0].amount is empty (DIV-15, DIV-19, LIM-06)'],
      [{ payeeAcctNo: null }, 'orderList[0].payeeAcctNo is missing (DIV-16)'],
      [{ extParam: 1 }, 'orderList[0].extParam must be text, not a number (DIV-17, LIM-08)'],
    ];
    for (const [over, fault] of cases) {
      expect(faultsOf('division/pay', transfer([{ ...first, ...over }, second]))).toEqual([fault]);
    }
  });

  test('all faults are named at once', () => {
    expect(faultsOf('account/withdraw', { outOrderNo: '', amount: '1' })).toEqual([
      'outOrderNo is empty (WDR-01, LIM-04)',
      'acctNo is missing (WDR-02)',
      'amount must be whole fen as a number (Long), not the text "1" (WDR-03)',
    ]);
  });

  test('S6: what is personal is not quoted', () => {
    const faults = faultsOf(
      'account/withdraw',
      sample('account/withdraw', { outOrderNo: '6222021234567890123'.repeat(2), amount: '13812345678' }),
    );
    expect(faults.join()).toContain('138****5678');
    expect(faults.join()).not.toMatch(/6222021234567890123|13812345678/);
  });
});
