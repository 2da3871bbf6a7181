/**
 * The boundary pairs of requests (LIM-03…15 and the members they belong to): one request that is just taken, one
 * that is just not, and what is said of it. What request-mutations.ts says of any request is not here again.
 */
import type { EndpointName } from '../../../src/platform/contract.ts';
import { ORDERS, sample, transfer } from './request-samples.ts';
import type { Sample } from './request-samples.ts';

export interface Boundary {
  requirement: string;
  what: string;
  endpoint: EndpointName;
  taken: Sample;
  refused: Sample;
  fault: string;
}

const letters = (length: number): string => 'x'.repeat(length);

/** A text of 32 places in the member, and one of 33. */
function length(endpoint: EndpointName, name: string, max: number, requirement: string): Boundary {
  return {
    requirement,
    what: `${name} of ${max} and ${max + 1} characters`,
    endpoint,
    taken: sample(endpoint, { [name]: letters(max) }),
    refused: sample(endpoint, { [name]: letters(max + 1) }),
    fault: `${name} has ${max + 1} characters (one outside ASCII counts three), and at most ${max} are taken (${requirement})`,
  };
}

const LENGTHS: readonly Boundary[] = [
  length('acct/auditApply', 'outReqNo', 32, 'OPN-12, LIM-03'),
  length('acct/changeApply', 'outReqNo', 32, 'CHG-02, LIM-03'),
  length('acct/changeApply', 'recordId', 19, 'CHG-01, LIM-15'),
  length('acct/changeApplyResult', 'outReqNo', 32, 'CHG-18, LIM-03'),
  length('division/pay', 'extParam', 100, 'DIV-20, LIM-14'),
  length('division/pay', 'body', 100, 'DIV-20, LIM-14'),
];

const [FIRST = {}, SECOND = {}] = ORDERS;
const COUNTED = 'characters (one outside ASCII counts three)';

/** One order of the batch with another member. */
const order = (over: Sample): Sample => transfer([{ ...FIRST, ...over }, SECOND]);

function ordersOf(count: number): Sample[] {
  return Array.from({ length: count }, (_, at) => ({ ...FIRST, outOrderNo: `T${at}` }));
}

const TRANSFERS: readonly Omit<Boundary, 'endpoint'>[] = [
  {
    requirement: 'DIV-17, LIM-08',
    what: 'extParam of an order of 32 and 33 ASCII characters',
    taken: order({ extParam: letters(32) }),
    refused: order({ extParam: letters(33) }),
    fault: `orderList[0].extParam has 33 ${COUNTED}, and at most 32 are taken (DIV-17, LIM-08)`,
  },
  {
    requirement: 'DIV-20, LIM-14',
    what: 'remark of 33 Chinese characters and one ASCII, and of 34 Chinese',
    taken: sample('division/pay', { remark: `${'备'.repeat(33)}a` }),
    refused: sample('division/pay', { remark: '备'.repeat(34) }),
    fault: `remark has 102 ${COUNTED}, and at most 100 are taken (DIV-20, LIM-14)`,
  },
  {
    requirement: 'DIV-18, LIM-05',
    what: '20 and 21 transfer orders',
    taken: transfer(ordersOf(20)),
    refused: transfer(ordersOf(21)),
    fault: 'orderList holds 21 transfer orders, and at most 20 are taken (DIV-18, LIM-05)',
  },
  {
    requirement: 'DIV-03, LIM-07',
    what: 'num that is and is not the number of orders',
    taken: sample('division/pay', { num: 2 }),
    refused: sample('division/pay', { num: 3 }),
    fault: 'num is 3, and orderList holds 2 (DIV-03, LIM-07)',
  },
  {
    requirement: 'DIV-04, LIM-07',
    what: 'amount that is the sum, and one fen beside it',
    taken: sample('division/pay', { amount: 100_000n }),
    refused: sample('division/pay', { amount: 100_001 }),
    fault: 'amount is 100001, and the transfer orders sum up to 100000 (DIV-04, LIM-07)',
  },
  {
    requirement: 'DIV-15',
    what: 'an order of one fen and of none',
    taken: order({ amount: '1' }),
    refused: order({ amount: '0' }),
    fault: 'orderList[0].amount must be whole fen above 0 in digits, not "0" (DIV-15, DIV-19, LIM-06)',
  },
];

const SPAN = (startDate: string, endDate: string): Sample => sample('query/deposit', { startDate, endDate });

const DEPOSITS: readonly Omit<Boundary, 'endpoint'>[] = [
  {
    requirement: 'DEP-03, LIM-10',
    what: '01-01 to 02-01 and to 02-02',
    taken: SPAN('2026-01-01', '2026-02-01'),
    refused: SPAN('2026-01-01', '2026-02-02'),
    fault:
      'endDate 2026-02-02 is more than a month after startDate 2026-01-01: at most 2026-02-01 (DEP-03, LIM-10)',
  },
  {
    requirement: 'DEP-03, LIM-10',
    what: '01-31 to 02-28 and to 03-01',
    taken: SPAN('2026-01-31', '2026-02-28'),
    refused: SPAN('2026-01-31', '2026-03-01'),
    fault:
      'endDate 2026-03-01 is more than a month after startDate 2026-01-31: at most 2026-02-28 (DEP-03, LIM-10)',
  },
  {
    requirement: 'DEP-05, LIM-11',
    what: 'a page of 1 and of 0',
    taken: sample('query/deposit', { pageSize: 1 }),
    refused: sample('query/deposit', { pageSize: 0 }),
    fault: 'pageSize must be from 1 to 100, not 0 (DEP-05, LIM-11)',
  },
];

const SETTLES: readonly Omit<Boundary, 'endpoint'>[] = [
  {
    requirement: 'STL-03, LIM-12',
    what: 'a remark of 32 and of 33 bytes',
    taken: sample('order/settle', { remark: letters(32) }),
    refused: sample('order/settle', { remark: letters(33) }),
    fault: 'remark is not taken: the remark has 33 bytes, and at most 32 are taken (STL-03, LIM-12)',
  },
  {
    requirement: 'STL-03, LIM-12',
    what: 'a remark of which something is left, and nothing',
    taken: sample('order/settle', { remark: '!a!' }),
    refused: sample('order/settle', { remark: '!!!' }),
    fault:
      'remark is not taken: nothing is left of the remark when its special characters are taken out (STL-03, LIM-12)',
  },
];

const of =
  (endpoint: EndpointName) =>
  (pair: Omit<Boundary, 'endpoint'>): Boundary => ({ ...pair, endpoint });

export const BOUNDARIES: readonly Boundary[] = [
  ...LENGTHS,
  ...TRANSFERS.map(of('division/pay')),
  ...DEPOSITS.map(of('query/deposit')),
  ...SETTLES.map(of('order/settle')),
];
