/** CTL: the control surface, with JSON in and out. */
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { controlTable } from '../../src/sandbox/control/control.ts';
import { faultTable } from '../../src/sandbox/control/control-routes.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { ask, deposits, NOON, orderNos, sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';

interface Controlled {
  status: number;
  document: Members;
}

function post(sandbox: Sandbox, path: string, body: unknown = {}): Controlled {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = { method: 'POST', path: `/control${path}`, contentType: 'application/json', body: text };
  const { status, body: answer } = sandbox.control(request);
  return { status, document: JSON.parse(answer) as Members };
}

function get(sandbox: Sandbox, path: string): Members {
  const reply = sandbox.control({ method: 'GET', path: `/control${path}`, contentType: '', body: '' });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.body) as Members;
}

const ACCOUNT = { accountNo: '100001', balanceFen: 500 };
const DEPOSIT = { payeeAcctNo: '100001', amountFen: 100, depositTime: '2026-03-01 10:00:00' };

describe('the clock', () => {
  test('is set, advanced, and tells its time', () => {
    const sandbox = sandboxAtNoon();
    expect(get(sandbox, '/clock')).toEqual({ now: NOON, running: false });
    expect(post(sandbox, '/clock', { set: '2026-03-02 00:00:00' }).document['now']).toBe(
      '2026-03-01T16:00:00.000Z',
    );
    expect(post(sandbox, '/clock', { advanceMs: -1 }).document['now']).toBe('2026-03-01T15:59:59.999Z');
    expect(post(sandbox, '/clock', { set: '2026-03-02T00:00:00Z' }).document['now']).toBe(
      '2026-03-02T00:00:00.000Z',
    );
  });

  test('runs where there is a clock to follow, from the instant it stood at', () => {
    expect(post(sandboxAtNoon(), '/clock', { running: true }).status).toBe(400);
    const clock = { ...systemClock(), wall: () => '2030-01-01T00:00:00.000Z' };
    const sandbox = sandboxAtNoon({ clock });
    expect(get(sandbox, '/clock')).toEqual({ now: NOON, running: true });
    expect(post(sandbox, '/clock', { running: false }).document).toEqual({ now: NOON, running: false });
    expect(post(sandbox, '/clock', { advanceMs: 5, running: true }).document).toEqual({
      now: '2026-03-01T04:00:00.005Z',
      running: true,
    });
  });
});

describe('data', () => {
  test('accounts, deposits and movements are seeded and shown', () => {
    const sandbox = sandboxAtNoon();
    expect(post(sandbox, '/accounts', { accounts: [ACCOUNT] })).toEqual({
      status: 200,
      document: { done: true },
    });
    expect(post(sandbox, '/deposits', { deposits: [DEPOSIT] }).document).toEqual({
      orderNos: ['DP20260301K000001'],
    });
    const at = '2026-03-01 11:00:00';
    post(sandbox, '/movements', { movements: [{ kind: 'interest', accountNo: '100001', amountFen: 7, at }] });
    expect(get(sandbox, '/accounts')['accounts']).toEqual([
      {
        accountNo: '100001',
        eleAcctNo: 'EA100001',
        merchant: 'main',
        name: '测试账户',
        role: 'JS',
        state: '1',
        balanceFen: 607,
        frozenFen: 0,
        effects: [
          { at: '2026-03-01T02:00:00.000Z', deltaFen: 100, kind: 'deposit', reference: 'DP20260301K000001' },
          { at: '2026-03-01T03:00:00.000Z', deltaFen: 7, kind: 'interest', reference: '' },
        ],
      },
    ]);
    expect(orderNos(deposits(sandbox))).toEqual(['DP20260301K000001']);
  });

  test('DEP-12: a deposit that arrives between two pages', () => {
    const sandbox = sandboxAtNoon();
    post(sandbox, '/accounts', { accounts: [ACCOUNT] });
    expect(post(sandbox, '/arrivals', { afterPages: 2, deposit: DEPOSIT }).status).toBe(200);
    expect([1, 2, 3].map(() => deposits(sandbox).biz['total'])).toEqual([0, 0, 1]);
  });

  test.each([
    ['/accounts', { accounts: [{ accountNo: '1', balanceFen: -1 }] }, 'balanceFen'],
    ['/accounts', { accounts: [{ accountNo: '1', balanceFen: 1.5 }] }, 'balanceFen'],
    ['/accounts', { accounts: [{ accountNo: '1', colour: 'red' }] }, 'colour'],
    ['/accounts', { accounts: [{ accountNo: '1' }, { accountNo: '1' }] }, 'exists already'],
    ['/deposits', { deposits: [{ ...DEPOSIT, payeeAcctNo: 'nobody' }] }, 'no account nobody'],
    ['/deposits', { deposits: [{ ...DEPOSIT, depositTime: '2026-02-30 10:00:00' }] }, 'no time'],
    ['/movements', { movements: [{ kind: 'theft', accountNo: '100001' }] }, 'kind'],
    ['/faults', { faults: [{ kind: 'nothing' }] }, 'kind'],
    ['/switches', { depositOrder: 'random' }, 'depositOrder'],
    ['/switches', { somethingElse: true }, 'somethingElse'],
    ['/scenario', { scenario: 'war' }, 'scenario'],
    ['/clock', { set: 'now' }, 'no time'],
    ['/clock', '{', 'not JSON'],
  ])('a fault in what was given to %s is named: %o', (path, body, named) => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001' }]);
    const { status, document } = post(sandbox, path, body);
    expect(status).toBe(400);
    expect(JSON.stringify(document)).toContain(named);
  });

  test('of several accounts with a fault in one, none is opened', () => {
    const sandbox = sandboxAtNoon();
    const accounts = [ACCOUNT, { accountNo: '100002', balanceFen: 1, frozenFen: 2 }];
    expect(post(sandbox, '/accounts', { accounts }).status).toBe(400);
    expect(get(sandbox, '/accounts')['accounts']).toEqual([]);
  });
});

describe('faults, switches, requests', () => {
  test('faults are planned, listed and lifted', () => {
    const sandbox = sandboxAtNoon();
    const faults = [
      { kind: 'omit_sign', path: 'query/deposit', times: 2 },
      { kind: 'too_frequent', everyKth: 2 },
    ];
    expect(post(sandbox, '/faults', { faults }).document).toEqual({ nos: [1, 2] });
    expect(deposits(sandbox).envelope).not.toHaveProperty('sign');
    expect(get(sandbox, '/faults')['faults']).toMatchObject([
      { no: 1, callsMet: 1, fault: { kind: 'omit_sign', skip: 0 } },
      { no: 2, callsMet: 0 },
    ]);
    post(sandbox, '/faults/lift', { no: 2 });
    expect(get(sandbox, '/faults')['faults']).toHaveLength(1);
    post(sandbox, '/faults/lift');
    expect(get(sandbox, '/faults')['faults']).toEqual([]);
  });

  test('switches are turned one by one', () => {
    const sandbox = sandboxAtNoon();
    const before = get(sandbox, '/switches');
    expect(post(sandbox, '/switches', { endInclusive: false }).document).toEqual({
      ...before,
      endInclusive: false,
    });
    expect(get(sandbox, '/switches')['endInclusive']).toBe(false);
  });

  test('requests are shown with their raw bodies, from a number on', () => {
    const sandbox = sandboxAtNoon();
    deposits(sandbox);
    ask(sandbox, 'acct/queryInfo', { accountNo: '100001' });
    const shown = get(sandbox, '/requests?after=1')['requests'] as Members[];
    expect(shown).toMatchObject([{ no: 2, path: '/api/open/virtualBank/acct/queryInfo', code: '300001' }]);
    expect(String(shown[0]?.['body'])).toContain('"signType":"MD5"');
  });
});

describe('scenarios', () => {
  test('reset goes back to the beginning: data, clock, faults, switches, requests', () => {
    const sandbox = sandboxAtNoon();
    post(sandbox, '/accounts', { accounts: [ACCOUNT] });
    post(sandbox, '/clock', { advanceMs: 1_000 });
    post(sandbox, '/switches', { endInclusive: false });
    post(sandbox, '/faults', { faults: [{ kind: 'omit_sign', times: null }] });
    deposits(sandbox);
    post(sandbox, '/reset');
    expect(get(sandbox, '/accounts')['accounts']).toEqual([]);
    expect(get(sandbox, '/clock')['now']).toBe(NOON);
    expect(get(sandbox, '/switches')['endInclusive']).toBe(true);
    expect(get(sandbox, '/faults')['faults']).toEqual([]);
    expect(get(sandbox, '/requests')['requests']).toEqual([]);
  });

  test('another scenario is begun by its name', () => {
    const sandbox = sandboxAtNoon();
    const scenario = { name: 'volume', accounts: 2, depositsPerAccount: 3, from: '2026-02-01', days: 28 };
    expect(post(sandbox, '/scenario', { scenario, seed: 9 }).status).toBe(200);
    const asked = { payeeAcctNo: '4100000001', startDate: '2026-02-01', endDate: '2026-02-28' };
    expect(deposits(sandbox, asked).biz['total']).toBe(3);
    post(sandbox, '/scenario', { scenario: 'empty' });
    expect(get(sandbox, '/accounts')['accounts']).toEqual([]);
  });

  test('one seed, one sandbox: the same calls have the same answers', () => {
    const answers = (): string[] => {
      const sandbox = sandboxAtNoon({ seed: 7, scenario: { name: 'demo', through: '2026-02-28' } });
      sandbox.setSwitches({ depositOrder: 'unstable' });
      const reqId = 'fixed';
      const biz = { startDate: '2026-02-01', endDate: '2026-02-28', payeeAcctNo: '3100000002', pageSize: 50 };
      return [ask(sandbox, 'query/deposit', biz, { reqId }).text, ask(sandbox, 'query/deposit', biz).text];
    };
    expect(answers()).toEqual(answers());
  });
});

test('unknown paths and methods of the surface are 404', () => {
  const sandbox = sandboxAtNoon();
  expect(post(sandbox, '/nothing').status).toBe(404);
  expect(
    sandbox.control({ method: 'DELETE', path: '/control/faults', contentType: '', body: '' }).status,
  ).toBe(404);
});

test('the tables of docs/sandbox.md name every path and every kind of fault', () => {
  for (const path of ['GET /control/clock', 'POST /control/deposits', 'POST /control/scenario']) {
    expect(controlTable()).toContain(`\`${path}\``);
  }
  expect(faultTable().split('\n')).toHaveLength(35);
  expect(`${controlTable()}${faultTable()}`).not.toContain('undefined');
});
