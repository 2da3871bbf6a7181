/** CHG-01…13: what the client looks at before it sends a change. */
import type { Members } from '../caller.ts';
import { checksBeforehand } from '../client-checks.ts';
import { NEW_CARD } from '../opening-flow.ts';
import type { Rule, Rules } from '../rule.ts';
import { CHANGES, NEEDED } from './chg.ts';

const ALWAYS = { entPerFlag: 'E', entType: '02', eleAcctType: '1', address: '上海市浦东新区一号' };
const OF_PERSON = {
  entPerFlag: 'P',
  eleAcctType: '1',
  address: '上海市浦东新区一号',
  settAccountPhone: '13812345678',
};

const biz = (subject: Members, over: Members = {}): Members => ({
  recordId: '1934567890123456789',
  outReqNo: 'CH1',
  subjectInfo: { ...ALWAYS, ...subject },
  ...over,
});
const ofPerson = (subject: Members): Members => biz({}, { subjectInfo: { ...OF_PERSON, ...subject } });

function held(
  id: string,
  wrong: Readonly<Record<string, Members>>,
  fine: readonly Members[],
): [string, Rule] {
  return [
    id,
    { client: (desk) => checksBeforehand(desk, { endpoint: 'acct/changeApply', id, fine, wrong }) },
  ];
}

/** Each needed member of a type dropped. */
function heldType(id: string, type: string): [string, Rule] {
  const whole = CHANGES[type] ?? {};
  const wrong = (NEEDED[type] ?? []).map((name) => [name, biz({ ...whole, [name]: undefined })] as const);
  return held(id, Object.fromEntries(wrong), [biz(whole)]);
}

const RESIGN = { modifyType: '5' };
const COMBINED = { ...CHANGES['1'], ...NEW_CARD, modifyType: '1|4' };
const types = (...values: unknown[]): Readonly<Record<string, Members>> =>
  Object.fromEntries(values.map((modifyType) => [String(modifyType), biz({ ...NEW_CARD, modifyType })]));
const DATES = { idCardEffectBegin: '2020-01-01', idCardEffectEnd: '2050-01-01' };
const IMAGES = {
  idCard1Img: 'https://files.example.com/1.png',
  idCard2Img: 'https://files.example.com/2.png',
};

export const BEFOREHAND_CHANGES: Rules = Object.fromEntries([
  held(
    'CHG-01',
    { absent: biz(RESIGN, { recordId: undefined }), '20 digits': biz(RESIGN, { recordId: '1'.repeat(20) }) },
    [biz(RESIGN)],
  ),
  held(
    'CHG-02',
    { absent: biz(RESIGN, { outReqNo: undefined }), '33': biz(RESIGN, { outReqNo: 'n'.repeat(33) }) },
    [biz(RESIGN, { outReqNo: 'n'.repeat(32) })],
  ),
  held('CHG-03', { absent: biz({}, { subjectInfo: undefined }), text: biz({}, { subjectInfo: '{}' }) }, [
    biz(RESIGN),
  ]),
  held('CHG-04', { absent: biz({ ...RESIGN, entPerFlag: undefined }) }, [biz(RESIGN)]),
  held('CHG-05', types('6', '1,2', '', undefined, '4|4'), [biz(NEW_CARD), biz(COMBINED)]),
  heldType('CHG-06', '1'),
  heldType('CHG-07', '2'),
  heldType('CHG-08', '3'),
  heldType('CHG-09', '4'),
  held('CHG-10', {}, [biz(RESIGN)]),
  [
    'CHG-11',
    {
      client: (desk) =>
        checksBeforehand(desk, {
          endpoint: 'acct/changeApply',
          id: 'CHG-09',
          fine: [biz(COMBINED)],
          wrong: { 'without what 4 needs': biz({ ...COMBINED, settAccountNo: undefined }) },
        }),
    },
  ],
  held('CHG-12', { 'the phone alone': ofPerson({}), 'the dates alone': ofPerson(DATES) }, [
    ofPerson({ ...DATES, ...IMAGES }),
  ]),
  held('CHG-13', { 'no address': biz({ ...RESIGN, address: undefined }) }, [biz(RESIGN)]),
]);
