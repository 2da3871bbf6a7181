/** Whoever is told, the one who runs the night has its verdict before: a receiver that is slow keeps it from nobody. */
import { expect, test } from 'vitest';
import { startCli } from '../../helpers/cli.ts';
import { commandBooks } from '../command-books.ts';
import { openReceiver } from './receivers.ts';

const { recon, file, environment } = commandBooks();

test('recon nightly has printed its result when the first receiver is asked', async () => {
  const list = await file('accounts.csv', 'account_no,opening_fen,opening_at\n100001,0,2026-03-01\n');
  expect((await recon('accounts', 'import', list)).status).toBe(0);
  let printed = '';
  const printedThen: string[] = [];
  const receiver = await openReceiver((_got, response) => {
    printedThen.push(printed);
    response.writeHead(204).end();
  });
  const env = {
    ...environment(),
    // Nobody is there: the night is incomplete.
    PLATFORM_URL: 'http://127.0.0.1:9',
    PLATFORM_API_KEY: 'key-of-nobody',
    PLATFORM_SECRET: 'secret-of-nobody',
    PLATFORM_PROFILE: await file('profile.json', '{"http":{"maxAttempts":1}}'),
    REPORT_LOCALE: 'en',
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: 'shared-secret',
  };
  const child = startCli(['nightly'], { env });
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect(status).toBe(1);
  expect(printedThen.map((text) => text.split('\n')[0])).toEqual([
    'INCOMPLETE: something was not read, or the books have not come: see "why", then run it again',
  ]);
  await receiver.close();
});
