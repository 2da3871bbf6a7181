/** `recon doctor` and `recon config` say what is in force and what is wrong, and show no secret. */
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkDisk } from '../../jobs/doctor/doctor-disk.ts';
import type { Check } from '../../jobs/doctor/doctor-check.ts';
import { systemClock } from '../../src/core/clock.ts';
import { addMs } from '../../src/core/time.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../src/sandbox/server/serve.ts';
import { runCli, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';

let folder: TemporaryFolder;
let sandbox: Sandbox;
let served: ServedSandbox;

beforeEach(async () => {
  folder = await temporaryFolder();
  sandbox = createSandbox({ clock: systemClock() });
  served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
});
afterEach(async () => {
  await served.close();
  await folder.remove();
});

function environment(over: Readonly<Record<string, string>> = {}): Record<string, string> {
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  return {
    RECON_HOME: path.join(folder.path, 'home'),
    PLATFORM_URL: served.url,
    PLATFORM_API_KEY: credential?.id ?? '',
    PLATFORM_SECRET: credential?.secret ?? '',
    ...over,
  };
}

async function doctor(env: Readonly<Record<string, string>>): Promise<CliOutcome & { checks: Check[] }> {
  const said = await runCli(['doctor', '--json'], { env });
  const document = JSON.parse(said.stdout) as { schema: number; checks: Check[] };
  expect(document.schema).toBe(1);
  return { ...said, checks: document.checks };
}

const states = (checks: readonly Check[]): string[] => checks.map(({ name, state }) => `${name} ${state}`);

function stateOf(checks: readonly Check[], name: string): Check | undefined {
  return checks.find((check) => check.name === name);
}

describe('doctor', () => {
  test('on a fresh machine all is well; that the embedded database has no fsync is said; nothing is made', async () => {
    const { status, checks } = await doctor(environment());
    expect(states(checks)).toEqual([
      'node ok',
      'settings ok',
      'profile ok',
      'time zone ok',
      'folder ok',
      'disk ok',
      'database warn',
      'database ok',
      'platform ok',
      'clock ok',
      'company warn',
      'alerts warn',
    ]);
    expect(checks[6]?.detail).toContain('without fsync, so a power cut can lose data');
    expect(stateOf(checks, 'platform')?.detail).toContain('it takes our credentials');
    expect(status).toBe(0);
    expect((await doctor(environment())).checks[7]?.detail, 'still').toContain('made by the first command');
  });

  test('with a database it tells schema, accounts and the last night', async () => {
    const env = environment();
    expect((await runCli(['migrate'], { env })).status).toBe(0);
    const { status, checks } = await doctor(env);
    expect(states(checks).slice(6)).toEqual([
      'database warn',
      'privacy ok',
      'database ok',
      'schema ok',
      'accounts warn',
      'ledger ok',
      'last night warn',
      'platform ok',
      'clock ok',
      'company warn',
      'alerts warn',
    ]);
    expect(status).toBe(0);
  });

  test('a folder of the embedded database that stands open is said, and closed by the first command', async () => {
    const env = environment();
    expect((await runCli(['migrate'], { env })).status).toBe(0);
    const home = path.join(folder.path, 'home');
    expect(stateOf((await doctor(env)).checks, 'privacy')?.state).toBe('ok');
    await chmod(home, 0o777);
    await chmod(path.join(home, 'db'), 0o755);
    const { checks } = await doctor(env);
    expect(checks.filter(({ name }) => name === 'privacy')).toEqual([
      {
        name: 'privacy',
        state: 'warn',
        detail: `${home}/db stood open to other users (755), who could change the books; it is closed now`,
      },
      { name: 'privacy', state: 'warn', detail: `other users can write in ${home}: chmod go-w ${home}` },
    ]);
    expect((await stat(path.join(home, 'db'))).mode & 0o777).toBe(0o700);
  });

  test('an inbox is looked at: whether files can be moved out of it, and what lies there for no night', async () => {
    const inbox = path.join(folder.path, 'inbox');
    const look = async () => stateOf((await doctor(environment({ INTAKE_INBOX: inbox }))).checks, 'inbox');
    expect(await look()).toEqual({
      name: 'inbox',
      state: 'fail',
      detail: `${inbox} cannot be used: there is no such folder`,
    });
    await mkdir(path.join(inbox, 'ledger'), { recursive: true });
    await writeFile(path.join(inbox, 'ledger', '2026-03-01.csv'), 'entry_id\n');
    expect(await look()).toEqual({
      name: 'inbox',
      state: 'ok',
      detail: `${inbox} can be read and moved from, files that wait: 1`,
    });
    await writeFile(path.join(inbox, 'list.csv'), 'account_no\n');
    expect(await look()).toMatchObject({
      state: 'warn',
      detail: 'list.csv: it lies in none of accounts/, orders/, ledger/ and ledger/NAME/',
    });
    await writeFile(path.join(inbox, 'done'), '');
    expect(await look()).toMatchObject({ state: 'fail', detail: `${inbox}/done is no folder` });
  });

  test('channels of alerts are named, and nothing is sent by them', async () => {
    const env = environment({
      ALERT_WEBHOOK_URL: `${served.url}/hook`,
      ALERT_WEBHOOK_SECRET: 'secret-of-hook',
      ALERT_LATE_AT: '05:30',
    });
    const { checks, stdout } = await doctor(env);
    expect(stateOf(checks, 'alerts')).toEqual({
      name: 'alerts',
      state: 'ok',
      detail: 'by webhook; late after 05:30; recon alerts test sends a message',
    });
    expect(stdout).not.toContain('secret-of-hook');
    expect(sandbox.requests().filter(({ path: asked }) => asked.includes('hook'))).toEqual([]);
  });

  test('a database elsewhere that is spoken to in clear text is warned of each time', async () => {
    const address = 'postgres://u@203.0.113.7:1/x?connect_timeout=1';
    const clear = await doctor(environment({ DATABASE_URL: `${address}&sslmode=disable` }));
    expect(stateOf(clear.checks, 'database TLS')).toEqual({
      name: 'database TLS',
      state: 'warn',
      detail:
        'clear text to 203.0.113.7 (DATABASE_TLS or sslmode says so): who is on the way can read and change the books',
    });
    const verified = await doctor(environment({ DATABASE_URL: address }));
    expect(stateOf(verified.checks, 'database TLS')).toEqual({
      name: 'database TLS',
      state: 'ok',
      detail: '203.0.113.7 has to prove itself by a certificate of the usual authorities',
    });
  });

  test('credentials the platform does not take fail, and the other checks are made', async () => {
    const { status, checks, stdout, stderr } = await doctor(
      environment({ PLATFORM_SECRET: 'wrong-secret-1' }),
    );
    expect(stateOf(checks, 'platform')?.state).toBe('fail');
    expect(stateOf(checks, 'database')?.state).toBe('warn');
    expect(status).toBe(1);
    expect(stdout + stderr).not.toContain('wrong-secret-1');
  });

  test('N15: a clock that is a minute off fails with how far it is off', async () => {
    sandbox.clock.set(addMs(systemClock().wall(), 60_000));
    const { status, checks } = await doctor(environment());
    const clock = stateOf(checks, 'clock');
    expect(clock?.state).toBe('fail');
    expect(clock?.detail).toMatch(/^this machine is (?:59|60|61)\.\d s behind the platform: set the clock$/);
    expect(status).toBe(1);
  });

  test('a platform that cannot be reached fails', async () => {
    await served.close();
    const { status, checks } = await doctor(environment());
    expect(stateOf(checks, 'platform')).toMatchObject({ state: 'fail' });
    expect(status).toBe(1);
    served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  });

  test('every fault of the settings is a line, and what does not need them is still checked', async () => {
    const env = { RECON_HOME: path.join(folder.path, 'home') };
    const { status, checks } = await doctor(env);
    expect(checks.filter(({ name }) => name === 'settings').map(({ detail }) => detail)).toEqual([
      'neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set',
      'PLATFORM_SECRET is not set',
      'PLATFORM_URL is not set',
    ]);
    expect(stateOf(checks, 'disk')?.state).toBe('ok');
    expect(stateOf(checks, 'database')).toBeDefined();
    expect(status).toBe(2);
  });

  test('a wrong profile is exit status 2, and the rest is checked with the defaults', async () => {
    const profile = path.join(folder.path, 'profile.json');
    await writeFile(profile, '{"http": {"maxAttempts": 0}}');
    const { status, checks } = await doctor(environment({ PLATFORM_PROFILE: profile }));
    expect(stateOf(checks, 'profile')).toEqual({
      name: 'profile',
      state: 'fail',
      detail: 'http.maxAttempts must be at least 1: 0',
    });
    expect(stateOf(checks, 'platform')?.state).toBe('ok');
    expect(status).toBe(2);
  });

  test('what differs from the defaults of the profile is named', async () => {
    const profile = path.join(folder.path, 'profile.json');
    await writeFile(profile, '{"http": {"maxAttempts": 3}}');
    const { checks } = await doctor(environment({ PLATFORM_PROFILE: profile }));
    expect(stateOf(checks, 'profile')?.detail).toBe('1 not at default: http.maxAttempts = 3');
  });

  test('H4: a folder that cannot be written fails', async () => {
    await expect(checkDisk('/proc/recon-home')).resolves.toEqual([
      {
        name: 'folder',
        state: 'fail',
        detail: expect.stringContaining('/proc/recon-home cannot be written: ') as string,
      },
    ]);
    const home = path.join(folder.path, 'there');
    await mkdir(home);
    expect(states(await checkDisk(home))).toEqual(['folder ok', 'disk ok']);
  });
});

describe('config', () => {
  const SECRETS = {
    PLATFORM_API_KEY: 'ak-very-secret',
    PLATFORM_SECRET: 'as-very-secret',
    DATABASE_URL: 'postgres://recon:db-very-secret@db.example:5432/recon',
  };

  test('S4: settings and their origins are shown without a database or the platform, secrets masked', async () => {
    const file = path.join(folder.path, 'recon.env');
    await writeFile(file, 'REPORT_LOCALE=en\nPLATFORM_SECRET=as-very-secret\n');
    const env = { PLATFORM_API_KEY: SECRETS.PLATFORM_API_KEY, DATABASE_URL: SECRETS.DATABASE_URL };
    const args = ['config', '--env-file', file];
    const [text, json] = [await runCli(args, { env }), await runCli([...args, '--json'], { env })];
    expect([text.status, json.status]).toEqual([0, 0]);
    for (const said of [text, json]) expect(said.stdout + said.stderr).not.toContain('very-secret');
    expect(text.stdout).toMatch(/^REPORT_LOCALE +en +file$/m);
    const { settings, profile } = JSON.parse(json.stdout) as {
      settings: { name: string; value: string; from: string }[];
      profile: { key: string; value: string; default: string; u: string }[];
    };
    expect(settings.filter(({ from }) => from !== 'default' && from !== 'not set')).toEqual([
      { name: 'DATABASE_URL', value: 'postgres://recon:****@db.example:5432/recon', from: 'environment' },
      { name: 'PLATFORM_API_KEY', value: '****', from: 'environment' },
      { name: 'PLATFORM_SECRET', value: '****', from: 'file' },
      { name: 'REPORT_LOCALE', value: 'en', from: 'file' },
    ]);
    expect(profile).toContainEqual(
      expect.objectContaining({ key: 'deposits.endInclusive', u: 'U44', changed: false }),
    );
  });

  test('--profile lists every key with its question; without it only what differs', async () => {
    const profile = path.join(folder.path, 'profile.json');
    await writeFile(profile, '{"http": {"maxAttempts": 3}}');
    const env = { PLATFORM_PROFILE: profile };
    const some = await runCli(['config'], { env });
    expect(some.stdout).toMatch(/^http\.maxAttempts +3 +5 +U43$/m);
    expect(some.stdout).not.toContain('service.timeZone');
    const all = await runCli(['config', '--profile'], { env });
    expect(all.stdout).toMatch(/^service\.timeZone +Asia\/Shanghai +U18$/m);
    expect(all.stdout).toMatch(/^http\.maxAttempts +3 +5 +U43$/m);
    const widest = Math.max(...all.stdout.split('\n').map((line) => line.length));
    expect(widest, 'it can be read on a terminal').toBeLessThanOrEqual(120);
  });
});
