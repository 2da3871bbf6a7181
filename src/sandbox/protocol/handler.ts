/**
 * A handler of an endpoint: it gets verified business data and gives the members of the answer's bizData, or
 * throws a refusal; it never sees envelopes, sockets or faults.
 */
import type { JsonObject } from '../../core/json.ts';
import type { EndpointName } from '../../platform/contract.ts';
import type { Caller } from './sandbox-keys.ts';
import type { World } from '../world/world.ts';

export interface Call<K extends EndpointName> {
  endpoint: K;
  biz: JsonObject;
  caller: Caller;
  /** Of the request, by which a retried settlement can be told from others. */
  reqId: string;
  world: World;
}

export type Handler<K extends EndpointName> = (call: Call<K>) => Record<string, unknown>;
