/** A platform that lists deposits: as many as the test wants, in any order, changing while they are read. */
import type { Received, Reply } from '../platform-server.ts';
import { refusalText, successText } from '../platform-server.ts';

export interface WorldDeposit {
  orderNo: string;
  /** `yyyy-MM-dd HH:mm:ss` in Shanghai. */
  depositTime: string;
  amount: number;
  /** More members, or others. */
  other?: Record<string, unknown>;
}

export interface DepositWorld {
  deposits: WorldDeposit[];
  order?: 'newest' | 'oldest' | ((rows: WorldDeposit[], requestNo: number) => WorldDeposit[]);
  endInclusive?: boolean;
  /** What the platform says there is; by default as many as it lists. */
  total?: number;
  /** Runs after the answer to that request (1, 2, …) is made: what happens between two pages. */
  afterRequest?: (requestNo: number) => void;
}

/** `count` deposits of 100 fen more each, a minute apart from midnight of the day. */
export function depositsOf(day: string, count: number, prefix = 'D'): WorldDeposit[] {
  return Array.from({ length: count }, (_, index) => ({
    orderNo: `${prefix}${String(index + 1).padStart(5, '0')}`,
    depositTime: `${day} ${two(Math.floor(index / 60))}:${two(index % 60)}:00`,
    amount: (index + 1) * 100,
  }));
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Answers query/deposit from the world as it is at that moment. */
export function answerFrom(world: DepositWorld): (request: Received, requestNo: number) => Reply {
  return ({ biz }, requestNo) => {
    const text = successText(pageFrom(world, biz as unknown as Asked, requestNo));
    world.afterRequest?.(requestNo);
    return biz['payeeAcctNo'] === '100001' ? text : refusalText('E1', 'unexpected account');
  };
}

export interface Asked {
  startDate: string;
  endDate: string;
  page: number;
  pageSize: number;
}

export function pageFrom(world: DepositWorld, asked: Asked, requestNo: number): object {
  const { startDate, endDate, page, pageSize } = asked;
  const lastDay = world.endInclusive === false ? endDate : `${endDate}~`;
  const listed = world.deposits.filter(
    ({ depositTime }) => depositTime >= startDate && depositTime < lastDay,
  );
  const rows = ordered(listed, world, requestNo);
  const depositList = rows.slice((page - 1) * pageSize, page * pageSize).map(wireOf);
  return { total: world.total ?? rows.length, page, pageSize, depositList };
}

function ordered(
  rows: WorldDeposit[],
  { order = 'newest' }: DepositWorld,
  requestNo: number,
): WorldDeposit[] {
  if (typeof order === 'function') return order(rows, requestNo);
  const oldest = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return order === 'oldest' ? oldest : oldest.toReversed();
}

function keyOf({ depositTime, orderNo }: WorldDeposit): string {
  return `${depositTime} ${orderNo}`;
}

function wireOf({ orderNo, depositTime, amount, other }: WorldDeposit): object {
  const record = {
    orderNo,
    amount,
    fee: 0,
    realAmount: amount,
    feeType: 'ORDER',
    payeeAcctNo: '100001',
    depositTime,
  };
  return { ...record, ...other };
}
