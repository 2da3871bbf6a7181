/** Two listeners: silence, floods and drops at the one for pushes shut out neither pushes nor who asks for health. */
import net from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListeners } from '../../../jobs/daemon/listeners.ts';
import type { Listeners } from '../../../jobs/daemon/listeners.ts';
import type { Routes } from '../../../jobs/daemon/status-server.ts';
import { WrongInput } from '../../../src/core/errors.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';

let night: Night;
let job: Process;
let listeners: Listeners | undefined;
const sockets: net.Socket[] = [];

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-06 03:00:00' });
  job = await night.process();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listeners?.close();
  listeners = undefined;
  await job.close();
  await night.close();
});

const health: Routes = (server) => server.get('/healthz', async () => ({ ok: true }));
const pushes: Routes = (server) => server.post('/push', async () => 'success');

type Ports = Partial<Pick<Process['settings'], 'healthPort' | 'healthHost' | 'pushHost'>>;

async function opened(settings: Ports = {}, pushPort: number | undefined = 0): Promise<[number, number]> {
  const context = { ...job, settings: { ...job.settings, healthPort: 0, ...settings } };
  listeners = await openListeners(context, { health: [health], pushes, pushPort });
  return [portOf('status.listening'), portOf('push.listening')];
}

function portOf(event: string): number {
  return Number(job.log.lines.find((line) => line.event === event)?.['port']);
}

function connected(port: number, send = ''): Promise<net.Socket> {
  const { promise, resolve } = Promise.withResolvers<net.Socket>();
  const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
  socket.on('error', () => socket.destroy());
  socket.write(send);
  sockets.push(socket);
  return promise;
}

const push = async (port: number): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}/push`, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(2_000),
  });
  return answer.status;
};

const KEPT_ALIVE =
  'POST /push HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}';

test.each([
  ['that were answered and stay open', KEPT_ALIVE],
  ['that say nothing', ''],
  ['that stop in the middle of a head', 'POST /push HTTP/1.1\r\nhost: x\r\n'],
  ['that stop in the middle of a body', KEPT_ALIVE.slice(0, -1)],
])('300 connections %s shut out neither a push nor health', async (_name, send) => {
  const [healthPort, pushPort] = await opened();
  for (let no = 0; no < 300; no++) await connected(pushPort, send);
  const started = performance.now();
  const pushed = await Promise.all([push(pushPort), push(pushPort), push(pushPort)]);
  expect(pushed).toEqual([200, 200, 200]);
  expect((await fetch(`http://127.0.0.1:${healthPort}/healthz`)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('a connection that was answered and says no more is closed within three seconds', async () => {
  const [, pushPort] = await opened();
  const socket = await connected(pushPort, KEPT_ALIVE);
  const started = performance.now();
  await new Promise((resolve) => socket.resume().on('close', resolve));
  expect(performance.now() - started).toBeLessThan(4_000);
});

test('each listener has its own paths; a push at the one of health is told where pushes go', async () => {
  const [healthPort, pushPort] = await opened();
  const misled = await fetch(`http://127.0.0.1:${healthPort}/push`, { method: 'POST', body: '{}' });
  expect(misled.status).toBe(404);
  expect(await misled.json()).toEqual({
    error: 'pushes are taken at PUSH_PORT, a port of their own; HEALTH_PORT shows health and metrics',
  });
  expect((await fetch(`http://127.0.0.1:${pushPort}/healthz`)).status).toBe(404);
});

test('health is shown to this machine only unless HEALTH_HOST says otherwise', async () => {
  const [healthPort] = await opened();
  expect(job.log.lines).toContainEqual(
    expect.objectContaining({ event: 'status.listening', host: '127.0.0.1', port: healthPort }),
  );
  // Another address of this machine, as others would ask.
  await expect(fetch(`http://127.0.0.2:${healthPort}/healthz`)).rejects.toThrow('fetch failed');
});

test('one port for both is refused, whichever setting or option it comes from', async () => {
  const both = opened({ healthPort: 45_871 }, 45_871);
  await expect(both).rejects.toThrow('health and pushes need a port each, and both are given 45871');
  await expect(both).rejects.toBeInstanceOf(WrongInput);
});

test('without PUSH_PORT no push is received, and the log says so', async () => {
  const context = { ...job, settings: { ...job.settings, healthPort: 0 } };
  listeners = await openListeners(context, { health: [health], pushes, pushPort: undefined });
  expect(job.log.lines.map(({ event }) => event)).toContain('push.not_received');
});
