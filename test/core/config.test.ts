import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  hostEnvironment,
  readProfileFile,
  readSettings,
  settingsInForce,
} from '../../src/core/config/config.ts';
import type { Environment, Settings } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';

const WHOLE = {
  PLATFORM_URL: 'https://pay.example.cn/',
  PLATFORM_API_KEY: 'ak_test_001',
  PLATFORM_SECRET: 'sk_test_001',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-config-'));
  await writeFile(join(folder, 'key.pem'), 'key');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function read(env: Environment, options: { envFile?: string; platform?: boolean } = {}): Settings {
  return readSettings({ env, envFile: options.envFile, needs: { platform: options.platform ?? true } });
}

function faultsOf(
  env: Environment,
  options: { envFile?: string; platform?: boolean } = {},
): readonly string[] {
  try {
    read(env, options);
    return [];
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return error.faults;
  }
}

describe('settings that are right', () => {
  test('have their defaults', () => {
    const settings = read({}, { platform: false });
    expect(settings).toMatchObject({
      databaseUrl: undefined,
      home: resolve('var'),
      platform: undefined,
      profileFile: undefined,
      reportLocale: 'zh-CN',
      nightlyCron: '0 2 * * *',
      snapshotCron: '0 0 * * *',
      healthPort: undefined,
      healthHost: '127.0.0.1',
      pushPort: undefined,
      pushHost: '0.0.0.0',
      logLevel: 'info',
      secrets: [],
    });
  });

  test('API Key mode with MD5, the address without its trailing slash (ENV-03)', () => {
    expect(read(WHOLE).platform).toEqual({
      url: 'https://pay.example.cn',
      credential: {
        mode: 'apiKey',
        apiKey: 'ak_test_001',
        signing: { signType: 'MD5', secret: 'sk_test_001' },
      },
    });
  });

  test('app mode with MD5, and with RSA2 whose key files are there and which needs no secret (SIG-08)', () => {
    const app = { PLATFORM_URL: 'https://pay.example.cn', PLATFORM_APP_ID: 'app_1' };
    expect(read({ ...app, PLATFORM_SECRET: 'as_test_001' }).platform?.credential).toEqual({
      mode: 'app',
      appId: 'app_1',
      signing: { signType: 'MD5', secret: 'as_test_001' },
    });
    const key = join(folder, 'key.pem');
    const files = { PLATFORM_PRIVATE_KEY_FILE: key, PLATFORM_PUBLIC_KEY_FILE: key };
    expect(read({ ...app, ...files, PLATFORM_SIGN_TYPE: 'RSA2' }).platform?.credential).toEqual({
      mode: 'app',
      appId: 'app_1',
      signing: { signType: 'RSA2', privateKeyFile: key, publicKeyFile: key },
    });
  });

  test.each(['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:9/base/'])(
    '%s is this machine',
    (url) => {
      expect(read({ ...WHOLE, PLATFORM_URL: url }).platform?.url).toBe(url.replace(/\/$/, ''));
    },
  );

  test('the environment wins over the file, and an empty variable is not set', async () => {
    const envFile = join(folder, 'both.env');
    await writeFile(
      envFile,
      '\uFEFF# ours\nREPORT_LOCALE=en\nLOG_LEVEL=debug\nHEALTH_PORT="0"\nPOSTGRES_PASSWORD=x\n',
    );
    const settings = read({ LOG_LEVEL: 'warn', REPORT_LOCALE: '' }, { envFile, platform: false });
    expect([settings.logLevel, settings.reportLocale, settings.healthPort]).toEqual(['warn', 'en', 0]);
    const origins = Object.fromEntries(settingsInForce(settings).map((row) => [row.name, row.from]));
    expect(origins).toMatchObject({
      LOG_LEVEL: 'environment',
      REPORT_LOCALE: 'file',
      NIGHTLY_CRON: 'default',
      PLATFORM_URL: 'not set',
    });
  });

  test('the mark of what was sent lies in the state folder, under a name of its own, and is shown there', () => {
    const markOf = (env: Environment) => {
      const settings = read(env, { platform: false });
      const row = settingsInForce(settings).find(({ name }) => name === 'SETTLE_MARK_FILE');
      expect(row?.value).toBe(settings.settleMarkFile);
      return row;
    };
    const state = join(folder, 'state');
    const usual = markOf({ XDG_STATE_HOME: state });
    const other = markOf({ XDG_STATE_HOME: state, RECON_HOME: folder });
    expect([usual?.from, other?.from]).toEqual(['default', 'default']);
    expect(usual?.value).toMatch(/\/state\/recon\/settle-mark-[0-9a-f]{16}$/);
    expect(other?.value).not.toBe(usual?.value);
    const stated = join(folder, 'mark');
    expect(markOf({ SETTLE_MARK_FILE: stated })).toMatchObject({ value: stated, from: 'environment' });
  });

  test('a command that does without the platform works without its credentials', () => {
    expect(read({ PLATFORM_URL: 'https://pay.example.cn' }, { platform: false }).platform).toBeUndefined();
    expect(read(WHOLE, { platform: false }).platform?.url).toBe('https://pay.example.cn');
  });

  test('the profile file is read by its own reader', async () => {
    const profile = join(folder, 'profile.json');
    await writeFile(profile, '{}');
    const settings = read({ ...WHOLE, PLATFORM_PROFILE: profile });
    expect(readProfileFile(settings)).toEqual({ text: '{}', source: profile });
    expect(readProfileFile(read(WHOLE))).toEqual({ text: undefined, source: 'the defaults' });
  });
});

describe('settings that are wrong', () => {
  test.each([
    [{ PLATFORM_URL: 'htp://x' }, 'PLATFORM_URL is not a URL: "htp://x"'],
    [{ PLATFORM_URL: 'pay.example.cn' }, 'PLATFORM_URL is not a URL: "pay.example.cn"'],
    [{ PLATFORM_URL: '' }, 'PLATFORM_URL is not set'],
    [
      { PLATFORM_URL: 'http://pay.example.cn' },
      'PLATFORM_URL must be https (http is for this machine only): "http://pay.example.cn"',
    ],
    [
      { PLATFORM_URL: 'http://localhost.example.cn' },
      'PLATFORM_URL must be https (http is for this machine only): "http://localhost.example.cn"',
    ],
    [
      { PLATFORM_URL: 'https://x.cn/api/open/virtualBank' },
      'PLATFORM_URL must end before /api/open/virtualBank: "https://x.cn/api/open/virtualBank"',
    ],
    [
      { PLATFORM_URL: 'https://x.cn/?a=1' },
      'PLATFORM_URL must have no query and no fragment: "https://x.cn/?a=1"',
    ],
    [{ PLATFORM_URL: 'https://x.cn ' }, 'PLATFORM_URL ends with a blank: "https://x.cn "'],
    [{ PLATFORM_API_KEY: '' }, 'neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set'],
    [{ PLATFORM_APP_ID: 'app_1' }, 'PLATFORM_API_KEY and PLATFORM_APP_ID are both set: keep one'],
    [{ PLATFORM_SECRET: '' }, 'PLATFORM_SECRET is not set'],
    [{ PLATFORM_SIGN_TYPE: 'md5' }, 'PLATFORM_SIGN_TYPE must be one of MD5, RSA2: "md5"'],
    [
      { PLATFORM_SIGN_TYPE: 'RSA2', PLATFORM_PRIVATE_KEY_FILE: '' },
      'PLATFORM_SIGN_TYPE RSA2 goes with PLATFORM_APP_ID only',
    ],
    [
      { PLATFORM_PRIVATE_KEY_FILE: '/nowhere/key.pem' },
      'PLATFORM_PRIVATE_KEY_FILE names no file that can be read: "/nowhere/key.pem" (there is no such file)',
    ],
    [
      { PLATFORM_CHANNEL_CODE: '../x' },
      'PLATFORM_CHANNEL_CODE must be up to 64 letters, digits, _ or -: "../x"',
    ],
    [{ PLATFORM_PROFILE: '/' }, 'PLATFORM_PROFILE names no file that can be read: "/" (it is not a file)'],
    [{ REPORT_LOCALE: 'de' }, 'REPORT_LOCALE must be one of zh-CN, en: "de"'],
    [
      { NIGHTLY_CRON: '0 25 * * *' },
      'NIGHTLY_CRON is not a cron expression such as "0 2 * * *": "0 25 * * *"',
    ],
    [{ SNAPSHOT_CRON: 'midnight' }, 'SNAPSHOT_CRON is not a cron expression such as "0 2 * * *": "midnight"'],
    [{ HEALTH_PORT: '65536' }, 'HEALTH_PORT must be a port from 0 to 65535: "65536"'],
    [{ HEALTH_PORT: '8080/tcp' }, 'HEALTH_PORT must be a port from 0 to 65535: "8080/tcp"'],
    [
      { PAGE_TOKEN: 'a-short-token' },
      'PAGE_TOKEN must have at least 16 characters (openssl rand -hex 24 makes one)',
    ],
    [
      { PAGE_TOKEN: '一二三四五六七八九十一二三四五六' },
      'PAGE_TOKEN must be letters, digits and signs of ASCII',
    ],
    [{ LOG_LEVEL: 'trace' }, 'LOG_LEVEL must be one of debug, info, warn, error: "trace"'],
    [{ RECON_HOME: '/dev/null' }, 'RECON_HOME is no folder: "/dev/null" (it is something else)'],
    [{ RECON_HOMES: 'x' }, 'RECON_HOMES is not a setting (did you mean RECON_HOME?)'],
    [{ PLATFORM_SECRT: 'x' }, 'PLATFORM_SECRT is not a setting (did you mean PLATFORM_SECRET?)'],
    [{ RECON_COLOUR: 'red' }, 'RECON_COLOUR is not a setting'],
  ])('I2: %o', (change, fault) => {
    expect(faultsOf({ ...WHOLE, ...change })).toEqual([fault]);
  });

  test('RSA2 needs both key files', () => {
    const env = { PLATFORM_URL: 'https://x.cn', PLATFORM_APP_ID: 'app_1', PLATFORM_SIGN_TYPE: 'RSA2' };
    expect(faultsOf(env)).toEqual([
      'PLATFORM_PRIVATE_KEY_FILE is not set; RSA2 needs it',
      'PLATFORM_PUBLIC_KEY_FILE is not set; RSA2 needs it',
    ]);
  });

  test('are named all at once', () => {
    const env = { PLATFORM_URL: 'htp://x', LOG_LEVEL: 'loud', NIGHTLY_CRON: 'x y', PLATFORM_SECRTE: 'a' };
    expect(() => read(env)).toThrow(
      [
        'wrong settings:',
        '- PLATFORM_SECRTE is not a setting (did you mean PLATFORM_SECRET?)',
        '- PLATFORM_URL is not a URL: "htp://x"',
        '- neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set',
        '- PLATFORM_SECRET is not set',
        '- NIGHTLY_CRON is not a cron expression such as "0 2 * * *": "x y"',
        '- LOG_LEVEL must be one of debug, info, warn, error: "loud"',
      ].join('\n'),
    );
  });

  test('wrong values are faults even where the platform is not needed', () => {
    expect(faultsOf({ PLATFORM_URL: 'htp://x' }, { platform: false })).toEqual([
      'PLATFORM_URL is not a URL: "htp://x"',
    ]);
  });
});

describe('the file of --env-file', () => {
  test('that is not there is a fault beside the others', () => {
    const envFile = join(folder, 'none.env');
    expect(faultsOf({ LOG_LEVEL: 'loud' }, { envFile, platform: false })).toEqual([
      `the file of --env-file cannot be read: ${JSON.stringify(envFile)} (there is no such file)`,
      'LOG_LEVEL must be one of debug, info, warn, error: "loud"',
    ]);
  });

  test('with a line that says nothing is a fault; texts over several lines are not', async () => {
    const envFile = join(folder, 'lines.env');
    await writeFile(
      envFile,
      `# ok\n\nexport LOG_LEVEL=warn\nPLATFORM_SECRET sk_test_001\nNOTE="two\nlines"\nHEALTH_PORT: 80\n`,
    );
    expect(faultsOf({}, { envFile, platform: false })).toEqual([
      `line 4 of ${envFile} is not NAME=value`,
      `line 7 of ${envFile} is not NAME=value`,
    ]);
  });
});

test('the environment of the process is copied', () => {
  const copy = hostEnvironment();
  expect(copy['PATH']).toBe(process.env['PATH']);
  expect(copy).not.toBe(process.env);
});
