/**
 * Faults of what the platform says (docs/reliability.md 1b): bizData is changed before it is signed, so that the
 * answer is authentic and wrong.
 */
import type { EndpointName } from '../../platform/contract.ts';
import type { MetFault } from './fault-plan.ts';
import type { AMOUNT_FORMS, Fault, FaultOf, TEXT_FORMS, TIME_FORMS } from './fault-schema.ts';
import { applyPatch, lexeme } from '../world/wire-patch.ts';
import type { WireObject } from '../protocol/wire.ts';

const ORDER_MEMBERS = { amount: 'amount', text: 'note', enumeration: 'state' };
/** Which member a fault means when it does not say. */
const USUAL_MEMBERS: Partial<Record<EndpointName, { amount: string; text: string; enumeration: string }>> = {
  'acct/queryInfo': { amount: 'balance', text: 'eleAcctName', enumeration: 'accountState' },
  'query/deposit': { amount: 'amount', text: 'remark', enumeration: 'feeType' },
  'division/pay': ORDER_MEMBERS,
  'division/query': ORDER_MEMBERS,
  'division/refund': ORDER_MEMBERS,
  'account/withdraw': ORDER_MEMBERS,
  'account/queryWithdraw': ORDER_MEMBERS,
};

const LISTS = ['orderList', 'fileList', 'depositList'];

export function applyDataFaults(
  endpoint: EndpointName,
  answer: WireObject,
  faults: readonly MetFault[],
): void {
  for (const met of faults) applyDataFault(endpoint, answer, met);
}

function applyDataFault(endpoint: EndpointName, answer: WireObject, { fault, nth }: MetFault): void {
  const listName = LISTS.find((name) => name in answer) ?? 'depositList';
  const list = answer[listName];
  const rows = Array.isArray(list) ? (list as WireObject[]) : undefined;
  if (fault.kind === 'total') addToTotal(answer, fault.growing ? fault.by * nth : fault.by);
  else if (rows && fault.kind === 'empty_list') {
    Object.assign(answer, { [listName]: [] }, listName === 'depositList' ? { total: 0 } : {});
  } else if (rows && fault.kind === 'repeat_row') {
    for (const place of places(fault.row, rows)) rows.push({ ...rows[place] });
  } else if (rows && fault.kind === 'drop_row') {
    for (const place of places(fault.row, rows).toReversed()) rows.splice(place, 1);
  } else changeRecords(endpoint, rows ?? [answer], fault);
}

function changeRecords(endpoint: EndpointName, rows: readonly WireObject[], fault: Fault): void {
  if (!('row' in fault)) return;
  for (const place of places(fault.row, rows)) {
    const record = rows[place];
    if (record) changeRecord(endpoint, record, fault);
  }
}

function changeRecord(endpoint: EndpointName, record: WireObject, fault: Fault): void {
  const usual = USUAL_MEMBERS[endpoint];
  if (fault.kind === 'record') applyPatch(record, fault);
  if (fault.kind === 'rename_member') {
    record[fault.to] = record[fault.from];
    delete record[fault.from];
  }
  if (fault.kind === 'amount') setMember(record, fault.member ?? usual?.amount, AMOUNTS[fault.form]);
  if (fault.kind === 'text') setMember(record, fault.member ?? usual?.text, POISON[fault.form]);
  if (fault.kind === 'time') setMember(record, 'depositTime', TIMES[fault.form]);
  if (fault.kind === 'unknown_enum') setMember(record, usual?.enumeration, fault.value);
}

function places(row: FaultOf<'record'>['row'], rows: readonly unknown[]): number[] {
  if (row === 'all') return rows.map((_, place) => place);
  return row < rows.length ? [row] : [];
}

function setMember(record: WireObject, name: string | undefined, value: unknown): void {
  if (name !== undefined) record[name] = value;
}

function addToTotal(answer: WireObject, by: number): void {
  const total = answer['total'];
  if (typeof total === 'number') answer['total'] = total + by;
  if (typeof total === 'string') answer['total'] = String(Number.parseInt(total, 10) + by);
}

/** 12.5 and the like are lexemes: `JSON.stringify` would write 100.0 as 100. */
const AMOUNTS: Readonly<Record<(typeof AMOUNT_FORMS)[number], unknown>> = {
  string: '12345',
  exponent: lexeme('1e3'),
  point: lexeme('100.0'),
  fraction: lexeme('12.5'),
  negative: -1,
  null: null,
  empty: '',
  blank: ' 100',
  boolean: true,
  beyond_2_53: lexeme('9007199254740993'),
  beyond_limit: '1000000000000001',
};

/** A text of a hundred thousand characters is longer than any cell or sensible column. */
const LONG_TEXT_LENGTH = 100_000;

const POISON: Readonly<Record<(typeof TEXT_FORMS)[number], unknown>> = {
  nul: 'a\u0000b',
  lone_surrogate: 'a\ud800b',
  fffe: 'a\ufffeb',
  rtl: 'a\u202egnp.exe\u200f',
  long: '长'.repeat(LONG_TEXT_LENGTH),
  formula: '=HYPERLINK("http://example.invalid","x")',
  object: { formula: 'HYPERLINK("http://example.invalid")' },
  control: 'a\u0007\u001b[31m\r\nb_x0041_',
};

const TIMES: Readonly<Record<(typeof TIME_FORMS)[number], unknown>> = {
  outside: '2001-01-01 00:00:00',
  impossible: '2024-02-30 12:00:00',
  empty: '',
  date_only: '2024-02-29',
  number: 1_709_179_200_000,
};
