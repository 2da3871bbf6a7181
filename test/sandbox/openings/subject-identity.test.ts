/** Seeded subjects, accounts that are replaced, and changes of the identity (OPN-03, OPN-04, U31). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Members } from '../caller.ts';
import {
  accepted,
  anEnterprise,
  applied,
  apply,
  aPerson,
  audit,
  change,
  changed,
  confirm,
  get,
  info,
  INITIATOR,
  opened,
  expectRefused,
} from './opening-caller.ts';
import { call } from '../orders/orders-caller.ts';

const L1 = { licenseNo: 'L-1' };
const asInitiator = (over: Members = {}): [Members, Members] => [
  anEnterprise({ ...L1, ...INITIATOR, ...over }),
  { acctRole: 'FQ' },
];

describe('OPN-03, OPN-04, OPN-05: one account', () => {
  test('an account that was seeded with its subject counts as opened, one without subject as nobody’s', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([
      { accountNo: '100001', subjectId: 'L-1' },
      { accountNo: '100002', subjectId: 'ID-1' },
      { accountNo: '100003' },
      { accountNo: '100004', subjectId: 'L-4', merchant: 'other' },
    ]);
    expectRefused(sandbox, () => apply(sandbox, anEnterprise(L1)));
    expectRefused(sandbox, () => apply(sandbox, aPerson({ idCardNo: 'ID-1' })));
    expect(apply(sandbox, anEnterprise({ licenseNo: 'L-4' })).ok).toBe(true);
    expect(apply(sandbox, ...asInitiator()).ok).toBe(true);
  });
});

describe('OPN-04, U31: the payee account that an initiator account replaces', () => {
  function replaced(): { sandbox: Sandbox; old: Members; opening: Members } {
    const sandbox = sandboxAtNoon({ switches: { openingProcessMs: 1_000 } });
    sandbox.seedAccounts([{ accountNo: '100001', role: 'FQ', balanceFen: 1_000 }]);
    const first = applied(sandbox, anEnterprise(L1));
    accepted(audit(sandbox, first));
    sandbox.clock.advance(1_000);
    const old = accepted(call(sandbox, 'acct/auditApplyResult', { reqNo: first['reqNo'] }));
    const payeeAcctNo = String(old['accountNo']);
    sandbox.seedDeposits([{ payeeAcctNo, amountFen: 70, depositTime: '2026-03-01 12:00:01' }]);
    const opening = applied(sandbox, ...asInitiator());
    accepted(audit(sandbox, opening));
    return { sandbox, old, opening };
  }
  const paying = (sandbox: Sandbox, payeeAcctNo: unknown): ReturnType<typeof call> => {
    const order = { outOrderNo: 'O-1', body: '货款', amount: '9', payeeAcctNo };
    const biz = { outBatchNo: 'B-1', payerAcctNo: '100001', num: 1, amount: 9, currency: 'CNY' };
    return call(sandbox, 'division/pay', {
      ...biz,
      clientIp: '10.0.0.1',
      orderList: JSON.stringify([order]),
    });
  };

  test('is closed at the instant the new one is opened, and keeps what it holds', () => {
    const { sandbox, old, opening } = replaced();
    sandbox.clock.advance(999);
    expect(info(sandbox, old)['accountState']).toBe('1');
    sandbox.clock.advance(1);
    const now = accepted(call(sandbox, 'acct/auditApplyResult', { reqNo: opening['reqNo'] }));
    expect(info(sandbox, old)).toMatchObject({ accountState: '0', balance: 70 });
    expect(info(sandbox, now)).toMatchObject({ accountState: '1', balance: 0 });
    const shown = get(sandbox, '/accounts')['accounts'] as Members[];
    const oldNow = shown.find(({ accountNo }) => accountNo === old['accountNo']);
    expect(oldNow).toMatchObject({ state: '0', replacedBy: now['accountNo'] });
  });

  test('is paid, withdrawn from and deposited on no more', () => {
    const { sandbox, old } = replaced();
    sandbox.clock.advance(1_000);
    const acctNo = String(old['accountNo']);
    expectRefused(sandbox, () => paying(sandbox, acctNo));
    expectRefused(sandbox, () => call(sandbox, 'account/withdraw', { outOrderNo: 'W', acctNo, amount: 1 }));
    const deposit = { payeeAcctNo: acctNo, amountFen: 1, depositTime: '2026-03-01 12:00:02' };
    expect(() => sandbox.seedDeposits([deposit])).toThrow('is closed');
    expectRefused(sandbox, () => change(sandbox, old, { modifyType: '5' }));
  });

  test('is in use until then, and stays so when the channel rejects', () => {
    const { sandbox, old } = replaced();
    expect(paying(sandbox, old['accountNo']).ok).toBe(true);
    const other = opened(sandboxAtNoon(), anEnterprise(L1));
    expect(other['accountState']).toBe('1');
    const rejecting = sandboxAtNoon();
    const payee = opened(rejecting, anEnterprise(L1));
    rejecting.planDecisions([{ kind: 'opening', result: 'rejectedByChannel' }]);
    accepted(audit(rejecting, applied(rejecting, ...asInitiator())));
    expect(info(rejecting, payee)['accountState']).toBe('1');
    expect(apply(rejecting, ...asInitiator()).ok).toBe(true);
  });
});

describe('a change of the identity', () => {
  const licence = (licenseNo: string): Members => {
    const { licenseName, licenseAddress, licenseEffectBegin, licenseEffectEnd, licenseImg, ...rest } =
      anEnterprise();
    const { idCard1Img, idCard2Img } = rest;
    const dates = { licenseEffectBegin, licenseEffectEnd };
    return {
      modifyType: '1',
      licenseNo,
      licenseName,
      licenseAddress,
      ...dates,
      licenseImg,
      idCard1Img,
      idCard2Img,
    };
  };

  test('takes none that has an account, is under review, or is about to be taken', () => {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox, anEnterprise(L1));
    const other = opened(sandbox, anEnterprise({ licenseNo: 'L-2' }));
    const opening = applied(sandbox, anEnterprise({ licenseNo: 'L-3' }));
    for (const licenseNo of ['L-2', 'L-3'])
      expectRefused(sandbox, () => change(sandbox, record, licence(licenseNo)));
    accepted(change(sandbox, other, licence('L-4')));
    expectRefused(sandbox, () => change(sandbox, record, licence('L-4')));
    expectRefused(sandbox, () => apply(sandbox, anEnterprise({ licenseNo: 'L-4' })));
    accepted(audit(sandbox, opening));
    expectRefused(sandbox, () => change(sandbox, record, licence('L-3')));
    expect(change(sandbox, record, licence('L-1')).ok).toBe(true);
  });

  test('leaves the old one free once it is done, not before', () => {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox, anEnterprise(L1));
    const asked = accepted(change(sandbox, record, licence('L-9')));
    expectRefused(sandbox, () => apply(sandbox, anEnterprise(L1)));
    expectRefused(sandbox, () => apply(sandbox, ...asInitiator()));
    accepted(confirm(sandbox, asked));
    expectRefused(sandbox, () => apply(sandbox, anEnterprise({ licenseNo: 'L-9' })));
    expect(apply(sandbox, anEnterprise(L1)).ok).toBe(true);
  });

  test('waits while the subject applies as initiator', () => {
    const sandbox = sandboxAtNoon();
    const record = opened(sandbox, anEnterprise(L1));
    applied(sandbox, ...asInitiator());
    expectRefused(sandbox, () => change(sandbox, record, licence('L-9')));
    expect(changed(sandbox, record, licence('L-1'))['state']).toBe(5);
  });
});
