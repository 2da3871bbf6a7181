/** Walks one window against a real server, and keeps all that was seen on the way. */
import type { DaySpan } from '../../../src/core/window.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import type { ReadPage, WindowRead } from '../../../src/platform/deposit-walk.ts';
import { answerFrom } from './deposit-world.ts';
import type { DepositWorld } from './deposit-world.ts';
import { clientOf, profileOf, servePlatform, SHANGHAI } from '../platform-server.ts';
import type { Received, Reply } from '../platform-server.ts';

export const MARCH: DaySpan = { from: '2026-03-01', to: '2026-03-11' };
export const TODAY = '2026-04-01';
export const FAST = { http: { rate: { perSecond: 10_000, concurrency: 4 } } };

interface Walk {
  span?: DaySpan;
  today?: string;
  profile?: object;
}

export async function walk(answer: (request: Received, requestNo: number) => Reply, options: Walk = {}) {
  const { span = MARCH, today = TODAY, profile: overrides = {} } = options;
  await using platform = await servePlatform(answer);
  const profile = profileOf({ ...FAST, ...overrides });
  await using client = clientOf(platform.url, { profile });
  const pages: ReadPage[] = [];
  const onPage = (page: ReadPage): void => void pages.push(page);
  const read = await readWindow({
    client,
    profile,
    zone: SHANGHAI,
    accountNo: '100001',
    span,
    today,
    onPage,
  });
  const seen = new Set(pages.flatMap(({ inside }) => inside.map(({ orderNo }) => orderNo)));
  return { read, pages, seen, requests: platform.requests.map(({ biz }) => biz) };
}

export async function walkWorld(world: DepositWorld, options?: Walk) {
  return await walk(answerFrom(world), options);
}

/** What a settled window says, in few words; else why it did not settle. */
export function summary(read: WindowRead): unknown {
  if (!read.settled) return 'reason' in read ? read.reason : read.refused.code;
  const { pages, total, insideCount, insideSumFen, verified } = read.pass;
  return { passes: read.passes, pages, total, insideCount, insideSumFen, verified };
}
