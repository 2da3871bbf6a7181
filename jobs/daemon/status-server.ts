/**
 * The listeners of `recon schedule` and `recon receive`: health and metrics on one, pushes on another, so that whoever
 * reaches the second cannot shut out who looks at the first. Health and metrics are counts, days and verdicts: no amount,
 * no account, no name; these stand on the page alone, which asks for a token.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { WrongInput, messageOf } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/ports.ts';

/** Enough for every push of the platform; nobody else has reason to send anything (I10). */
const BODY_BYTES_MAX = 65_536;
const REQUEST_MS_MAX = 10_000;
/** Headers come in one piece; who sends them in drops waits for us to give up. */
const HEADERS_MS_MAX = 3_000;
/** A proxy that asks again opens a connection again. */
const KEEP_ALIVE_MS = 1_000;
/** All together; beyond, whoever is silent makes room for who comes. */
const CONNECTIONS_MAX = 200;
/** How often Node looks for requests that are too slow. */
const LOOK_MS = 1_000;

export type Routes = (server: FastifyInstance) => void;

export interface StatusServer {
  port: number;
  close(): Promise<void>;
}

export interface Listening {
  host: string;
  port: number;
  /** The settings it comes from, for people. */
  named: string;
}

/** @throws WrongInput when the port cannot be used */
export async function openStatusServer(
  options: { listen: Listening; log: Log; requestMsMax?: number; connectionsMax?: number },
  parts: readonly Routes[],
): Promise<StatusServer> {
  const { log, requestMsMax = REQUEST_MS_MAX } = options;
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMsMax,
    connectionTimeout: requestMsMax,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    http: {
      headersTimeout: Math.min(HEADERS_MS_MAX, requestMsMax),
      requestTimeout: requestMsMax,
      connectionsCheckingInterval: Math.min(LOOK_MS, requestMsMax),
    },
  });
  server.setErrorHandler(async (error, _request, reply) => {
    const status = statusOf(error);
    if (status >= 500) log.error({ event: 'status.failed', error });
    await reply.code(status).send({ error: status >= 500 ? 'it failed; the log says why' : 'refused' });
  });
  for (const routes of parts) routes(server);
  boundConnections(server.server, options.connectionsMax ?? CONNECTIONS_MAX);
  const port = await listen(server, options.listen);
  return { port, close: () => server.close() };
}

/**
 * So many connections at once. One more takes the place of the one that has been silent longest, and is refused only
 * when all of them wait for an answer: silence, which costs nothing, must not shut out who has something to say. Who
 * has not said all of it yet does not wait for an answer.
 */
function boundConnections(server: Server, max: number): void {
  /** Oldest first; those that were answered go to the end. */
  const silent = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    silent.add(socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
    });
    if (open <= max) return;
    const [longest = socket] = silent;
    longest.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    request.once('end', () => silent.delete(socket));
    response.once('close', () => {
      if (!socket.destroyed) silent.add(socket);
    });
  });
}

/** What fastify refuses has its status; all else is our fault. */
function statusOf(error: unknown): number {
  const stated = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof stated === 'number' && stated >= 400 ? stated : 500;
}

async function listen(server: FastifyInstance, { host, port, named }: Listening): Promise<number> {
  try {
    await server.listen({ port, host });
  } catch (error) {
    const what = `the port ${port} of ${host} (${named}) cannot be used`;
    throw new WrongInput(`${what}: ${messageOf(error)}`, [], {}, { cause: error });
  }
  const address = server.server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}
