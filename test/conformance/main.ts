/**
 * `npm run conformance`: plays the rules of every number of the interface against client and sandbox, or what
 * does no harm against the platform that PLATFORM_URL names, and prints the table. Exit status 1 on a failure.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { readProfile } from '../../src/core/profile/profile.ts';
import { ALL_RULES } from './all-rules.ts';
import { Caller } from './caller.ts';
import { numbersWithoutTest, playAll } from './play.ts';
import { countsOf, tableText } from './table.ts';
import { inProcess, overHttp, wireTo } from './wire.ts';
import type { Wire } from './wire.ts';

const USAGE = `npm run conformance -- [--http] [--only NUMBERS] [--account NO] [--json]

  plays every numbered requirement of the interface against the client and the sandbox, in process and over HTTP
  --http          over HTTP alone
  --only NUMBERS  only numbers that begin so, such as OPN or DIV-1
  --account NO    with PLATFORM_URL: an account of yours, or CONFORMANCE_ACCOUNT; what is refused of it is refused
                  for its fault, because without one it is answered
  --json          one JSON document instead of the table

With PLATFORM_URL set, what does no harm (refused requests and queries) is asked of that platform instead; it needs
PLATFORM_API_KEY or PLATFORM_APP_ID, PLATFORM_SECRET (MD5) and an account. PLATFORM_PROFILE says how the secret is named.

Example: npm run conformance -- --only SIG
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      account: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return await print(USAGE);
  const platform = platformOf(process.env, values.account);
  if (platform) {
    await requireSignature(platform);
    await requireFlawless(platform);
  }
  await using http = await overHttp();
  const targets = values.http ? [http] : [inProcess(), http];
  const players = platform ? { targets: [], withClient: false, platform } : { targets, withClient: true };
  const played = await playAll(ALL_RULES, players, values.only);
  if (played.length === 0) throw new Error(`no number begins with "${values.only}"`);
  const withoutTest = numbersWithoutTest(ALL_RULES).filter((id) => id.startsWith(values.only));
  const counts = countsOf(played, withoutTest);
  await print(
    values.json
      ? JSON.stringify({ schema: 1, played, counts, withoutTest }, null, 2)
      : tableText(played, withoutTest, platform ? 'platform' : 'sandbox'),
  );
  return counts.failed + counts.withoutTest > 0 ? 1 : 0;
}

/** All that is asked of a platform is refused: a secret it does not know would pass for conformance. */
async function requireSignature(platform: Caller): Promise<void> {
  const ask = platform.members(platform.ask);
  const wrong = await platform.send('acct/queryInfo', { ...ask, sign: '0'.repeat(32) });
  const right = await platform.post('acct/queryInfo', platform.ask);
  const [saidOfWrong, saidOfRight] = [wrong, right].map(({ envelope }) => [
    envelope['code'],
    envelope['msg'],
  ]);
  if (JSON.stringify(saidOfWrong) !== JSON.stringify(saidOfRight)) return;
  throw new Error(
    `the platform says the same of our signature and of a wrong one (${String(right.envelope['msg'])}): ` +
      'check PLATFORM_API_KEY or PLATFORM_APP_ID, PLATFORM_SECRET, and signing.secretName of the profile',
  );
}

/** Where a request without a fault is refused, the refusal of one with a fault proves nothing. */
async function requireFlawless(platform: Caller): Promise<void> {
  const days = { startDate: '2026-03-01', endDate: '2026-03-02', page: 1, pageSize: 100 };
  for (const [endpoint, biz] of [
    ['acct/queryInfo', platform.ask],
    ['query/deposit', { ...days, payeeAcctNo: platform.accountNo }],
  ] as const) {
    const { envelope, status } = await platform.post(endpoint, biz);
    const { code, msg } = envelope;
    if (code === '000000') continue;
    const isEnvelope = typeof code === 'string' && typeof msg === 'string';
    const said = isEnvelope ? `${code} ${msg}` : `HTTP ${status}, no envelope`;
    throw new Error(
      `the platform refuses a request without a fault (${endpoint} of ${platform.accountNo}: ${said}), so that no ` +
        'refusal would prove anything: give --account NO of an account that it shows to this credential',
    );
  }
}

/** No platform says how many requests a second it takes. */
const PAUSE_MS = 120;

function paced(wire: Wire): Wire {
  return async (request) => {
    await setTimeout(PAUSE_MS);
    return await wire(request);
  };
}

/** Undefined where no platform is named. */
function platformOf(env: NodeJS.ProcessEnv, account: string | undefined): Caller | undefined {
  const url = env['PLATFORM_URL'] ?? '';
  if (url === '') return undefined;
  const [apiKey = '', appId = '', secret = ''] = ['API_KEY', 'APP_ID', 'SECRET'].map(
    (name) => env[`PLATFORM_${name}`],
  );
  if ((apiKey === '') === (appId === '') || secret === '') {
    throw new Error('set one of PLATFORM_API_KEY and PLATFORM_APP_ID, and PLATFORM_SECRET');
  }
  const accountNo = account ?? env['CONFORMANCE_ACCOUNT'] ?? '';
  if (accountNo === '') {
    throw new Error('give --account NO (or CONFORMANCE_ACCOUNT): an account that the platform shows');
  }
  const file = env['PLATFORM_PROFILE'] ?? '';
  const { signing } = readProfile(file === '' ? undefined : readFileSync(file, 'utf8'), file);
  return new Caller({
    wire: paced(wireTo(url)),
    credential:
      apiKey === ''
        ? { field: 'appId', id: appId, secret, secretName: signing.secretName.app }
        : { field: 'apiKey', id: apiKey, secret, secretName: signing.secretName.apiKey },
    channelCode: env['PLATFORM_CHANNEL_CODE'] ?? '',
    nowMs: Date.now,
    accountNo,
    newReqId: () => randomBytes(16).toString('hex'),
  });
}

/** Resolves when all of it has been written. */
async function print(text: string): Promise<number> {
  await new Promise<void>((resolve) => process.stdout.write(`${text.trimEnd()}\n`, () => resolve()));
  return 0;
}

async function statusOf(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
}

// An embedded database that is closed may leave a timer behind, which would keep the process for minutes.
process.exit(await statusOf());
