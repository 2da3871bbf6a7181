/** `recon call`: one signed call to any endpoint, for support. What is personal in the answer is masked. */
import { jsonText } from '../../src/core/json.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { slowestLookMs } from '../../src/orders/slowest-look.ts';
import { CODE_SUCCESS } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import type { RawOutcome } from '../../src/platform/outcome.ts';
import type { ApproveOptions } from '../cli/approve-option.ts';
import { listEndpoints } from './call-list.ts';
import { callOnce } from './call-once.ts';
import type { Answered } from './call-once.ts';
import { openingLine } from './call-opening.ts';
import { parseCall } from './call-request.ts';
import type { Call } from './call-request.ts';
import { movesMoneyByHand, moneyCall, unknownMoney } from './call-money.ts';
import type { MoneyCall } from './call-money.ts';
import { callSettle, parseSettleCall } from './call-settle.ts';
import { lookUpNumber } from './call-sms.ts';
import { finish, withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { portsOf, SETTLE_LEASE } from '../night/settle/settle-run.ts';
import { maskedData, withoutFiles } from '../cli/masked-data.ts';

export interface CallOptions extends CommonOptions, ApproveOptions {
  yes?: boolean;
  unchecked?: boolean;
  list?: boolean;
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

/** What came of a call, and a line for people on what it means. */
interface Told {
  document: CallDocument;
  meaning: string | undefined;
}

export function callCommand(
  endpoint: string | undefined,
  json: string,
  { yes, unchecked, list, approve, by, ...options }: CallOptions,
): Promise<void> {
  if (list === true) return finish(options, () => Promise.resolve(listEndpoints()));
  const approval = { ...(approve !== undefined && { approve }), ...(by !== undefined && { by }) };
  const typed = { endpoint, json, isConfirmed: yes === true, isUnchecked: unchecked === true, approval };
  const needs: CommandNeeds<Call> = { platform: true, arguments: (at) => parseCall(typed, at) };
  return withContext(options, needs, (context, call) =>
    makeCall(context, call, (line) => process.stderr.write(`${line}\n`)),
  );
}

/**
 * Makes a call that was read and confirmed.
 * @param tell takes a line for people: what was put in, and what is odd
 */
export async function makeCall(context: Context, call: Call, tell: (line: string) => void): Promise<Outcome> {
  return outcomeOf(await make(context, call, tell), context.zone);
}

/** A settlement is not just sent: it is an attempt like those of the night. */
async function make(context: Context, call: Call, tell: (line: string) => void): Promise<Told> {
  if (movesMoneyByHand(call.endpoint)) return await moveMoney(context, call, tell);
  if (call.endpoint !== 'order/settle') return await makeOnce(context, call, tell);
  const { outcome, reqId, msg, data } = await callSettle(context, parseSettleCall(call.biz), call.approve);
  const code = outcome === 'accepted' ? CODE_SUCCESS : null;
  const { endpoint } = call;
  const document: CallDocument = { schema: 1, endpoint, reqId, outcome, code, msg, timestamp: null, data };
  return { document, meaning: undefined };
}

/** Nothing is retried meanwhile: what is sent back, on or out must not be on its way to the bank. */
async function moveMoney(context: Context, call: Call, tell: (line: string) => void): Promise<Told> {
  const { zone, clock, ids } = context;
  const runId = `call-${zone.compactText(clock.wall())}-${ids.token().slice(0, 6)}`;
  return await underLease(context, SETTLE_LEASE, async (held, lease) => {
    const ports = await portsOf(held, lease, { runId, day: zone.dayOf(clock.wall()) });
    return await makeOnce(held, call, tell, await moneyCall(ports, call));
  });
}

/** @param money of a call that moves money, which is stored before it leaves */
async function makeOnce(
  context: Context,
  call: Call,
  tell: (line: string) => void,
  money?: MoneyCall,
): Promise<Told> {
  const client = await context.platform();
  const { endpoint, lookUp } = call;
  const found = lookUp === undefined ? undefined : await lookUpNumber(client, call.biz, lookUp);
  const said = found === undefined ? call.said : [...call.said, found.said];
  // One line, so that nothing is sent that its sender does not know of.
  if (said.length > 0) tell(`completed: ${said.join('; ')}`);
  call.warnings.forEach((warning) => tell(`odd, and sent all the same: ${warning}`));
  const answered = await callOnce(client, { ...call, biz: found?.biz ?? call.biz }, money);
  const meaning =
    answered.kind === 'accepted'
      ? openingLine(endpoint, answered.answer, context)
      : answered.kind === 'unknown' && money !== undefined
        ? unknownMoney(context, { endpoint, slowestLookMs: await slowestLookMs(context.db) })
        : undefined;
  return { document: documentOf(endpoint, answered), meaning };
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

function outcomeOf({ document, meaning }: Told, zone: Zone): Outcome {
  const { endpoint, outcome, code, msg, reqId, timestamp, data } = document;
  const head = [
    `${endpoint}: ${outcome}`,
    ...(outcome === 'accepted' ? [] : [[code, msg].filter(Boolean).join(' ')]),
    ...(reqId === null ? [] : [`reqId ${reqId}`]),
    ...(timestamp === null ? [] : [`answered ${zone.localText(timestamp)}`]),
  ].join(' · ');
  const lines = [
    head,
    ...(meaning === undefined ? [] : [meaning]),
    ...(data === null ? [] : [jsonText(withoutFiles(data), 2)]),
  ];
  return { status: outcome === 'accepted' ? 0 : 1, document, text: lines.join('\n') };
}
