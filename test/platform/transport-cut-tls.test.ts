/** Answers over TLS that are cut within an encrypted record: something came back (N2, docs/reliability.md 2.3 a). */
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from './self-signed.ts';
import { failureOf, HEAD, post, transportTo } from './transport-calls.ts';

const trusted = tls.getCACertificates();
beforeAll(() => tls.setDefaultCACertificates([SELF_SIGNED_CERTIFICATE]));
afterAll(() => tls.setDefaultCACertificates(trusted));

const BODY = `{"code":"000000","bizData":"${'x'.repeat(2_000)}"}`;

async function listening(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers each request over TLS; of each answer but the first `whole` passes that share, and the connection is reset. */
async function cuttingServer(share: number, whole = 0) {
  let answers = 0;
  let cutBytes: number | undefined;
  const server = tls.createServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      if (!data.toString('latin1').includes('\r\n\r\n')) return;
      answers += 1;
      socket.write(`${HEAD}content-length: ${BODY.length}\r\n\r\n${BODY}`);
    });
  });
  const to = await listening(server);
  const open = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const up = net.connect(to, '127.0.0.1');
    open.add(client).add(up);
    client.on('error', () => up.destroy());
    up.on('error', () => client.destroy());
    client.pipe(up);
    up.on('data', (data) => {
      if (answers <= whole) return void client.write(data);
      if (cutBytes !== undefined) return;
      const part = data.subarray(0, Math.floor(data.length * share));
      cutBytes = part.length;
      if (part.length > 0) client.write(part);
      setTimeout(() => client.resetAndDestroy(), 50);
    });
  });
  const port = await listening(proxy);
  return {
    url: `https://localhost:${port}`,
    cutBytes: () => cutBytes,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('half of the record with an answer came back', async () => {
  await using server = await cuttingServer(0.5);
  expect(await failureOf(server.url)).toMatchObject({ name: 'OutcomeUnknown' });
  expect(server.cutBytes()).toBeGreaterThan(1_000);
});

test('a connection that was used before is counted from its later request on', async () => {
  for (const [share, name] of [
    [0, 'NoAnswer'],
    [0.5, 'OutcomeUnknown'],
  ] as const) {
    await using server = await cuttingServer(share, 1);
    await using http = transportTo(server.url);
    expect(await post(http, server.url)).toMatchObject({ status: 200, text: BODY });
    // The connection is free once that answer is dealt with.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const failure = await post(http, server.url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name });
  }
});
