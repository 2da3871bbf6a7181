/** The client's own look at requests before they leave: what is wrong is named and not sent, what is right is. */
import assert from 'node:assert/strict';

import { WrongInput } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import type { Members } from './caller.ts';
import type { Desk } from './desk.ts';

export interface Beforehand {
  endpoint: EndpointName;
  /** The number each fault names. */
  id: string;
  fine: readonly Members[];
  /** By what is wrong with them. */
  wrong: Readonly<Record<string, Members>>;
}

export async function checksBeforehand(desk: Desk, { endpoint, id, fine, wrong }: Beforehand): Promise<void> {
  // An answer that states nothing is about whatever was asked.
  const { client, requests } = await desk.accepting({}, { channelCode: 'SANDBOX' });
  const names = (error: unknown): boolean =>
    error instanceof WrongInput && error.faults.some((fault) => fault.includes(id));
  for (const [name, biz] of Object.entries(wrong)) {
    await assert.rejects(
      client.callRaw(endpoint, asSent(biz)),
      names,
      `${name}: not sent, and ${id} is named`,
    );
  }
  assert.equal(requests.length, 0, 'nothing wrong is sent');
  for (const biz of fine) await client.callRaw(endpoint, asSent(biz));
  assert.equal(requests.length, fine.length, 'what is right is sent');
  const [first] = Object.values(wrong);
  if (first) await client.callRaw(endpoint, asSent(first), { isUnchecked: true });
  assert.equal(requests.length, fine.length + (first ? 1 : 0), 'and the wrong too, when it is asked for');
}

/** Without the members that are undefined. */
function asSent(biz: Members): JsonObject {
  return JSON.parse(JSON.stringify(biz)) as JsonObject;
}
