/**
 * `/healthz`: whether the process lives and reaches its database, and how the last night ended. `/livez`: whether it
 * lives at all; a database that is away is no reason to kill it. `/readyz`: whether it is of use now: its database
 * answers and it is not about to stop.
 */
import { messageOf } from '../../src/core/errors.ts';
import type { Context } from '../context/context.ts';
import { lastNight } from '../../src/store/runs/nights.ts';
import { readStatus, within } from './status.ts';
import type { Routes } from './status-server.ts';

export interface Health {
  /** The process lives and reaches its database. A verdict is data and makes nothing unhealthy. */
  ok: boolean;
  lastNight: string | null;
  lastVerdict: string | null;
  database: 'reachable' | 'unreachable';
}

/** Answers 200, or 503 when the database cannot be reached. */
export function healthRoutes(context: Pick<Context, 'db' | 'realClock' | 'log' | 'signal'>): Routes {
  return (server) => {
    server.get('/healthz', async (_request, reply) => {
      const health = await readHealth(context);
      return reply.code(health.ok ? 200 : 503).send(health);
    });
    server.get('/livez', async () => ({ ok: true }));
    server.get('/readyz', async (_request, reply) => {
      const reason = context.signal.aborted ? 'stopping' : await databaseFault(context);
      return reply
        .code(reason === undefined ? 200 : 503)
        .send({ ok: reason === undefined, reason: reason ?? null });
    });
  };
}

async function readHealth({
  db,
  realClock,
  log,
}: Pick<Context, 'db' | 'realClock' | 'log'>): Promise<Health> {
  try {
    const { night } = await readStatus(db, realClock);
    return {
      ok: true,
      lastNight: night?.day ?? null,
      lastVerdict: night?.verdict ?? null,
      database: 'reachable',
    };
  } catch (error) {
    log.warn({ event: 'database.unreachable', reason: messageOf(error) });
    return { ok: false, lastNight: null, lastVerdict: null, database: 'unreachable' };
  }
}

async function databaseFault({
  db,
  realClock,
  log,
}: Pick<Context, 'db' | 'realClock' | 'log'>): Promise<string | undefined> {
  try {
    await within(realClock, () => lastNight(db));
    return undefined;
  } catch (error) {
    log.warn({ event: 'database.unreachable', reason: messageOf(error) });
    return 'the database does not answer';
  }
}
