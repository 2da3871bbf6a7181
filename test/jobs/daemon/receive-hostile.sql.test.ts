/** What anybody can send to an open port: too much, too slow, garbage, floods; and a database that is away (I10, S19). */
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPushes } from '../../../jobs/daemon/receive.ts';
import { openStatusServer } from '../../../jobs/daemon/status-server.ts';
import { testDatabase } from '../../helpers/database.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { Receiver, pushLines, pushesAre, sealed } from './receive-desk.ts';
import { fc, runs } from '../../helpers/properties.ts';

let night: OrderNight;
let receiver: Receiver | undefined;

beforeEach(async () => {
  night = await OrderNight.open();
});
afterEach(async () => {
  await receiver?.stop();
  receiver = undefined;
  await night.close();
});

const REFUSED = '{"error":"refused"}';
const NOT_NOW = { status: 503, body: '{"error":"not now"}' };
const LATER = 3_600_000;
const aPush = (no: number, padding = 0): string =>
  JSON.stringify({ reqNo: `R${no}`, state: 3, padding: 'x'.repeat(padding) });

test('a body over 64 kB is refused, one below is kept', async () => {
  receiver = await Receiver.open(night.job);
  expect(await receiver.post(aPush(1, 65_536))).toEqual({ status: 413, body: REFUSED });
  expect((await receiver.post(aPush(2, 65_000))).status).toBe(200);
  await pushesAre(night, ['change  R2  3 false 1 kept']);
  expect(await receiver.metrics('recon_pushes_total{kind="unknown"')).toEqual([
    'recon_pushes_total{kind="unknown",outcome="malformed"} 1',
  ]);
});

test.each(['application/json', 'text/xml', 'application/octet-stream', ''])(
  'garbage of the type %j is kept for a person to look at, and asks for nothing',
  async (contentType) => {
    receiver = await Receiver.open(night.job);
    const answer = await receiver.post(Uint8Array.of(0, 255, 123, 0), contentType);
    expect(answer).toEqual({ status: 200, body: 'success' });
    await pushesAre(night, ['unknown     false 1 kept']);
  },
);

test('an empty body is refused, and there is nothing to get', async () => {
  receiver = await Receiver.open(night.job);
  expect(await receiver.post('')).toEqual({ status: 400, body: REFUSED });
  expect((await fetch(`${receiver.url}/push`)).status).toBe(404);
  expect((await fetch(`${receiver.url}/push`, { method: 'PUT', body: '{}' })).status).toBe(404);
  expect(await pushLines(night)).toEqual([]);
});

test('a body that never ends is cut off, and nothing of it is kept', async () => {
  const server = await openStatusServer(
    { listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log: night.job.log, requestMsMax: 50 },
    [openPushes(night.job).routes],
  );
  try {
    const said = await new Promise<string>((resolve) => {
      const socket = net.connect(server.port, '127.0.0.1');
      let heard = '';
      socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
      socket.on('error', () => socket.destroy()).on('close', () => resolve(heard));
      socket.write('POST /push HTTP/1.1\r\nhost: x\r\ncontent-length: 40\r\n\r\n{"outBatchNo":');
    });
    expect(said).not.toContain('200');
    expect(await pushLines(night)).toEqual([]);
  } finally {
    await server.close();
  }
});

test('U39: with the database away the platform is told to try again', async () => {
  const own = await testDatabase();
  receiver = await Receiver.open({ ...night.job, db: own.db, database: own }, { debounceMs: LATER });
  expect((await receiver.post(aPush(1))).status).toBe(200);
  await own.close();
  expect(await receiver.post(aPush(2))).toEqual(NOT_NOW);
  expect(night.job.log.lines.some(({ event }) => event === 'push.unstored')).toBe(true);
});

describe('a flood of distinct bodies', () => {
  const wide = { perMinute: 1_000, waiting: 1_000, bytes: 1_000_000n };

  test('is let in so many times a minute; what the platform signed still comes in', async () => {
    const limits = { unsigned: { ...wide, perMinute: 2 }, signed: wide };
    receiver = await Receiver.open(night.job, {}, limits);
    const statuses: number[] = [];
    for (let no = 1; no <= 4; no++) statuses.push((await receiver.post(aPush(no))).status);
    expect(statuses).toEqual([200, 200, 503, 503]);
    expect((await receiver.post(sealed(night, { reqNo: 'R5', state: 3 }))).status).toBe(200);
    expect(await receiver.metrics('recon_pushes_total')).toEqual([
      'recon_pushes_total{kind="change",outcome="taken"} 3',
      'recon_pushes_total{kind="change",outcome="too_many"} 2',
    ]);
    const lines = night.job.log.lines.filter(({ event }) => event === 'push.too_many');
    expect(lines, 'one line for many').toMatchObject([{ level: 'warn', count: 1 }]);
  });

  test('is let in until so many wait, also after a restart, and again when they are worked off', async () => {
    const limits = { unsigned: { ...wide, waiting: 2 }, signed: wide };
    receiver = await Receiver.open(night.job, { debounceMs: LATER, sweepMs: LATER }, limits);
    const statuses: number[] = [];
    for (let no = 1; no <= 3; no++) statuses.push((await receiver.post(aPush(no))).status);
    expect(statuses).toEqual([200, 200, 503]);
    expect(night.job.log.lines.some(({ event }) => event === 'push.full')).toBe(true);
    await receiver.stop();
    receiver = await Receiver.open(night.job, {}, limits);
    await pushesAre(night, ['change  R1  3 false 1 kept', 'change  R2  3 false 1 kept']);
    while ((await receiver.post(aPush(3))).status !== 200) await night.job.realClock.sleep(5);
  });

  test('is let in until so many bytes are kept', async () => {
    const limits = { unsigned: { ...wide, bytes: 1_500n }, signed: wide };
    receiver = await Receiver.open(night.job, { debounceMs: LATER, sweepMs: LATER }, limits);
    const statuses: number[] = [];
    for (let no = 1; no <= 3; no++) statuses.push((await receiver.post(aPush(no, 1_000))).status);
    expect(statuses).toEqual([200, 200, 503]);
  });

  test('signed bytes that are kept shut nobody out who did not sign', async () => {
    const limits = { unsigned: { ...wide, bytes: 1_500n }, signed: wide };
    receiver = await Receiver.open(night.job, { debounceMs: LATER, sweepMs: LATER }, limits);
    for (let no = 1; no <= 3; no++) await receiver.post(sealed(night, { reqNo: `S${no}`, state: 3 }));
    expect((await receiver.post(aPush(1))).status).toBe(200);
  });
});

test('I10: so many requests a second are read, whatever they are', async () => {
  receiver = await Receiver.open(night.job, {}, { perSecond: 3 });
  const forged = sealed(night, { reqNo: 'R1', state: 3 }).replace('R1', 'R2');
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await receiver?.post(forged))?.status),
  );
  expect(statuses).toContain(503);
  expect(statuses).toContain(400);
});

test('I10: more connections than the server holds are closed unheard', async () => {
  const server = await openStatusServer(
    { listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log: night.job.log, connectionsMax: 2 },
    [openPushes(night.job).routes],
  );
  const sockets: net.Socket[] = [];
  try {
    const dropped = await new Promise<number>((resolve) => {
      for (let no = 0; no < 3; no++) {
        sockets.push(
          net
            .connect(server.port, '127.0.0.1')
            .on('error', () => undefined)
            .on('close', () => resolve(sockets.filter(({ destroyed }) => destroyed).length)),
        );
      }
    });
    expect(dropped).toBe(1);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.close();
  }
});

test('EVT-08: a signed push that somebody repeats at will uses up its own allowance, not that of new ones', async () => {
  const signed = { perMinute: 3, waiting: 1_000, bytes: 1_000_000n };
  receiver = await Receiver.open(night.job, {}, { repeatedPerMinute: 2, signed });
  const statuses: number[] = [];
  for (let times = 0; times < 5; times++) {
    statuses.push((await receiver.post(sealed(night, { reqNo: 'R1', state: 3 }))).status);
  }
  expect(statuses).toEqual([200, 200, 200, 503, 503]);
  for (const reqNo of ['R2', 'R3', 'R4']) {
    statuses.push((await receiver.post(sealed(night, { reqNo, state: 3 }))).status);
  }
  expect(statuses.slice(5)).toEqual([200, 200, 503]);
});

test('property: no bytes of any type are answered with a fault of ours', async () => {
  const desk = await Receiver.open(night.job, { debounceMs: LATER }, { perSecond: 1_000_000 });
  receiver = desk;
  const types = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'x',
    '/',
    '',
  );
  const member = fc.constantFrom('bizData', 'sign', 'outBatchNo', 'batchNo', 'reqNo', 'state', 'accountNo');
  const members = fc.dictionary(member, fc.jsonValue()).map((value) => Buffer.from(JSON.stringify(value)));
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    members,
    fc.string().map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(bodies, types, async (body, contentType) => {
      const { status } = await desk.post(body, contentType);
      expect([200, 400, 415]).toContain(status);
    }),
    { numRuns: runs(150) },
  );
});
