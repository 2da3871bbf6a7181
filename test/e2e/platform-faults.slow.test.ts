/** Nights on a platform that fails: what can be cured is cured, and what cannot is said. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../jobs/commands/nightly.ts';
import type { FaultSeed } from '../../src/sandbox/faults/fault-schema.ts';
import { findingsOf, zone } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { callsTo, countOf, expectGreen, openQuietDay } from '../helpers/quiet-day.ts';

let night: Night;

beforeEach(async () => {
  night = await openQuietDay();
});
afterEach(() => night.close());

describe('what another attempt cures', () => {
  const curable: [name: string, fault: FaultSeed][] = [
    ['N6: HTTP 500 at every second call', { kind: 'http_status', everyKth: 2 }],
    ['N6: 502 pages of a gateway', { kind: 'http_status', status: 502, content: 'html', times: 3 }],
    ['N5: connections that are cut before the platform acted', { kind: 'drop_before', everyKth: 2 }],
    ['N5: connections that are cut after the platform acted', { kind: 'drop_after', everyKth: 2 }],
    ['N2: bodies that break off', { kind: 'reset', everyKth: 3 }],
    ['N7: answers that are no envelope', { kind: 'body', content: 'truncated', everyKth: 3 }],
    ['N8: single answers with a changed byte', { kind: 'corrupt_biz_data', everyKth: 3 }],
    ['N12: requests that are delivered twice', { kind: 'twice', everyKth: 2 }],
    ['N14: a body of 300 MB', { kind: 'flood', times: 1 }],
    ['N14: an encoded body', { kind: 'gzip', times: 2 }],
    ['N18: bursts of "too frequent"', { kind: 'too_frequent', times: 4 }],
    ['P1: a total that is wrong once', { kind: 'total', times: 1 }],
    ['P2: a record twice on a page, once', { kind: 'repeat_row', path: 'query/deposit', times: 1 }],
    ['P1: a record missing on a page, once', { kind: 'drop_row', path: 'query/deposit', times: 1 }],
  ];

  test.each(curable)('%s', async (_name, fault) => {
    night.sandbox.addFault(fault);
    await expectGreen(night);
  });
});

describe('what stays unread', () => {
  test('a balance that cannot be read makes the night incomplete; its version goes on when the platform is back', async () => {
    night.sandbox.addFault({ kind: 'http_status', path: 'acct/queryInfo', times: null });
    const first = await night.night('2026-03-10');
    expect(first.result.run).toMatchObject({ verdict: 'incomplete', version: 1 });
    const said = /^the balance could not be read \(acct\/queryInfo: unreadable answer \(HTTP 500, .*\)\)$/;
    for (const account of first.result.accounts) {
      expect(account).toMatchObject({ verdict: 'incomplete', reason: expect.stringMatching(said) as string });
    }
    expect(await outcomeOf({ db: night.db, zone }, first, {})).toMatchObject({ status: 1 });
    expect(await countOf(night, 'deposit'), 'what was collected is kept').toBe(6);
    night.sandbox.liftFaults();
    const second = await night.night('2026-03-10');
    expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1, supersedes: null });
    expect(findingsOf(second)).toEqual([]);
  });

  test('a refused balance leaves its account incomplete and the other proven', async () => {
    await night.listAccounts({ no: 'A3', opening: { fen: 0n, at: '2026-03-08 00:00:00' } });
    const { result } = await night.night('2026-03-10');
    expect(result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
      'A1 reconciled',
      'A2 reconciled',
      'A3 incomplete',
    ]);
    expect(result.run.verdict).toBe('incomplete');
  });

  test('DEP-12: windows that cannot be read make the night incomplete; resumed, only they are read', async () => {
    // The first window's five attempts and none of the others.
    night.sandbox.addFault({ kind: 'http_status', path: 'query/deposit', times: 5 });
    await night.profile({ http: { rate: { perSecond: 1_000, concurrency: 1 } } });
    const first = await night.night('2026-03-10');
    const said =
      /^windows of deposits could not be read in a verified pass \(1: query\/deposit: .*HTTP 500.*\)$/;
    expect(first.result.accounts).toMatchObject([
      { accountNo: 'A1', verdict: 'incomplete', reason: expect.stringMatching(said) as string },
      { accountNo: 'A2', verdict: 'reconciled', reason: '', cause: '' },
    ]);
    const failed = await night.db
      .selectFrom('sync_window')
      .select(['account_no', 'from_day', 'to_day', 'reason'])
      .where('state', '=', 'failed')
      .execute();
    expect(failed).toMatchObject([{ account_no: 'A1', from_day: '2026-03-08', to_day: '2026-03-11' }]);
    expect(failed[0]?.reason).toMatch(/HTTP 500/);
    const before = night.sandbox.requests().at(-1)?.no ?? 0;
    const second = await night.night('2026-03-10');
    expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1 });
    expect(findingsOf(second)).toEqual([]);
    // One window, and one look at the newest deposits for each account's balance.
    expect(callsTo(night, 'query/deposit', before)).toBe(3);
  });

  test('3.4: the newest deposits around a balance that cannot be read make the night incomplete', async () => {
    await night.profile({ http: { rate: { perSecond: 1_000, concurrency: 1 } } });
    night.sandbox.addFault({ kind: 'http_status', path: 'query/deposit', skip: 2, times: null });
    const first = await night.night('2026-03-10');
    expect(first.result.run.verdict).toBe('incomplete');
    night.sandbox.liftFaults();
    const second = await night.night('2026-03-10');
    expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1 });
  });

  test('P1: a total that never fits leaves a single day unread, and the night incomplete', async () => {
    night.sandbox.setSwitches({ totalOffset: 1 });
    const { result } = await night.night('2026-03-10');
    expect(result.run.verdict).toBe('incomplete');
    const windows = await night.db
      .selectFrom('sync_window')
      .select(['from_day', 'to_day', 'state'])
      .execute();
    expect(windows.filter(({ state }) => state === 'verified')).toEqual([]);
  });

  test('an incomplete night that is resumed days later reads all days up to that day', async () => {
    night.sandbox.addFault({ kind: 'http_status', path: 'query/deposit', times: null });
    expect((await night.night('2026-03-10')).result.run.verdict).toBe('incomplete');
    night.sandbox.liftFaults();
    night.moveTo('2026-03-14 02:00:00');
    night.deposits({
      payeeAcctNo: 'A1',
      orderNo: 'LATER',
      amountFen: 9n,
      depositTime: '2026-03-12 10:00:00',
    });
    const outcome = await night.night('2026-03-10');
    expect(outcome.result.accounts.map(({ verdict, reason }) => `${verdict}${reason}`)).toEqual([
      'reconciled',
      'reconciled',
    ]);
    expect(outcome.result.run.version).toBe(1);
    const windows = await night.db
      .selectFrom('sync_window')
      .select(['from_day', 'to_day', 'state'])
      .where('account_no', '=', 'A1')
      .orderBy('from_day')
      .execute();
    expect(windows[0]?.from_day).toBe('2026-03-08');
    expect(windows.at(-1)?.to_day).toBe('2026-03-15');
    expect(windows.map(({ state }) => state)).not.toContain('failed');
    windows.slice(1).forEach((window, at) => expect(window.from_day).toBe(windows[at]?.to_day));
  });
});
