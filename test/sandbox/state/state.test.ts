/** What a sandbox keeps in its state file, and what it refuses to go on from (CTL). */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { LockHeld, WrongInput } from '../../../src/core/errors.ts';
import { DEFAULT_CREDENTIALS } from '../../../src/sandbox/protocol/sandbox-keys.ts';
import type { KeptOptions } from '../../../src/sandbox/state/kept-sandbox.ts';
import { inAPlace, linesOf, pay, place, start, startWithAccounts, stop, withdraw } from './state-place.ts';
import { call, control, shown } from './state-twins.ts';

inAPlace();

describe('the file', () => {
  test('CTL: is its owner’s alone, begins with what the sandbox began as, and holds no secret', async () => {
    const kept = await startWithAccounts({ scenario: 'empty', seed: 9 });
    expect(withdraw(kept, 'W-1').ok).toBe(true);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
    const [header, ...entries] = (await linesOf()).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(header).toMatchObject({
      sandboxState: 1,
      scenario: { name: 'empty' },
      seed: 9,
      startedAt: '2026-03-01T04:00:00.000Z',
      channelCode: 'SANDBOX',
    });
    expect(entries).toHaveLength(2);
    const text = await readFile(place.file, 'utf8');
    for (const { secret } of DEFAULT_CREDENTIALS) expect(text).not.toContain(secret);
  });

  test('CTL: does not grow by reading, nor by what is refused', async () => {
    const kept = await startWithAccounts();
    expect(withdraw(kept, 'W-1').ok).toBe(true);
    expect(pay(kept).ok).toBe(true);
    const before = await readFile(place.file, 'utf8');
    for (let night = 0; night < 3; night++) {
      place.clock.tick(86_400_000);
      const { sandbox } = kept;
      const days = { startDate: '2026-03-01', endDate: '2026-03-02' };
      expect(call(sandbox, 'query/deposit', { payeeAcctNo: 'Q', ...days }).ok).toBe(true);
      expect(call(sandbox, 'acct/queryInfo', { accountNo: 'P' }).ok).toBe(true);
      expect(call(sandbox, 'division/query', { outBatchNo: 'B-1' }).ok).toBe(true);
      expect(call(sandbox, 'account/queryWithdraw', { outOrderNo: 'W-1' }).ok).toBe(true);
      expect(call(sandbox, 'get/transFiles', { transType: '3', outOrderNo: 'O-1' }).ok).toBe(true);
      expect(withdraw(kept, 'W-1').ok).toBe(false);
      expect(call(sandbox, 'account/withdraw', {}, { reqTime: '20010101000000' }).ok).toBe(false);
      shown(sandbox);
    }
    expect(await readFile(place.file, 'utf8')).toBe(before);
  });

  test('CTL: a reset begins it anew, and what was is kept beside it', async () => {
    const kept = await startWithAccounts();
    withdraw(kept, 'W-1');
    const before = await readFile(place.file, 'utf8');
    place.clock.tick(5_000);
    expect(control(kept.sandbox, 'POST', '/scenario', { scenario: 'demo', seed: 4 }).status).toBe(200);
    expect(await readFile(`${place.file}.bak`, 'utf8')).toBe(before);
    expect(kept.scenario).toBe('demo');
    expect(await linesOf()).toHaveLength(1);
    const after = shown(kept.sandbox);
    stop(kept);
    const again = await start();
    expect(again).toMatchObject({ played: 0, scenario: 'demo' });
    expect(shown(again.sandbox)).toEqual(after);
  });

  test('CTL: a last line that was torn is cut off, and said', async () => {
    const kept = await startWithAccounts();
    withdraw(kept, 'W-1');
    const before = shown(kept.sandbox);
    stop(kept);
    const whole = await readFile(place.file, 'utf8');
    await writeFile(place.file, `${whole}{"request":{"method":"POST","bo`);
    const again = await start();
    expect(again).toMatchObject({ played: 2, cutBytes: 31 });
    expect(await readFile(place.file, 'utf8')).toBe(whole);
    expect(shown(again.sandbox)).toEqual(before);
    expect(withdraw(again, 'W-2').ok).toBe(true);
  });

  test('CTL: one sandbox has it at a time; the lock of a process that has gone keeps nobody out', async () => {
    const kept = await startWithAccounts();
    await expect(start()).rejects.toThrow(LockHeld);
    await expect(start()).rejects.toThrow(`${place.file} is the state of a sandbox that is running`);
    stop(kept);
    await writeFile(`${place.file}.lock`, `${process.pid} 1`);
    stop(await start());
    await writeFile(`${place.file}.lock`, '999999999 1');
    expect((await start()).played).toBe(1);
  });
});

describe('what it refuses to go on from, and leaves as it is', () => {
  async function expectRefused(over: Partial<KeptOptions>, ...words: string[]): Promise<void> {
    const before = await readFile(place.file, 'utf8');
    const refusal = await start(over).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(WrongInput);
    for (const word of words) expect((refusal as WrongInput).message).toContain(word);
    expect(await readFile(place.file, 'utf8')).toBe(before);
  }

  beforeEach(async () => {
    const kept = await startWithAccounts({ scenario: 'empty' });
    withdraw(kept, 'W-1');
    withdraw(kept, 'W-2');
    stop(kept);
  });

  test('CTL: another scenario or seed than the file’s: both are named', async () => {
    await expectRefused(
      { scenario: 'demo', seed: 2 },
      `${place.file}:1 is the state of another sandbox`,
      'its scenario is {"name":"empty"}, asked for is {"name":"demo"}',
      'its seed is 1, asked for is 2',
    );
  });

  test('CTL: other credentials, channel or switches', async () => {
    const [first] = DEFAULT_CREDENTIALS;
    const credentials = first ? [{ ...first, secret: 'synthetic-another' }] : [];
    await expectRefused({ credentials }, 'it was begun with other credentials');
    await expectRefused({ channelCode: 'C2' }, 'its channel code is "SANDBOX", asked for is "C2"');
    await expectRefused({ switches: { numbersAs: 'string' } }, 'it was begun with another profile');
  });

  test('CTL: an input that comes to something else now: file and line', async () => {
    const text = await readFile(place.file, 'utf8');
    await writeFile(place.file, text.replace('W-2', 'W-1'));
    await expectRefused(
      {},
      `${place.file}:4: this input came to "000000" when it was made and comes to "`,
      'or edited',
    );
  });

  test('CTL: a line that is none: file and line', async () => {
    const [header, ...entries] = await linesOf();
    await writeFile(place.file, [header, 'what?', ...entries, ''].join('\n'));
    await expectRefused({}, `${place.file}:2: this is no line of a sandbox's state`);
    await writeFile(place.file, [header, '{"request":{}}', ''].join('\n'));
    await expectRefused({}, `${place.file}:2`);
    await writeFile(place.file, 'a letter\nto somebody\n');
    await expectRefused({}, `${place.file}:1: this is no line`);
    await writeFile(place.file, 'a letter');
    await expectRefused({}, `${place.file} is not the state of a sandbox`);
  });

  test('CTL: a file that cannot be read, and a folder that is not there', async () => {
    await expect(start({ path: place.folder })).rejects.toThrow(WrongInput);
    await expect(start({ path: path.join(place.folder, 'none', 'x') })).rejects.toThrow('there is no folder');
  });
});
