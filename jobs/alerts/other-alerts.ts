/** What is told beside a verdict: that there is none, and what waits for a person. Each is raised once for its cause. */
import { createHash } from 'node:crypto';
import { inWords } from '../../reports/words/plain-text.ts';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import { addDays, daysBetween } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { listAttempts, resultOfAttempt, settleSpanOf } from '../../src/settlements/settle-list.ts';
import type { ListedAttempt } from '../../src/settlements/settle-list.ts';
import { findNightOf } from '../../src/store/alerts/night-facts.ts';
import { findBreaks } from '../../src/store/runs/breaks.ts';
import { lastNight } from '../../src/store/runs/nights.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { InboxFile } from '../inbox/take-inbox.ts';
import { causeText } from '../night/stopped-night.ts';
import { raise } from './raise.ts';
import type { Telling } from './raise.ts';
import type { Sum } from './words/alert-words.ts';
import { wordsOfAlerts } from './words/words-of-alerts.ts';

/** @param hasVerdict the proof stands; what came after it failed */
export async function raiseFailure(
  context: Telling,
  of: { day: Day; error: unknown; hasVerdict: boolean },
): Promise<void> {
  const { day, error, hasVerdict } = of;
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const what = error instanceof Error ? error.name : 'Error';
  await raise(context, `run_failed:${day}:${what}:${hasVerdict ? 'after' : 'before'}`, {
    kind: 'run_failed',
    severity: hasVerdict ? 'warning' : 'critical',
    day,
    title: hasVerdict ? titles.failedAfter(day) : titles.failed(day),
    lines: [lines.cause(causeText(context, error)), lines.doAgain(day)],
  });
}

/** The night of yesterday has no verdict at the hour by which there should be one. */
export async function raiseLate(context: Telling): Promise<void> {
  const { db, zone, clock, settings } = context;
  const day = addDays(zone.dayOf(clock.wall()), -1);
  if (!isLateNow(context) || !(await isExpected(context, day)) || (await findNightOf(db, day)) !== undefined)
    return;
  const { titles, lines } = wordsOfAlerts(settings.reportLocale);
  await raise(context, `late:${day}`, {
    kind: 'late',
    severity: 'critical',
    day,
    title: titles.late({ day, by: settings.alerts.lateAt }),
    lines: [lines.doLook, lines.doAgain(day)],
  });
}

/** By now yesterday's night should have come to its end. */
export function isLateNow({ zone, clock, settings }: Telling): boolean {
  return zone.localText(clock.wall()).slice(11, 16) >= settings.alerts.lateAt;
}

/** Before the first night nobody waits for one. */
async function isExpected({ db }: Telling, day: Day): Promise<boolean> {
  const last = await lastNight(db);
  return last !== undefined && last < day;
}

/** Days that lie too far back for the schedule to catch up on. */
export async function raiseMissed(context: Telling, span: { from: Day; through: Day }): Promise<void> {
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const { from, through } = span;
  const days = daysBetween({ from, to: through }) + 1;
  await raise(context, `missed:${from}`, {
    kind: 'missed',
    severity: 'critical',
    title: titles.missed({ from, through, days }),
    lines: [lines.doBackfill({ from, through })],
    count: days,
  });
}

/** What was delivered and is not in the books; what is still being written may be there the next time. */
export async function raiseInbox(context: Telling, files: readonly InboxFile[]): Promise<void> {
  const left = files.filter(({ outcome }) => outcome === 'failed' || outcome === 'misplaced');
  if (left.length === 0) return;
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const day = context.zone.dayOf(context.clock.wall());
  const names = left.map(({ file, movedTo, outcome }) => `${outcome} ${movedTo ?? file}`);
  const listed = left.map(({ file, outcome }) =>
    lines.file({ file, outcome: lines.outcomes[outcome === 'failed' ? 'failed' : 'misplaced'] }),
  );
  await raise(context, `inbox:${day}:${digestOf(names)}`, {
    kind: 'inbox',
    severity: 'warning',
    title: titles.inbox(left.length),
    lines: [...listed, lines.doInbox],
    count: left.length,
  });
}

/** What a night could not take from the company's database; another reason is told anew. */
export async function raisePull(
  context: Telling,
  { day, error }: { day: Day; error: unknown },
): Promise<void> {
  const { reportLocale } = context.settings;
  const { titles, lines } = wordsOfAlerts(reportLocale);
  const words = wordsOf(reportLocale);
  const cause = causeText(context, error);
  const said = cause.split('\n').map((line) => inWords(words, line));
  await raise(context, `pull:${day}:${digestOf([cause])}`, {
    kind: 'pull',
    severity: 'warning',
    day,
    title: titles.pull(day),
    lines: [lines.cause(said.join('\n')), lines.doPull(day)],
  });
}

/** Settlements of that night that failed, and what waits for a person before any more is sent. */
export async function raiseSettlements(context: Telling, run: Run): Promise<void> {
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const about = { day: run.to_day, runId: run.run_id };
  const span = settleSpanOf(run.facts);
  const attempts = span === undefined ? [] : await listAttempts(context.db, span);
  const failed = attempts.filter(
    (one) => !one.isOlder && ['FAIL', 'RETURNED'].includes(resultOfAttempt(one)),
  );
  if (failed.length > 0) {
    const [sum, names] = [sumOf(failed), namesOf(failed)];
    await raise(context, `settlement:${digestOf(names)}`, {
      ...about,
      kind: 'settlement',
      severity: 'warning',
      title: titles.settlement(run.to_day, sum),
      lines: [...notesOf(failed), lines.doSettle],
      count: sum.count,
      sumFen: fenOf(failed),
    });
  }
  const awaiting = attempts.filter((one) => resultOfAttempt(one) === 'AWAITING');
  if (awaiting.length > 0) {
    const sum = sumOf(awaiting);
    await raise(context, `awaiting:${run.to_day}:${digestOf(namesOf(awaiting))}`, {
      ...about,
      kind: 'approval',
      severity: 'warning',
      title: titles.awaiting(sum),
      lines: [lines.doSettle],
      count: sum.count,
      sumFen: fenOf(awaiting),
    });
  }
  await raisePlan(context, run);
}

async function raisePlan(context: Telling, run: Run): Promise<void> {
  const { titles, lines } = wordsOfAlerts(context.settings.reportLocale);
  const settle = isJsonObject(run.facts) ? member(run.facts, 'settle') : undefined;
  if (!isJsonObject(settle) || member(settle, 'state') !== 'needs_approval') return;
  const planned = member(settle, 'planned');
  const orders = typeof planned === 'number' ? planned : 0;
  await raise(context, `plan:${run.to_day}:${String(member(settle, 'digest'))}`, {
    kind: 'approval',
    severity: 'warning',
    day: run.to_day,
    runId: run.run_id,
    title: titles.plan({ orders }),
    lines: [lines.doSettle],
    count: orders,
  });
}

/** Write-offs that a preparer proposed and nobody has approved. */
export async function raiseWriteOffs(context: Telling, run: Run): Promise<void> {
  const { db, zone, clock, settings } = context;
  const filter = { isProposed: true, withClosed: false };
  const proposed = await findBreaks(db, filter, zone.dayOf(clock.wall()));
  if (proposed.length === 0) return;
  const { titles, lines } = wordsOfAlerts(settings.reportLocale);
  const sumFen = proposed.reduce((sum, { difference_fen: fen }) => sum + (fen < 0n ? -fen : fen), 0n);
  await raise(context, `write_offs:${run.to_day}`, {
    kind: 'approval',
    severity: 'warning',
    title: titles.writeOffs({ count: proposed.length, yuan: yuanForPeople(sumFen) }),
    lines: [lines.doApproveWriteOffs],
    count: proposed.length,
    sumFen,
  });
}

type Named = Pick<ListedAttempt, 'outOrderNo' | 'attemptNo' | 'reqId' | 'amountFen' | 'note'>;

const namesOf = (attempts: readonly Named[]): string[] => attempts.map(({ reqId }) => reqId);

const fenOf = (attempts: readonly Named[]): bigint => attempts.reduce((sum, one) => sum + one.amountFen, 0n);

function sumOf(attempts: readonly Named[]): Sum {
  return { count: attempts.length, yuan: yuanForPeople(fenOf(attempts)) };
}

/** What the platform said, each once. */
function notesOf(attempts: readonly Named[]): string[] {
  return [...new Set(attempts.map(({ note }) => note).filter((note) => note !== ''))].slice(0, 5);
}

function digestOf(names: readonly string[]): string {
  return createHash('sha256').update(names.toSorted().join('|')).digest('hex').slice(0, 16);
}
