/**
 * Faults of the answer itself (docs/reliability.md 1a): the envelope is changed after it was signed, or something
 * else than an envelope is sent, or the transport misbehaves. What needs a socket is only named here and
 * played by `serve-faults.ts`.
 */
import { JSON_TYPE, jsonReply } from '../protocol/exchange.ts';
import type { SandboxReply, TransportFault } from '../protocol/exchange.ts';
import type { BODY_CONTENTS, Fault, FaultOf } from './fault-schema.ts';
import type { Seeded } from '../world/random.ts';
import type { ReplyEnvelope } from '../protocol/reply.ts';

/** The reply to a processed call, as the faults that met it leave it. */
export function replyWithFaults(
  envelope: ReplyEnvelope,
  faults: readonly Fault[],
  random: Seeded,
): SandboxReply {
  for (const fault of faults) changeEnvelope(envelope, fault, random);
  let reply = jsonReply(200, envelope);
  for (const fault of faults) reply = changedReply(reply, fault);
  return reply;
}

/** The reply to a call that never was processed, because a fault stands before the platform. */
export function replyInstead(faults: readonly Fault[]): SandboxReply | undefined {
  for (const fault of faults) {
    if (fault.kind === 'drop_before') return { ...jsonReply(200, null), fault: { kind: 'drop' } };
    if (fault.kind === 'http_status' && !fault.processed) return changedReply(jsonReply(200, null), fault);
  }
  return undefined;
}

function changeEnvelope(envelope: ReplyEnvelope, fault: Fault, random: Seeded): void {
  if (fault.kind === 'corrupt_biz_data') corrupt(envelope, 'bizData', random);
  if (fault.kind === 'corrupt_sign') corrupt(envelope, 'sign', random);
  if (fault.kind === 'omit_sign') delete envelope['sign'];
  if (fault.kind === 'envelope') {
    Object.assign(envelope, fault.set);
    for (const name of fault.remove) delete envelope[name];
  }
  if (fault.kind === 'biz_data_object' && typeof envelope['bizData'] === 'string') {
    envelope['bizData'] = JSON.parse(envelope['bizData']) as unknown;
  }
}

/** One letter or digit becomes another one, so that the text stays JSON and only the signature can tell. */
function corrupt(envelope: ReplyEnvelope, name: 'bizData' | 'sign', random: Seeded): void {
  const text = envelope[name];
  if (typeof text !== 'string') return;
  const places = [...text.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  if (places.length === 0) return;
  const place = random.pick(places);
  const other = text[place] === '7' ? '8' : '7';
  envelope[name] = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
}

function changedReply(reply: SandboxReply, fault: Fault): SandboxReply {
  const { headers } = reply;
  if (fault.kind === 'http_status') return withStatus(reply, fault);
  if (fault.kind === 'redirect') {
    return { ...reply, status: fault.status, headers: { ...headers, location: fault.to } };
  }
  if (fault.kind === 'huge_headers') {
    return { ...reply, headers: { ...headers, 'x-filler': 'a'.repeat(fault.bytes) } };
  }
  if (fault.kind === 'body') {
    const contentType = fault.contentType ?? (fault.content === 'html' ? 'text/html' : JSON_TYPE);
    return { ...reply, headers: { 'content-type': contentType }, body: bodyOf(fault.content, reply.body) };
  }
  const transport = transportFault(fault);
  return transport ? { ...reply, fault: transport } : reply;
}

function transportFault(fault: Fault): TransportFault | undefined {
  if (fault.kind === 'drop_after') return { kind: 'drop' };
  if (fault.kind === 'delay') return { kind: 'delay', ms: fault.ms };
  if (fault.kind === 'stall') return { kind: 'stall', afterBytes: fault.afterBytes };
  if (fault.kind === 'flood') return { kind: 'flood', bytes: fault.bytes };
  if (fault.kind === 'gzip') return { kind: 'gzip' };
  if (fault.kind === 'reset') {
    return { kind: 'reset', afterBytes: fault.afterBytes, framing: fault.framing };
  }
  if (fault.kind === 'drip') {
    return { kind: 'drip', bytesPerChunk: fault.bytesPerChunk, everyMs: fault.everyMs };
  }
  return undefined;
}

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

function withStatus(reply: SandboxReply, fault: FaultOf<'http_status'>): SandboxReply {
  const { status, content } = fault;
  const retryAfter: Record<string, string> =
    fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
  if (content === 'envelope') return { ...reply, status, headers: { ...reply.headers, ...retryAfter } };
  const contentType = content === 'html' ? 'text/html' : JSON_TYPE;
  const bodies = { html: HTML, empty: '', json: JSON.stringify({ status, error: 'Internal Server Error' }) };
  return { status, headers: { 'content-type': contentType, ...retryAfter }, body: bodies[content] };
}

/** `JSON.parse` takes that many levels, every recursive walk dies on them (N7). */
const DEPTH = 100_000;

function bodyOf(content: (typeof BODY_CONTENTS)[number], body: string): string {
  const bodies: Readonly<Record<typeof content, string>> = {
    html: HTML,
    text: 'Internal error, please try again later',
    empty: '',
    null: 'null',
    array: `[${body}]`,
    number: '1e3',
    deep: `{"code":"000000","msg":"","bizData":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    truncated: body.slice(0, Math.floor(body.length / 2)),
  };
  return bodies[content];
}
