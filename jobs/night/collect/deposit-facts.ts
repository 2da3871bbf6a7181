/** From what the walk read to what is stored: records with their evidence, faults, days proven. */
import { createHash } from 'node:crypto';
import { addDays } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import type { DaySpan } from '../../../src/core/window.ts';
import type { UnreadableRecord } from '../../../src/platform/contract.ts';
import type { ReadPage } from '../../../src/platform/deposit-walk.ts';
import type { AnswerEvidence } from '../../../src/store/deposits/answers.ts';
import type { DepositFact } from '../../../src/store/deposits/deposits.ts';
import type { RecordFault } from '../../../src/store/deposits/record-faults.ts';
import type { DayProof } from '../../../src/store/deposits/windows.ts';

/** The days of a window that this reading proves: the running day keeps growing and is not among them. */
export function daysOf(
  span: DaySpan,
  today: Day,
  perDay: ReadonlyMap<Day, { count: number; sumFen: bigint; digest: string }>,
): DayProof[] {
  const days: DayProof[] = [];
  for (let day = span.from; day < span.to && day < today; day = addDays(day, 1)) {
    const tally = perDay.get(day);
    days.push({ day, count: tally?.count ?? 0, sumFen: tally?.sumFen ?? 0n, digest: tally?.digest ?? '' });
  }
  return days;
}

export function evidenceOf(accountNo: string, page: ReadPage): AnswerEvidence {
  return {
    sha256: createHash('sha256').update(page.bizText, 'utf8').digest('hex'),
    endpoint: 'query/deposit',
    accountNo,
    reqId: page.reqId,
    requestedAt: page.requestedAt,
    signed: page.signed,
    bizText: page.bizText,
  };
}

/** Of a page only what is stored is kept: a batch is made of many pages. */
export function factsOf(
  page: ReadPage,
  of: { accountNo: string; answer: AnswerEvidence; seenAt: string },
): DepositFact[] {
  const { accountNo, answer, seenAt } = of;
  return page.inside.map(({ orderNo }, at) => ({
    accountNo,
    orderNo,
    content: page.contents[at] ?? '',
    contentDigest: page.digests[at] ?? '',
    seenAt,
    answer,
  }));
}

export function faultOf(accountNo: string, record: UnreadableRecord): RecordFault {
  return { accountNo, kind: 'unreadable', ...record };
}
