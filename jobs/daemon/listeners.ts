/**
 * Where a process that stays running is spoken to: health and metrics on HEALTH_HOST:HEALTH_PORT, pushes on
 * PUSH_HOST:PUSH_PORT. Two listeners, because the platform's proxy reaches the second and nobody else has reason to
 * reach the first.
 */
import { WrongInput } from '../../src/core/errors.ts';
import type { Context } from '../context/context.ts';
import { openStatusServer } from './status-server.ts';
import type { Routes, StatusServer } from './status-server.ts';

export interface Listeners {
  close(): Promise<void>;
}

export interface Spoken {
  /** Health and metrics; offered where HEALTH_PORT is set. */
  health: readonly Routes[];
  pushes: Routes;
  /** Undefined: pushes are not received. */
  pushPort: number | undefined;
}

/** @throws WrongInput when a port cannot be used */
export async function openListeners(context: Context, spoken: Spoken): Promise<Listeners> {
  const { settings, log } = context;
  const { healthPort, healthHost, pushHost } = settings;
  const { health, pushes, pushPort } = spoken;
  if (pushPort !== undefined && pushPort !== 0 && pushPort === healthPort) {
    throw new WrongInput(`health and pushes need a port each, and both are given ${pushPort}`);
  }
  const open: StatusServer[] = [];
  const close = async (): Promise<void> => void (await Promise.all(open.map((server) => server.close())));
  try {
    if (healthPort !== undefined) {
      const listen = { host: healthHost, port: healthPort, named: 'HEALTH_HOST, HEALTH_PORT' };
      open.push(await openStatusServer({ listen, log }, [...health, pushesElsewhere(context)]));
      log.info({ event: 'status.listening', host: healthHost, port: open.at(-1)?.port });
    }
    if (pushPort !== undefined) {
      const listen = { host: pushHost, port: pushPort, named: 'PUSH_HOST, PUSH_PORT or --port' };
      open.push(await openStatusServer({ listen, log }, [pushes]));
      log.info({ event: 'push.listening', host: pushHost, port: open.at(-1)?.port, path: '/push' });
    } else if (healthPort !== undefined) {
      const hint =
        'PUSH_PORT is not set: pushes are not received, and what they would tell is asked for at night';
      log.info({ event: 'push.not_received', hint });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** Pushes came in beside health once; a proxy that still sends them there is told where they go. */
function pushesElsewhere({ log }: Pick<Context, 'log'>): Routes {
  const hint = 'pushes are taken at PUSH_PORT, a port of their own; HEALTH_PORT shows health and metrics';
  return (server) => {
    server.post('/push', async (_request, reply) => {
      log.warn({ event: 'push.wrong_port', hint });
      return reply.code(404).send({ error: hint });
    });
  };
}
