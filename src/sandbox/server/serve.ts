/**
 * The server around the sandbox's core, on loopback only: the sandbox holds synthetic data behind synthetic
 * secrets, and its control surface asks nobody for a name.
 */
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { WrongInput, codeOf } from '../../core/errors.ts';
import { namesThisMachine } from '../../core/loopback.ts';
import type { Clock } from '../../core/ports.ts';
import { CONTROL_PREFIX } from '../control/control.ts';
import { openCourier } from './push-delivery.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxReply } from '../protocol/exchange.ts';
import { playFault } from '../faults/serve-faults.ts';

export interface ServeOptions {
  /** 0 takes a free one. */
  port: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** Whether the control surface is offered. */
  controls: boolean;
  /** For faults that take time. */
  clock: Clock;
  /** What is answered at `GET /openapi.json`; without it there is no such path. */
  openApi?: string;
}

/** Below no prefix of the service and of the control surface. */
export const OPENAPI_PATH = '/openapi.json';

export interface ServedSandbox {
  /** The address before the service's prefix. */
  url: string;
  close(): Promise<void>;
}

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/** Requests are small; control requests may seed a hundred thousand deposits. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** What a server needs of a sandbox. */
export type ServedCore = Pick<Sandbox, 'answer' | 'control' | 'clock' | 'deliverPushes' | 'nextPushMs'>;

/** @throws WrongInput for an address other machines could reach, and for a port that cannot be had */
export async function serve(sandbox: ServedCore, options: ServeOptions): Promise<ServedSandbox> {
  const host = options.host ?? '127.0.0.1';
  if (!LOOPBACK_HOSTS.includes(host)) {
    throw new WrongInput(`the sandbox serves this machine only: ${LOOPBACK_HOSTS.join(', ')}, not "${host}"`);
  }
  const closing = new AbortController();
  const courier = openCourier(sandbox, { clock: options.clock, closing: closing.signal });
  const server = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', async (request, reply) => {
    const fault = strangerFault(request.headers);
    if (fault !== undefined) await reply.code(403).send({ error: fault });
  });
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = receivedFrom(request);
    const isControl = options.controls && given.path.startsWith(`${CONTROL_PREFIX}/`);
    const answered: SandboxReply = isControl ? sandbox.control(given) : sandbox.answer(given);
    courier.nudge();
    await send(reply, answered, { clock: options.clock, closing: closing.signal });
  };
  const { openApi } = options;
  if (openApi !== undefined) {
    server.get(OPENAPI_PATH, (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(openApi),
    );
  }
  server.setNotFoundHandler(respond);
  await listen(server, { port: options.port, host });
  courier.nudge();
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([server.close(), courier.close()]);
  };
  return { url: urlOf(server), close };
}

/** A page in a browser shows by which name it came, and of whom it is. Programs name this machine and come from no page. */
function strangerFault({ host = '', origin }: FastifyRequest['headers']): string | undefined {
  if (!namesThisMachine(host)) return `the sandbox is asked as this machine, not as ${JSON.stringify(host)}`;
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return `the sandbox answers no page of ${JSON.stringify(origin)}`;
}

const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'needs rights this user does not have',
};

async function listen(server: FastifyInstance, at: { port: number; host: string }): Promise<void> {
  try {
    await server.listen(at);
  } catch (error) {
    const fault = PORT_FAULTS[codeOf(error) ?? ''];
    if (fault === undefined) throw error;
    throw new WrongInput(`port ${at.port} ${fault}`, [], {}, { cause: error });
  }
}

function receivedFrom(request: FastifyRequest): {
  method: string;
  path: string;
  contentType: string;
  body: string;
} {
  return {
    method: request.method,
    path: request.url,
    contentType: request.headers['content-type'] ?? '',
    body: typeof request.body === 'string' ? request.body : '',
  };
}

async function send(
  reply: FastifyReply,
  answered: SandboxReply,
  world: { clock: Clock; closing: AbortSignal },
): Promise<void> {
  if (!answered.fault) {
    await reply.code(answered.status).headers(answered.headers).send(Buffer.from(answered.body, 'utf8'));
    return;
  }
  reply.hijack();
  await playFault(reply.raw, answered, world);
}

function urlOf(server: FastifyInstance): string {
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('Bug: the sandbox listens nowhere');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
