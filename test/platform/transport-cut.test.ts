/** Answers that are cut: whether anything came back, and whether it is whole (N2, docs/reliability.md 2.3 a). */
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';

import { NoAnswer, OutcomeUnknown } from '../../src/core/errors.ts';
import { listenRaw, successText } from './platform-server.ts';
import { bytesServer, failureOf, HEAD, post, transportTo } from './transport-calls.ts';

describe('N2: cut answers are unknown, and nothing is sent twice', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['reset before the headers', (socket) => socket.resetAndDestroy()],
    ['closed before the headers', (socket) => socket.end()],
  ])('%s: there was no answer', async (_fault, reply) => {
    await using server = await bytesServer(reply);
    expect(await failureOf(server.url)).toBeInstanceOf(NoAnswer);
    expect(server.requests()).toBe(1);
  });

  /** What comes before it is reset, else it is closed. */
  const begun = (bytes: string, isReset: boolean) => (socket: Socket) => {
    socket.write(bytes);
    setTimeout(() => (isReset ? socket.resetAndDestroy() : socket.end()), 50);
  };

  test.each<[string, (socket: Socket) => void, object]>([
    ['cut within the headers', begun('HTTP/1.1 200 OK\r\nconte', false), {}],
    ['reset within the headers', begun('HTTP/1.1 200 OK\r\nconte', true), {}],
    ['cut within the first line', begun('H', false), {}],
    ['stalled within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\n'), { headersMs: 200 }],
    ['too late within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\n'), { deadlineMs: 200 }],
  ])('2.3 a: %s: something came back, and may have been an acceptance', async (_fault, reply, options) => {
    await using server = await bytesServer(reply);
    expect(await failureOf(server.url, options)).toMatchObject({ name: 'OutcomeUnknown' });
    expect(server.requests()).toBe(1);
  });

  test('what came for an earlier request on the same connection is no answer to this one', async () => {
    let connections = 0;
    const rest = ['', 'HTTP/1.1 2'];
    for (const bytes of rest) {
      await using server = await listenRaw((socket) => {
        let requests = 0;
        connections += 1;
        socket.on('data', () => {
          requests += 1;
          if (requests === 1) return void socket.write(`${HEAD}content-length: 2\r\n\r\n{}`);
          socket.end(bytes);
        });
      });
      await using http = transportTo(server.url);
      await post(http, server.url);
      // The connection is free once that answer is dealt with.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const failure = await post(http, server.url).catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: bytes === '' ? 'NoAnswer' : 'OutcomeUnknown' });
    }
    expect(connections).toBe(rest.length);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['cut within a stated length', (socket) => socket.end(`${HEAD}content-length: 100\r\n\r\n{"code":`)],
    [
      'cut within chunks',
      (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n8\r\n{"code":\r\n`),
    ],
    [
      'reset within chunks',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n8\r\n{"code":\r\n`);
        setImmediate(() => socket.resetAndDestroy());
      },
    ],
    ['not HTTP at all', (socket) => socket.end('hello')],
  ])('%s', async (_fault, reply) => {
    await using server = await bytesServer(reply);
    expect(await failureOf(server.url)).toMatchObject({ name: 'OutcomeUnknown' });
    expect(server.requests()).toBe(1);
  });

  test('a body without length or chunks counts only when it is whole JSON with a signature', async () => {
    const whole = successText({ total: 0 });
    const unsigned = JSON.stringify({ code: '000000', msg: '', bizData: '{}' });
    const closing = async (text: string) => {
      await using server = await bytesServer((socket) =>
        socket.end(`${HEAD}connection: close\r\n\r\n${text}`),
      );
      await using http = transportTo(server.url);
      return await post(http, server.url).catch((error: unknown) => error);
    };
    expect(await closing(whole)).toMatchObject({ status: 200, text: whole });
    expect(await closing(whole.slice(0, -1))).toBeInstanceOf(OutcomeUnknown);
    expect(await closing(unsigned)).toBeInstanceOf(OutcomeUnknown);
    expect(await closing('')).toBeInstanceOf(OutcomeUnknown);
  });

  test('stated lengths and chunks are both read whole', async () => {
    const replies = [
      `${HEAD}content-length: 2\r\n\r\n{}`,
      `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    ];
    for (const reply of replies) {
      await using server = await bytesServer((socket) => void socket.write(reply));
      await using http = transportTo(server.url);
      expect(await post(http, server.url)).toMatchObject({ status: 200, text: '{}' });
    }
  });
});
