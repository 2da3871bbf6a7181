/** A query of a settlement that is answered at once and heard later: the clock moves on while its answer is on its way. */
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { SettleWorld } from './settle-world.ts';

const WRITTEN = 'http.server.response.finish';

export interface SlowQuery {
  /** When the answer to the next query is heard; undefined: at once. */
  heardAt: string | undefined;
  end(): void;
}

/** The world's machine goes on as the one that wrote its mark. */
export async function openSlowQuery(world: SettleWorld): Promise<SlowQuery> {
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
  const written = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.endsWith('/division/query') !== true || query.heardAt === undefined) return;
    world.moveTo(query.heardAt);
    query.heardAt = undefined;
  };
  const query: SlowQuery = {
    heardAt: undefined,
    end: () => void diagnostics.unsubscribe(WRITTEN, written),
  };
  diagnostics.subscribe(WRITTEN, written);
  return query;
}
