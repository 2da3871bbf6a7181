/** The answer to an earlier retry is given again to a later one, rightly signed (N15, docs/reliability.md 2.3 a). */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { openPlatform } from '../../../jobs/context/platform.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { zone } from '../../helpers/night.ts';
import { SETTLE_PATH, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
let between: Server;
let client: SettlePorts['client'];
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
  const { settings, profile, clock, log, signal } = world.orders.job;
  if (settings.platform === undefined) throw new Error('no platform is set');
  between = await givingAgain(SETTLE_PATH, settings.platform.url);
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  const through = { ...settings, platform: { ...settings.platform, url } };
  const parts = { settings: through, profile, clock, log, credentials: undefined };
  ({ client } = await openPlatform(parts, { everSigned: true, signal }));
});
afterEach(async () => {
  between.closeAllConnections();
  await new Promise((resolve) => between.close(resolve));
  await world.close();
});

/** Something on the way that delivers each request, and gives its first answer of a path to all that follow. */
async function givingAgain(path: string, target: string): Promise<Server> {
  let first: string | undefined;
  const server = createServer((request, response) => {
    const carry = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const to = `${target}${request.url ?? ''}`;
      const answer = await fetch(to, { method: 'POST', headers, body: await text(request) });
      let said = await answer.text();
      if (request.url?.endsWith(path) === true) said = first ??= said;
      response.writeHead(answer.status, headers).end(said);
    };
    void carry().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const step = (runId: string, approve?: { digest: string; by: string }) =>
  world.step({ runId, ...(approve && { approve }) }, { client });

/** What queries show of it from now on, one after the other; the last one stays. */
function shows(...states: readonly string[]): void {
  world.sandbox.liftFaults();
  states.forEach((settleState, skip) => {
    const times = skip === states.length - 1 ? 100 : 1;
    const set = { settleState };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', skip, times, set });
  });
}

test('that it was paid is no word of the retry under way, which would free its order an hour later', async () => {
  const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
  const back = { state: 'SUCCESS' as const, delayMs: 0, returnAfterMs: 50 * MINUTE_MS };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries: [back, slow, slow] } });
  // Paid at two and sent back at 02:50, of which no query tells.
  shows('FAIL');
  const seen = settledLines(await step('run-1'));
  world.moveTo('02 03:03:00');
  await step('run-2');
  world.moveTo('02 03:04:00');
  const shown = await step('run-3');
  const approve = { digest: shown.settlements[0]?.awaiting?.digest ?? '', by: 'Li' };
  seen.push(...settledLines(await step('run-4', approve)));
  // The view right after the send is of half past two.
  shows('FAIL', 'SUCCESS', 'FAIL');
  world.moveTo('02 03:20:00');
  seen.push(...settledLines(await step('run-5')));
  let last = shown;
  for (const time of ['02 05:00:00', '02 05:01:00', '02 07:00:00']) {
    world.moveTo(time);
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: `night of ${time}` });
    last = await step(time);
    seen.push(...settledLines(last));
  }
  expect(seen).toEqual([
    'B1-1 1 PROCESSING',
    'B1-1 1 FAIL',
    'B1-1 2 PROCESSING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
  ]);
  // Whoever has to say that it was not paid reads that it may have been.
  expect(settleText(last, zone)).toMatch(
    /signed answer to it on .* counts as PROCESSING: the answer states SUCCESS, but no signed time/,
  );
  world.moveTo('05 04:01:00');
  // The first came back.
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
});
