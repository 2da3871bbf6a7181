/**
 * One request, one reply, without a socket: route, envelope, handler, signature, and the faults on the way.
 * A refusal is thrown wherever a rule is broken; here and nowhere else it becomes an envelope.
 */
import { WrongInput } from '../../core/errors.ts';
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { ENDPOINT_NAMES, ENDPOINTS, PATH_PREFIX } from '../../platform/contract.ts';
import type { EndpointName } from '../../platform/contract.ts';
import { admit, consumeReqId, verifySigned } from '../protocol/envelope.ts';
import type { Caller } from '../protocol/sandbox-keys.ts';
import { jsonReply } from '../protocol/exchange.ts';
import type { SandboxReply, SandboxRequest } from '../protocol/exchange.ts';
import { applyDataFaults } from '../faults/fault-data.ts';
import type { MetFault } from '../faults/fault-plan.ts';
import { replyInstead, replyWithFaults } from '../faults/fault-reply.ts';
import { handle } from './handlers.ts';
import { sealOrderList } from '../orders/order-wire.ts';
import { Refused } from '../protocol/refusal.ts';
import { refusalEnvelope, successEnvelope } from '../protocol/reply.ts';
import type { ReplyEnvelope } from '../protocol/reply.ts';
import { sealFileList } from '../vouchers/elements.ts';
import type { World } from '../world/world.ts';

export function answer(world: World, request: SandboxRequest): SandboxReply {
  const endpoint = endpointOf(world, request);
  if (endpoint instanceof Refused) {
    const envelope = refusalEnvelope(world, undefined, endpoint);
    log(world, request, { code: endpoint.code, faults: [] });
    return jsonReply(endpoint.httpStatus, envelope);
  }
  const met = world.faults.meet(endpoint, request.body);
  const hold = met.map(({ fault }) => fault).find((fault) => fault.kind === 'hold');
  const play = (): SandboxReply => played(world, { request, endpoint, met });
  return hold ? { ...jsonReply(200, null), fault: { kind: 'hold', ms: hold.ms, resume: play } } : play();
}

/** ENV-01…04: a POST of JSON to one of the paths; anything else executes nothing. */
function endpointOf(world: World, request: SandboxRequest): EndpointName | Refused {
  const path = request.path.split('?', 1)[0] ?? '';
  const endpoint = world.paths.get(path);
  if (!endpoint) return new Refused('PATH', '接口不存在 (no such path)', { httpStatus: 404 });
  if (request.method !== 'POST') {
    return new Refused('METHOD', '请求方法错误 (only POST is served)', { httpStatus: 405 });
  }
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(request.contentType)) {
    return new Refused('CONTENT_TYPE', '请求类型错误 (only application/json in UTF-8)', { httpStatus: 415 });
  }
  return endpoint;
}

/** The 17 paths of a service whose one channel has this code (ENV-04, SMS-01). */
export function pathsOf(channelCode: string): ReadonlyMap<string, EndpointName> {
  return new Map(
    ENDPOINT_NAMES.map((name) => [
      `${PATH_PREFIX}${ENDPOINTS[name].path.replace('{channel_code}', channelCode)}`,
      name,
    ]),
  );
}

interface Received {
  request: SandboxRequest;
  endpoint: EndpointName;
  met: readonly MetFault[];
}

function played(world: World, received: Received): SandboxReply {
  const { request, met } = received;
  const faults = met.map(({ fault }) => fault);
  const kinds = faults.map((fault) => fault.kind);
  const instead = replyInstead(faults);
  if (instead) {
    log(world, request, { code: undefined, faults: kinds });
    return instead;
  }
  const envelopes = [processed(world, received)];
  const twice = faults.find((fault) => fault.kind === 'twice');
  if (twice) envelopes.push(processed(world, received));
  const envelope = (twice?.answer === 'second' ? envelopes[1] : envelopes[0]) ?? {};
  log(world, request, { code: String(envelope['code']), faults: kinds });
  return replyWithFaults(envelope, faults, world.random);
}

function processed(world: World, { request, endpoint, met }: Received): ReplyEnvelope {
  let caller: Caller | undefined;
  try {
    const signedRequest = verifySigned(world, endpoint, request.body);
    ({ caller } = signedRequest);
    const biz = swapped(admit(world, signedRequest), met);
    refuseByFault(met);
    countCall(world);
    const reqId = String(member(signedRequest.members, 'reqId'));
    const members = handle({ endpoint, biz, caller, reqId, world });
    if (world.switches.reqIdConsumedOnRefusal === 'never') {
      consumeReqId(world, caller.credential, signedRequest.members);
    }
    applyDataFaults(endpoint, members, met);
    sealOrderList(world, members);
    sealFileList(world, members);
    return successEnvelope(world, caller, bizDataText(members, met));
  } catch (error) {
    return refusalEnvelope(world, caller, refusalOf(error));
  }
}

/** A plan or a switch that does not fit the call (a fee above the amount, a bearer that is not there) refuses it. */
function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof WrongInput) return new Refused('PLAN', `无法处理 (${error.message})`);
  throw error;
}

/** A gateway that mixes up whom an answer is for: what is asked about one number is answered about the other. */
function swapped(biz: JsonObject, met: readonly MetFault[]): JsonObject {
  const pairs = met.flatMap(({ fault }) => (fault.kind === 'swapped' ? [fault.between] : []));
  const other = (value: unknown): unknown => {
    const pair = pairs.find(([one, two]) => value === one || value === two);
    return pair?.find((number) => number !== value) ?? value;
  };
  return Object.fromEntries(Object.entries(biz).map(([key, value]) => [key, other(value)]));
}

function refuseByFault(met: readonly MetFault[]): void {
  for (const { fault } of met) {
    if (fault.kind === 'too_frequent') throw tooFrequent();
    if (fault.kind === 'unmapped_code') throw new Refused('NOT_OFFERED', fault.msg, { code: fault.code });
  }
}

/** N18: calls beyond the limit of their second are refused. */
function countCall(world: World): void {
  const { callsPerSecondMax } = world.switches;
  if (callsPerSecondMax === null) return;
  const second = Math.floor(world.clock.nowMs() / 1_000);
  if (world.calls.second !== second) Object.assign(world.calls, { second, count: 0 });
  if (++world.calls.count > callsPerSecondMax) throw tooFrequent();
}

function tooFrequent(): Refused {
  return new Refused('TOO_FREQUENT', '请求过于频繁 (too many requests)');
}

function bizDataText(members: Record<string, unknown>, met: readonly MetFault[]): string {
  let text = JSON.stringify(members);
  for (const { fault } of met) {
    if (fault.kind !== 'duplicate_member') continue;
    text = `{${JSON.stringify(fault.member)}:${JSON.stringify(fault.value ?? null)},${text.slice(1)}`;
  }
  return text;
}

function log(
  world: World,
  { method, path, contentType, body }: SandboxRequest,
  what: { code: string | undefined; faults: readonly string[] },
): void {
  world.log.add({ at: world.clock.now(), method, path, contentType, body, ...what });
}
