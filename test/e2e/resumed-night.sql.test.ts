/** A night that is resumed asks again for what was quarantined, and nothing it was told in secret reaches its papers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import { terminalText } from '../helpers/findings.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { openQuietDay } from '../helpers/quiet-day.ts';

let night: Night;

beforeEach(async () => {
  night = await openQuietDay();
});
afterEach(() => night.close());

describe('a resumed run', () => {
  test('asks again for windows with records that could not be read, and heals in the same night', async () => {
    for (const form of ['amount', 'time'] as const) {
      night.sandbox.addFault(
        form === 'amount'
          ? { kind: 'amount', path: 'query/deposit', about: 'A1', form: 'fraction', times: null }
          : { kind: 'time', path: 'query/deposit', about: 'A2', form: 'impossible', times: null },
      );
    }
    night.sandbox.addFault({ kind: 'http_status', path: 'acct/queryInfo', times: null });
    const first = await night.night('2026-03-10');
    expect(first.result.run).toMatchObject({ verdict: 'incomplete', version: 1 });
    night.sandbox.liftFaults();
    const second = await night.night('2026-03-10');
    expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1 });
    expect(findingsOf(second)).toEqual([]);
  });

  test('reads a day as a whole that it had begun to read before midnight and ended after it', async () => {
    night.moveTo('2026-03-11 23:59:00');
    night.sandbox.addFault({ kind: 'http_status', path: 'acct/queryInfo', skip: 2, times: null });
    const process = await night.process();
    const platform = await process.platform();
    const ask = platform.call.bind(platform);
    vi.spyOn(platform, 'call').mockImplementation(async (...asked) => {
      const answer = await ask(...asked);
      if (JSON.stringify(asked).includes('"endDate":"2026-03-12"')) night.moveTo('2026-03-12 00:00:10');
      return answer;
    });
    const request = { job: 'nightly', fromDay: '2026-03-10', toDay: '2026-03-10', accounts: [] } as const;
    const first = await reconcileRange(process, request);
    await process.close();
    expect(first.result.run).toMatchObject({ verdict: 'incomplete', version: 1 });
    night.sandbox.liftFaults();
    night.moveTo('2026-03-12 02:00:00');
    const second = await night.night('2026-03-10');
    expect(second.result.accounts.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['reconciled', ''],
      ['reconciled', ''],
    ]);
    expect(second.result.run).toMatchObject({ version: 1 });
  });
});

describe('a balance between two readings', () => {
  test('that is equal while the frozen amount moves is not taken for stable', async () => {
    // Each call has an amount of its own: a call that is repeated makes no two readings alike.
    for (let calls = 0; calls < 40; calls++) {
      const set = { frozen: 500 + calls, availableBalance: 100_100 - calls };
      night.sandbox.addFault({
        kind: 'record',
        path: 'acct/queryInfo',
        about: 'A1',
        set,
        skip: calls,
        times: 1,
      });
    }
    const { result } = await night.night('2026-03-10');
    expect(result.accounts.map(({ accountNo, verdict, reason }) => [accountNo, verdict, reason])).toEqual([
      ['A1', 'unverified', 'the balance moved at every reading'],
      ['A2', 'reconciled', ''],
    ]);
    const [a1] = await night.db
      .selectFrom('balance_snapshot')
      .select(['state', 'tries', 'spread_fen'])
      .where('account_no', '=', 'A1')
      .execute();
    expect(a1).toEqual({ state: 'moving', tries: 5, spread_fen: 0n });
  });
});

test('a secret that the platform echoes in a refusal stands in no table, no paper and on no terminal', async () => {
  const secret = night.environment()['PLATFORM_SECRET'] ?? '';
  const forms = [
    secret,
    secret.toUpperCase(),
    Buffer.from(`key=${secret}&`).toString('base64'),
    Buffer.from(secret).toString('hex'),
    secret.replace(/\W|_/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    secret.replace(/\W|_/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  ];
  night.sandbox.addFault({
    kind: 'unmapped_code',
    code: `E1 <b>${secret}`,
    msg: `sign of ${forms.join(' ')} is wrong`,
    times: null,
  });
  const outcome = await night.night('2026-03-10');
  expect(outcome.result.accounts[0]?.cause).toContain('the platform refused: E1??b?');
  const folder = path.join(night.home, 'reports', '2026-03-10', 'v1');
  const { sheets } = await readWorkbook(path.join(folder, 'reconciliation-2026-03-10.xlsx'));
  const seen = [
    JSON.stringify(await night.db.selectFrom('sync_window').select('reason').execute()),
    JSON.stringify(await night.db.selectFrom('run_account').select('reason').execute()),
    JSON.stringify(await night.db.selectFrom('run').select(['facts', 'result']).execute()),
    await readFile(path.join(folder, 'result.json'), 'utf8'),
    JSON.stringify(sheets.map(({ cells }) => [...cells.values()])),
    await terminalText(night.db, outcome.result),
    JSON.stringify(night.log.lines),
  ].join('\n');
  expect(secret.length).toBeGreaterThanOrEqual(8);
  for (const form of [...forms.slice(0, 2), forms[2]?.slice(4, -4) ?? '', ...forms.slice(3)]) {
    expect(seen).not.toContain(form);
  }
});
