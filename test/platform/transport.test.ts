/** The transport against real sockets: what was not sent, what is unknown, and what is refused unread. */
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';

import { NotSent, OutcomeUnknown } from '../../src/core/errors.ts';
import { CODES_NOT_SENT } from '../../src/platform/transport.ts';
import { listen, listenRaw } from './platform-server.ts';
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from './self-signed.ts';
import { bytesServer, failureOf, HEAD, post, transportTo } from './transport-calls.ts';

describe('N1: no byte can have left', () => {
  test('a closed port', async () => {
    const server = await listen(() => undefined);
    await server[Symbol.asyncDispose]();
    const failure = await failureOf(server.url);
    expect(failure).toBeInstanceOf(NotSent);
    expect(failure).toMatchObject({ facts: { code: 'ECONNREFUSED', path: '/x' } });
  });

  test('a host that does not exist', async () => {
    expect(await failureOf('http://no-such-host.invalid')).toBeInstanceOf(NotSent);
  });

  test('a server that accepts and never shakes hands', async () => {
    await using server = await listenRaw(() => undefined);
    const failure = await failureOf(server.url.replace('http:', 'https:'), { connectMs: 300 });
    expect(failure).toBeInstanceOf(NotSent);
    expect(failure).toMatchObject({ facts: { code: 'UND_ERR_CONNECT_TIMEOUT' } });
  });

  test('a connection that is reset while TLS is agreed', async () => {
    await using server = await listenRaw((socket) => socket.on('data', () => socket.resetAndDestroy()));
    const failure = await failureOf(server.url.replace('http:', 'https:'));
    expect(failure).toBeInstanceOf(NotSent);
    expect(failure).toMatchObject({ facts: { code: 'ECONNRESET' } });
  });

  test('a server that speaks no TLS, and one whose certificate nobody signed', async () => {
    await using plain = await listen(() => undefined);
    expect(await failureOf(plain.url.replace('http:', 'https:'))).toBeInstanceOf(NotSent);

    let requests = 0;
    const server = https.createServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, () => {
      requests += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // The variable with which Node takes any certificate where nothing else is stated.
    for (const said of ['1', '0']) {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', said);
      const failure = await failureOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(failure).toBeInstanceOf(NotSent);
      expect(failure).toMatchObject({ facts: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    }
    vi.unstubAllEnvs();
    server.close();
    expect(requests).toBe(0);
  });

  test('a transport that is closed', async () => {
    const http = transportTo('http://127.0.0.1:9');
    await http.close();
    await expect(post(http, 'http://127.0.0.1:9')).rejects.toBeInstanceOf(NotSent);
  });

  test('codes that also befall a connection in use are not in the table', () => {
    for (const code of ['ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'EPROTO', 'UND_ERR_SOCKET']) {
      expect(CODES_NOT_SENT).not.toContain(code);
    }
    expect(CODES_NOT_SENT).toContain('UND_ERR_CONNECT_TIMEOUT');
  });
});

describe('N3, N4: time is bounded', () => {
  test('N3: a byte now and then does not keep a call alive', async () => {
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const failure = await failureOf(server.url, { deadlineMs: 300 });
    expect(failure.name).toBe('OutcomeUnknown');
    expect(failure.message).toContain('no whole answer within 300 ms');
  });

  test('N4: a body that stalls, and headers that never come', async () => {
    await using stalls = await listen((_request, response) => void response.writeHead(200).write('{'));
    expect(await failureOf(stalls.url, { bodyMs: 200 })).toMatchObject({
      name: 'OutcomeUnknown',
      facts: { code: 'UND_ERR_BODY_TIMEOUT' },
    });
    await using silent = await listen(() => undefined);
    expect(await failureOf(silent.url, { headersMs: 200 })).toMatchObject({
      name: 'NoAnswer',
      facts: { code: 'UND_ERR_HEADERS_TIMEOUT' },
    });
  });
});

describe('N6, N13: what comes back is handed on as it is', () => {
  test.each([
    ['7', 7_000],
    ['0', 0],
    ['100000', 60_000],
    ['Sun, 01 Mar 2026 16:00:09 GMT', 9_000],
    ['Sun, 01 Mar 2026 15:00:00 GMT', undefined],
    ['soon', undefined],
    ['-1', undefined],
  ])('N6: Retry-After "%s" is %s ms', async (retryAfter, expected) => {
    await using server = await listen((_request, response) => {
      const date = 'Sun, 01 Mar 2026 16:00:00 GMT';
      response.writeHead(503, { 'retry-after': retryAfter, date, 'content-type': 'text/html' });
      response.end('<html></html>');
    });
    await using http = transportTo(server.url);
    expect(await post(http, server.url)).toEqual({
      status: 503,
      contentType: 'text/html',
      retryAfterMs: expected,
      text: '<html></html>',
    });
  });

  test('N13: a redirect is an answer, and the signed body goes nowhere else', async () => {
    let elsewhere = 0;
    await using other = await listen((_request, response) => {
      elsewhere += 1;
      response.end('{}');
    });
    await using server = await listen((_request, response) => {
      response.writeHead(307, { location: `${other.url}/x`, 'content-length': '0' }).end();
    });
    await using http = transportTo(server.url);
    expect(await post(http, server.url)).toMatchObject({ status: 307, text: '' });
    expect(elsewhere).toBe(0);
    await expect(post(http, other.url)).rejects.toThrow('Bug');
  });

  test('ENV-01, ENV-02: a POST of JSON that asks for no encoding', async () => {
    const seen: unknown[] = [];
    await using server = await listen((request, response) => {
      const { 'content-type': type, 'accept-encoding': encoding } = request.headers;
      seen.push([request.method, request.url, type, encoding]);
      response.end('{}');
    });
    await using http = transportTo(`${server.url}/base/`);
    await post(http, server.url);
    expect(seen).toEqual([['POST', '/x', 'application/json; charset=utf-8', 'identity']]);
  });
});

describe('N14: bytes are bounded before they are decoded', () => {
  test('an encoded body is refused unread', async () => {
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end(Buffer.alloc(100));
    });
    const failure = await failureOf(server.url);
    expect(failure).toBeInstanceOf(OutcomeUnknown);
    expect(failure.message).toContain('gzip');
  });

  test('a body that states more than the limit is refused unread', async () => {
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': String(8_388_609) }).write('{');
    });
    expect((await failureOf(server.url)).message).toContain('larger than 8388608 bytes');
  });

  test('a stream of 300 MB is left at the limit, and memory stays flat', async () => {
    const block = Buffer.alloc(65_536, 0x20);
    let sentBytes = 0;
    await using server = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (sentBytes < 300_000_000 && !response.destroyed) {
          sentBytes += block.length;
          if (!response.write(block)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const before = process.memoryUsage().rss;
    const failure = await failureOf(server.url);
    expect(failure.message).toContain('larger than 8388608 bytes');
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
    expect(sentBytes).toBeLessThan(100_000_000);
  });

  test('headers without end, and text that is not UTF-8', async () => {
    await using headers = await bytesServer((socket) =>
      socket.end(`${HEAD}x: ${'x'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\n{}`),
    );
    expect(await failureOf(headers.url)).toBeInstanceOf(OutcomeUnknown);
    await using latin = await listen((_request, response) => response.end(Buffer.from([0x7b, 0xe9, 0x7d])));
    expect((await failureOf(latin.url)).message).toContain('not UTF-8');
  });
});
