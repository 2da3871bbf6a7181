/**
 * The server of `recon schedule` and `recon receive`: each part of it is a set of routes (health, metrics, pushes).
 * It listens on all interfaces, because a container's health is asked for from outside; what it shows are counts,
 * days and verdicts: no amount, no account, no name.
 */
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { WrongInput, messageOf } from '../src/core/errors.ts';
import type { Log } from '../src/core/ports.ts';

const HOST = '0.0.0.0';
/** Enough for every push of the platform; nobody else has reason to send anything (I10). */
const BODY_BYTES_MAX = 65_536;
const REQUEST_MS_MAX = 10_000;
/** Of all who ask at once; what is more is closed unheard. */
const CONNECTIONS_MAX = 200;
/** How often Node looks for requests that are too slow. */
const LOOK_MS = 1_000;

export type Routes = (server: FastifyInstance) => void;

export interface StatusServer {
  port: number;
  close(): Promise<void>;
}

/** @throws WrongInput when the port cannot be used */
export async function openStatusServer(
  options: { port: number; log: Log; requestMsMax?: number; connectionsMax?: number },
  parts: readonly Routes[],
): Promise<StatusServer> {
  const { log, requestMsMax = REQUEST_MS_MAX } = options;
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMsMax,
    connectionTimeout: requestMsMax,
    forceCloseConnections: true,
    http: {
      headersTimeout: requestMsMax,
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
  server.server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX;
  const port = await listen(server, options.port);
  log.info({ event: 'status.listening', port });
  return { port, close: () => server.close() };
}

/** What fastify refuses has its status; all else is our fault. */
function statusOf(error: unknown): number {
  const stated = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof stated === 'number' && stated >= 400 ? stated : 500;
}

async function listen(server: FastifyInstance, port: number): Promise<number> {
  try {
    await server.listen({ port, host: HOST });
  } catch (error) {
    const named = `the port ${port} (HEALTH_PORT or --port) cannot be used`;
    throw new WrongInput(`${named}: ${messageOf(error)}`, [], {}, { cause: error });
  }
  const address = server.server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}
