/** The tables of docs/sandbox.md, from the code of the sandbox. */
import { jsonText } from '../../src/core/json.ts';
import { readProfile } from '../../src/core/profile/profile.ts';
import { controlTable } from '../../src/sandbox/control/control.ts';
import { faultTable } from '../../src/sandbox/control/control-routes.ts';
import { DEFAULT_CREDENTIALS } from '../../src/sandbox/protocol/sandbox-keys.ts';
import { REFUSAL_CODES } from '../../src/sandbox/protocol/refusal.ts';
import { scenarioSchema } from '../../src/sandbox/scenarios/scenario.ts';
import { defaultSwitches, switchesSchema } from '../../src/sandbox/control/switches.ts';
import { voucherTable } from '../../src/sandbox/vouchers/voucher-schema.ts';
import { acceptedBy, jsonSchemaOf } from './accepted.ts';
import { constantIn, memberNotes } from './code-notes.ts';
import { table } from './markdown.ts';
import { OPEN_QUESTIONS } from './open-questions.ts';
import { SWITCH_WORDS } from './switch-words.ts';

const SWITCH_FILES = [
  ['src/sandbox/control/switches.ts', 'switchesSchema'],
  ['src/sandbox/control/switches-orders.ts', 'orderSwitches'],
  ['src/sandbox/control/switches-openings.ts', 'openingSwitches'],
  ['src/sandbox/vouchers/voucher-schema.ts', 'voucherSwitches'],
] as const;

/** The numbers a comment begins with: open questions (U44), requirements (SIG-10), hazards (N18). */
const NUMBERS = /^(?:[A-Z]{1,3}-?\d+(?:, |\b))+[:.]?\s*/;

function switchTable(): string {
  const notes = new Map(SWITCH_FILES.flatMap(([path, declared]) => [...memberNotes(path, declared)]));
  const accepted = acceptedBy(switchesSchema);
  const usual: Readonly<Record<string, unknown>> = defaultSwitches(readProfile(undefined, 'defaults'));
  const rows = Object.keys(switchesSchema.shape).map((name) => {
    const note = notes.get(name) ?? '';
    const numbers = NUMBERS.exec(note)?.[0] ?? '';
    const words = SWITCH_WORDS[name] ?? note.slice(numbers.length);
    if (words === '') throw new Error(`nothing says what the switch ${name} is`);
    const answers = numbers.match(/U\d+|[A-Z]{3}-\d+/g) ?? [];
    const value = `\`${jsonText(usual[name])}\``;
    return [`\`${name}\``, accepted.get(name) ?? '', value, answers.join(', '), sentence(words)];
  });
  return table(['switch', 'takes', 'default', 'answers', 'what it decides'], rows);
}

function sentence(text: string): string {
  const first = text.charAt(0);
  const isWord = /^[A-Z][a-z ]/.test(text);
  return `${isWord ? first.toLowerCase() : first}${text.slice(1)}`.replace(/\.$/, '');
}

/** The surface without the hundred names of switches, which have a table of their own. */
function routeTable(): string {
  return controlTable()
    .split('\n')
    .map((line) =>
      line.startsWith('| `POST /control/switches`')
        ? line.replace(/\| `endInclusive`.*?\|/, '| any of the [switches](#switches) |')
        : line,
    )
    .join('\n');
}

function questionTable(): string {
  const rows = Object.entries(OPEN_QUESTIONS).map(([u, { question, byDefault, otherwise }]) => [
    u,
    question,
    byDefault,
    otherwise,
  ]);
  return table(['U', 'open question', 'by default', 'otherwise'], rows);
}

const SCENARIO_HOLDS: Readonly<Record<string, string>> = {
  empty: 'nothing: no account, no order',
  demo: 'a month of trade of sixteen accounts, ending yesterday, with one planted break of every class',
  volume: 'as many accounts, deposits, transfers and withdrawals as asked for, computed and not stored',
};

function scenarioTable(): string {
  const [objects] = scenarioSchema.options;
  const rows = objects.options.map((option) => {
    const { properties = {} } = jsonSchemaOf(option) as {
      properties?: Record<string, { default?: unknown }>;
    };
    const { name: _name, ...members } = properties;
    const shown = Object.entries(members).map(([name, { default: usual }]) =>
      usual === undefined ? `\`${name}\`` : `\`${name}\` (${jsonText(usual)})`,
    );
    const [name = ''] = option.shape.name.values;
    return [`\`${name}\``, SCENARIO_HOLDS[name] ?? '', shown.join(', ')];
  });
  return table(['scenario', 'holds', 'members (default)'], rows);
}

function credentialTable(): string {
  const rows = DEFAULT_CREDENTIALS.map(({ merchant, mode, id, secret }) => [
    `\`${merchant}\``,
    mode === 'apiKey' ? 'API key' : 'app',
    `\`${id}\``,
    `\`${secret}\``,
  ]);
  return table(['company', 'mode', '`apiKey` or `appId`', 'secret'], rows);
}

/** A limit that the code holds as a constant, or as the default of a switch. */
type Limit = readonly [what: string, unit: string, at: readonly [path: string, name: string] | string];

const SECONDS = ' s';
const LIMITS: readonly Limit[] = [
  ['`reqTime` may be off by', SECONDS, ['src/sandbox/protocol/envelope.ts', 'REQ_TIME_TOLERANCE_MS']],
  ['a `reqId` may not come again within', SECONDS, ['src/sandbox/protocol/req-ids.ts', 'LIFE_MS']],
  ['length of a `reqId`', ' characters', ['src/sandbox/protocol/envelope.ts', 'REQ_ID_LENGTH_MAX']],
  ['length of a number of yours', ' characters', ['src/sandbox/protocol/params.ts', 'NUMBER_LENGTH_MAX']],
  ['records of a page of `query/deposit`', '', ['src/sandbox/endpoints/query-deposit.ts', 'PAGE_SIZE_MAX']],
  ['orders of a transfer batch', '', 'ordersMax'],
  ['amount of a transfer order', ' fen', 'childAmountMaxFen'],
  ['`extParam` of an order', ' characters', ['src/sandbox/orders/read-pay.ts', 'ORDER_EXT_PARAM_MAX']],
  ['texts of a batch', ' characters', ['src/sandbox/orders/read-pay.ts', 'BATCH_TEXT_MAX']],
  ['`remark` of `order/settle`', ' bytes', ['src/sandbox/endpoints/order-settle.ts', 'REMARK_BYTES_MAX']],
  ['life of an SMS code', SECONDS, 'smsTtlSeconds'],
  ['calls a second', '', 'callsPerSecondMax'],
  ['body of a request', ' bytes', ['src/sandbox/server/serve.ts', 'BODY_BYTES_MAX']],
  ['requests the log keeps', '', ['src/sandbox/protocol/request-log.ts', 'KEPT_MAX']],
];

function limitTable(): string {
  const usual: Readonly<Record<string, unknown>> = defaultSwitches(readProfile(undefined, 'defaults'));
  const rows = LIMITS.map(([what, unit, at]) => {
    if (typeof at === 'string') {
      const value = usual[at];
      const isNumber = typeof value === 'number' || typeof value === 'bigint';
      return [what, isNumber ? `${value.toLocaleString('en')}${unit}` : 'no limit', `switch \`${at}\``];
    }
    const number = constantIn(...at);
    const shown = unit === SECONDS ? number / 1_000 : number;
    return [what, `${shown.toLocaleString('en')}${unit}`, `\`${at[0]}\``];
  });
  return table(['limit', 'at most', 'decided by'], rows);
}

function refusalTable(): string {
  const rows = Object.entries(REFUSAL_CODES).map(([kind, code]) => [
    `\`${code}\``,
    kind.toLowerCase().replaceAll('_', ' '),
  ]);
  return table(['code', 'why it was refused'], rows);
}

export const SANDBOX_TABLES = {
  'sandbox-controls': routeTable,
  'sandbox-credentials': credentialTable,
  'sandbox-faults': faultTable,
  'sandbox-limits': limitTable,
  'sandbox-refusals': refusalTable,
  'sandbox-questions': questionTable,
  'sandbox-scenarios': scenarioTable,
  'sandbox-switches': switchTable,
  'sandbox-vouchers': voucherTable,
} as const;
