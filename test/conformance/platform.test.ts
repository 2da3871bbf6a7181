/** The suite against a platform elsewhere: only where a flawless request is answered does a refusal prove anything. */
import path from 'node:path';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';

const sandbox = createSandbox({ clock: systemClock() });
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  sandbox.seedAccounts([{ accountNo: 'A-77', balanceFen: 1_000 }]);
  served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
});
afterAll(() => served.close());

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

function suite(args: readonly string[], over: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  const env = {
    PATH,
    PLATFORM_URL: served.url,
    PLATFORM_API_KEY: credential?.id ?? '',
    PLATFORM_SECRET: credential?.secret ?? '',
    PLATFORM_CHANNEL_CODE: sandbox.channelCode,
    ...over,
  };
  const main = path.join(import.meta.dirname, 'main.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('ENV-01…10: with an account that the platform shows, what is refused is refused for its fault', async () => {
  const before = sandbox.requests().length;
  const { status, stdout, stderr } = await suite(['--only', 'ENV-0', '--account', 'A-77', '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { played } = JSON.parse(stdout) as { played: { id: string; sandbox?: unknown }[] };
  expect(played.filter((rule) => rule.sandbox === 'pass').map(({ id }) => id)).toContain('ENV-02');
  const bodies = sandbox.requests().slice(before);
  expect(bodies.filter(({ body }) => body.includes('100001'))).toEqual([]);
});

test('without an account, or with one that is refused, it stops with status 2 and says why', async () => {
  const none = await suite(['--only', 'SIG']);
  expect(none).toMatchObject({ status: 2, stdout: '' });
  expect(none.stderr).toContain('give --account NO (or CONFORMANCE_ACCOUNT)');
  const unknown = await suite(['--only', 'SIG'], { CONFORMANCE_ACCOUNT: '100001' });
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain(
    'the platform refuses a request without a fault (acct/queryInfo of 100001: 300001 ',
  );
});
