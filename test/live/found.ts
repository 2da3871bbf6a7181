/** What must be true at any moment, whatever was killed: read from the platform, the database and the disk. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Selectable } from 'kysely';
import type { SettleAttemptTable } from '../../src/store/schema/schema-settle.ts';
import { ATTEMPTS_MAX } from './live-world.ts';
import type { LiveWorld } from './live-world.ts';
import type { PaidOut } from './platform-process.ts';

type Attempt = Selectable<SettleAttemptTable>;

interface Facts {
  payouts: readonly PaidOut[];
  attempts: readonly Attempt[];
  /** When each attempt was stored as sent, by its request: the number of that change. */
  sent: ReadonlyMap<string, bigint>;
  arrived: ReadonlySet<string>;
}

/** Watches every settlement as it leaves: it must be stored as sent by then, for whoever reads (invariant 13). */
export function watchSends(world: LiveWorld, violations: string[]): (reqId: string) => Promise<void> {
  return async (reqId) => {
    const row = await world.db
      .selectFrom('settle_attempt')
      .select(['state', 'req_time'])
      .where('req_id', '=', reqId)
      .executeTakeFirst();
    if (row === undefined) violations.push(`${reqId} left and is in no attempt`);
    else if (row.req_time === null) violations.push(`${reqId} left while its attempt was ${row.state}`);
  };
}

/** What is wrong now; nothing when all is well. */
export async function violationsNow(world: LiveWorld): Promise<string[]> {
  const facts = await factsNow(world);
  return [
    ...paidTwice(facts),
    ...unaccounted(facts),
    ...wronglyCertain(facts),
    ...(await disk(world, facts)),
  ];
}

/** The platform first: what it did by then was stored before. */
async function factsNow({ platform, db, network }: LiveWorld): Promise<Facts> {
  const payouts = await platform.payouts();
  const arrived = new Set(network.arrived);
  const [attempts, events] = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => [
      await trx.selectFrom('settle_attempt').selectAll().execute(),
      await trx
        .selectFrom('settle_event as e')
        .innerJoin('settle_attempt as a', (join) =>
          join
            .onRef('a.account_no', '=', 'e.account_no')
            .onRef('a.out_order_no', '=', 'e.out_order_no')
            .onRef('a.attempt_no', '=', 'e.attempt_no'),
        )
        .select(['a.req_id', 'e.sequence'])
        .where('e.state', '=', 'SENT')
        .orderBy('e.sequence', 'desc')
        .execute(),
    ]);
  return { payouts, attempts, arrived, sent: new Map(events.map((row) => [row.req_id, row.sequence])) };
}

/** H1, M3, invariant 12: one order leaves its account once, unless the bank gave the money back in between. */
function paidTwice({ payouts }: Facts): string[] {
  const last = new Map<string, PaidOut>();
  return payouts.flatMap((payout) => {
    const before = last.get(payout.outOrderNo);
    last.set(payout.outOrderNo, payout);
    const isTwice =
      before !== undefined && !(before.returnedAt !== undefined && before.returnedAt <= payout.at);
    return isTwice ? [`${payout.outOrderNo} was paid twice: by ${before.reqId} and by ${payout.reqId}`] : [];
  });
}

function unaccounted({ payouts, sent }: Facts): string[] {
  return payouts
    .filter(({ reqId }) => !sent.has(reqId))
    .map(({ outOrderNo, reqId }) => `${outOrderNo} was paid by ${reqId}, which is not stored as sent`);
}

/** Invariant 14: what is closed is as it says. */
function wronglyCertain({ attempts, payouts, arrived }: Facts): string[] {
  const paid = new Set(payouts.map(({ reqId }) => reqId));
  return attempts.flatMap(({ req_id: reqId, outcome }) => {
    if (outcome === 'SUCCESS' && !paid.has(reqId)) return [`${reqId} is closed as paid, and was not paid`];
    if (outcome === 'FAIL' && paid.has(reqId)) return [`${reqId} is closed as failed, and was paid`];
    if (outcome === 'NOT_SENT' && arrived.has(reqId)) return [`${reqId} is closed as not sent, and arrived`];
    return [];
  });
}

/** The number on the disk is one of a send, none that the database has not reached, and nothing arrived before it. */
async function disk({ markFile, db }: LiveWorld, { sent, arrived }: Facts): Promise<string[]> {
  const folder = path.dirname(markFile);
  const names = await readdir(folder).catch((): string[] => []);
  const strange = names.filter((name) => name !== 'settle-mark' && !name.startsWith('.tmp-'));
  const found = strange.map((name) => `a strange file beside the mark: ${name}`);
  if (!names.includes('settle-mark'))
    return arrived.size > 0 ? [...found, 'settlements arrived without a mark'] : found;
  const text = await readFile(markFile, 'utf8');
  if (!/^\d+ (?:[0-9a-f]{32}|-) \S+ (?:sure|doubtful) \S+ \S+ \S+\n$/.test(text))
    return [...found, `the mark holds ${JSON.stringify(text)}`];
  const mark = numberIn(text);
  const guard = await db.selectFrom('settle_guard').selectAll().executeTakeFirst();
  const sequence = guard?.sequence ?? 0n;
  if (mark > sequence) found.push(`the mark is ${mark}, the database is at ${sequence}`);
  const beyond = [...arrived].filter((reqId) => (sent.get(reqId) ?? 0n) > mark);
  return [...found, ...beyond.map((reqId) => `${reqId} arrived, and the mark ${mark} is of before it`)];
}

function numberIn(mark: string): bigint {
  return BigInt(mark.split(' ')[0] ?? '');
}

/** What must be true at the end: every order is paid once, and nothing is open. */
export async function violationsAtEnd(world: LiveWorld): Promise<string[]> {
  const { payouts, attempts, sent } = await factsNow(world);
  const paid = new Set(payouts.map(({ outOrderNo }) => outOrderNo));
  const unpaid = Array.from({ length: world.orderCount }, (_, no) => `T${no}`).filter((no) => !paid.has(no));
  const spent = new Set(
    attempts.filter((one) => one.attempt_no >= ATTEMPTS_MAX).map((one) => one.out_order_no),
  );
  const open = attempts.filter(({ state }) => state !== 'CLOSED');
  const mark = numberIn(await readFile(world.markFile, 'utf8'));
  const lastSent = [...sent.values()].reduce((most, sequence) => (sequence > most ? sequence : most), 0n);
  return [
    ...(await violationsNow(world)),
    ...unpaid.filter((no) => !spent.has(no)).map((no) => `${no} was never paid`),
    ...open.map(({ out_order_no: no, req_id: reqId, state }) => `${no}: ${reqId} is still ${state}`),
    ...(mark >= lastSent ? [] : [`the mark is ${mark}, the last send is the change ${lastSent}`]),
  ];
}

/** How many attempts came to what. */
export async function attemptsByOutcome({ db }: LiveWorld): Promise<Counts> {
  const rows = await db.selectFrom('settle_attempt').select(['state', 'outcome']).execute();
  return counted(rows.map(({ state, outcome }) => outcome ?? state));
}

export type Counts = Readonly<Record<string, number>>;

export function counted(words: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** `FAIL 3, SUCCESS 40`. */
export function countsText(counts: Counts): string {
  return Object.entries(counts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

export function summed(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [word, count] of Object.entries(counts)) sum[word] = (sum[word] ?? 0) + count;
  }
  return sum;
}
