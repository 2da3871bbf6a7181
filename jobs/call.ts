/** `recon call`: one signed call to any endpoint, for support. What is personal in the answer is masked. */
import { NotThePlatform, OutcomeUnknown, SignatureWrong, WrongInput } from '../src/core/errors.ts';
import { isJsonObject, jsonText, parseJson } from '../src/core/json.ts';
import type { JsonObject } from '../src/core/json.ts';
import { maskPersonal } from '../src/core/mask.ts';
import { nearest } from '../src/core/nearest.ts';
import type { Instant, Zone } from '../src/core/time.ts';
import { CODE_SUCCESS, ENDPOINTS, ENDPOINT_NAMES } from '../src/platform/contract.ts';
import type { EndpointName } from '../src/platform/contract.ts';
import type { PlatformClient } from '../src/platform/client.ts';
import type { RawOutcome } from '../src/platform/outcome.ts';
import { callSettle, parseSettleCall } from './call-settle.ts';
import { withContext } from './command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from './command.ts';
import type { Context } from './context.ts';
import { maskedData, withoutFiles } from './masked-data.ts';

export interface CallOptions extends CommonOptions {
  yes?: boolean;
}

interface Call {
  endpoint: EndpointName;
  biz: JsonObject;
}

/** The `--json` answer. */
interface CallDocument {
  schema: 1;
  endpoint: EndpointName;
  reqId: string | null;
  outcome: RawOutcome['kind'];
  code: string | null;
  msg: string;
  timestamp: Instant | null;
  data: unknown;
}

export function callCommand(endpoint: string, json: string, options: CallOptions): Promise<void> {
  const needs: CommandNeeds<Call> = {
    platform: true,
    arguments: () => parseCall(endpoint, json, options.yes === true),
  };
  return withContext(options, needs, async (context, call) =>
    outcomeOf(await documentFor(context, call), context.zone),
  );
}

/** A settlement is not just sent: it is an attempt like those of the night. */
async function documentFor(context: Context, call: Call): Promise<CallDocument> {
  if (call.endpoint !== 'order/settle') {
    return documentOf(call.endpoint, await callOnce(await context.platform(), call));
  }
  const { outcome, reqId, msg, data } = await callSettle(context, parseSettleCall(call.biz));
  const code = outcome === 'accepted' ? CODE_SUCCESS : null;
  return { schema: 1, endpoint: call.endpoint, reqId, outcome, code, msg, timestamp: null, data };
}

/** @throws WrongInput naming what is wrong with the endpoint and with the data */
export function parseCall(endpoint: string, json: string, isConfirmed: boolean): Call {
  const name = ENDPOINT_NAMES.find((known) => known === endpoint);
  const biz = parseBiz(json);
  const faults = [
    ...(name === undefined ? [unknownEndpoint(endpoint)] : []),
    ...(biz === undefined ? ['the data is no JSON object, such as \'{"accountNo":"100001"}\''] : []),
  ];
  if (name === undefined || biz === undefined) {
    throw faults.length === 1 ? new WrongInput(faults[0] ?? '') : new WrongInput('wrong call:', faults);
  }
  if (name === 'order/settle') parseSettleCall(biz);
  if (ENDPOINTS[name].effect === 'change' && !isConfirmed) {
    throw new WrongInput(
      `${name} changes something on the platform: it would send ${jsonText(maskedData(biz))}; add --yes to really do it`,
    );
  }
  return { endpoint: name, biz };
}

function unknownEndpoint(endpoint: string): string {
  const meant = nearest(endpoint, ENDPOINT_NAMES);
  const hint = meant === undefined ? `: ${ENDPOINT_NAMES.join(', ')}` : ` (did you mean ${meant}?)`;
  return `${JSON.stringify(endpoint)} is no endpoint${hint}`;
}

function parseBiz(json: string): JsonObject | undefined {
  try {
    const value = parseJson(json);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Answered = RawOutcome | { kind: 'unknown'; reason: string; reqId: string | null };

/** A query that brought no answer that can be believed is unknown too, though asking again does no harm. */
async function callOnce(client: PlatformClient, { endpoint, biz }: Call): Promise<Answered> {
  try {
    return await client.callRaw(endpoint, biz);
  } catch (error) {
    const isUnanswered =
      error instanceof OutcomeUnknown || error instanceof NotThePlatform || error instanceof SignatureWrong;
    if (!isUnanswered) throw error;
    const reqId = error.facts['reqId'];
    return { kind: 'unknown', reason: error.message, reqId: typeof reqId === 'string' ? reqId : null };
  }
}

function documentOf(endpoint: EndpointName, answered: Answered): CallDocument {
  const head = { schema: 1, endpoint, reqId: answered.reqId, outcome: answered.kind } as const;
  switch (answered.kind) {
    case 'accepted': {
      const data = maskedData(answered.answer);
      return { ...head, code: CODE_SUCCESS, msg: '', timestamp: answered.timestamp ?? null, data };
    }
    case 'refused': {
      const { code, msg, timestamp } = answered;
      return { ...head, code, msg: maskPersonal(msg), timestamp: timestamp ?? null, data: null };
    }
    case 'unknown':
      return { ...head, code: null, msg: maskPersonal(answered.reason), timestamp: null, data: null };
  }
}

function outcomeOf(document: CallDocument, zone: Zone): Outcome {
  const { endpoint, outcome, code, msg, reqId, timestamp, data } = document;
  const head = [
    `${endpoint}: ${outcome}`,
    ...(outcome === 'accepted' ? [] : [[code, msg].filter(Boolean).join(' ')]),
    ...(reqId === null ? [] : [`reqId ${reqId}`]),
    ...(timestamp === null ? [] : [`answered ${zone.localText(timestamp)}`]),
  ].join(' · ');
  const text = data === null ? head : `${head}\n${jsonText(withoutFiles(data), 2)}`;
  return { status: outcome === 'accepted' ? 0 : 1, document, text };
}
