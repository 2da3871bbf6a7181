/**
 * A person's word that an attempt which awaits one was not paid. It is of what was shown: it does not hold when anything
 * else is known of the attempt by now, or was shown of it since, on another day, or when money may have left since (docs/reliability.md 2.3 a).
 */
import { yuanForPeople } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import { knownText } from '../../../src/settlements/attempt-store.ts';
import type { BalanceSeen, Evidence, OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import { noteText } from './settle-answer.ts';
import { availableFen } from './settle-awaiting.ts';
import type { Awaiting } from './settle-awaiting.ts';
import type { SettleLook } from './settle-look.ts';
import type { SettlePorts } from './settle-ports.ts';
import type { Resolution } from './settle-resolution.ts';
import { shownOf, withoutLooks } from './settle-shown.ts';

export interface Approval {
  runId: string;
  digest: string;
  by: string;
}

/** What became of an approval that names what was shown of an attempt. */
export type Approved = { closing: Resolution & { kind: 'close' } } | { refused: string };

/** An approval that names what was shown of this attempt. */
export interface Naming {
  approval: Approval;
  evidence: Evidence;
  /** Nothing else was shown of it after that. */
  isNewest: boolean;
}

interface Seen {
  attempt: OpenAttempt;
  /** The queries of this very call, in their order; none where none was needed. */
  looks: readonly SettleLook[];
  /** What was seen of it just now, and whether that counts. */
  awaiting: Awaiting | undefined;
  isForPerson: boolean;
  /** Why nothing can be approved now, whatever was shown. */
  missing: string | undefined;
}

/** Asked before the look, which may itself change what is known. @returns undefined where it names nothing of the attempt */
export async function namingOf(
  { book }: SettlePorts,
  approval: Approval | undefined,
  attempt: OpenAttempt,
): Promise<Naming | undefined> {
  if (approval === undefined) return undefined;
  const evidence = await book.findEvidence(attempt.reqId, approval.digest);
  if (evidence === undefined) return undefined;
  const isNewest = (await book.newestShown(attempt.reqId)) === evidence.digest;
  return { approval, evidence, isNewest };
}

/** Stores the approval where it holds. */
export async function judgeApproval(ports: SettlePorts, naming: Naming, seen: Seen): Promise<Approved> {
  const { book, clock, log } = ports;
  const { approval } = naming;
  const { reqId, amountFen } = seen.attempt;
  const { runId, digest: planDigest } = approval;
  const approvedBy = maskPersonal(approval.by);
  const now = (await book.findOpen(reqId)) ?? seen.attempt;
  const against = seen.missing ?? (await whyNot(ports, naming, { ...seen, now }));
  if (against !== undefined) {
    log.warn({ event: 'settle.not_approved', digest: planDigest, by: approvedBy, reqId, reason: against });
    return { refused: against };
  }
  await book.saveApproval({ planDigest, approvedBy, approvedAt: clock.wall(), runId, orders: 1, amountFen });
  log.warn({ event: 'settle.approved', digest: planDigest, by: approvedBy, reqId });
  const note = noteText(`${approvedBy} says that it was not paid`);
  const outcome = seen.attempt.movedShownAt === undefined ? 'FAIL' : 'RETURNED';
  return { closing: { kind: 'close', outcome, note, judged: now } };
}

async function whyNot(
  { book, clock, zone }: SettlePorts,
  { evidence, isNewest }: Naming,
  { attempt, looks, awaiting, isForPerson, now }: Seen & { now: OpenAttempt },
): Promise<string | undefined> {
  const showing = looks.filter((look) => shownOf(look, attempt) === evidence.shown);
  if (awaiting === undefined || showing.length === 0 || showing.at(-1) !== looks.at(-1)) {
    return 'queries show something else by now than when this was shown. Look at it as it is now';
  }
  // What these looks themselves have stored is what was shown then too, and no news.
  if (knownText(withoutLooks(now, showing)) !== evidence.known) {
    return 'something else is known of it by now than when this was shown. Look at it as it is now';
  }
  if (!isForPerson)
    return 'queries have shown this only once. Call it again: the next one has to show it too';
  if (!isNewest) return 'something else was shown of it since. Look at it as it is now';
  const shownOn = zone.dayOf(evidence.shownAt);
  if (shownOn !== zone.dayOf(clock.wall())) {
    return `it was shown on ${shownOn}, and an approval is of what was seen that day. Look at it as it is now`;
  }
  const { balance: shown } = evidence;
  if ((shown === undefined) !== (awaiting.isAccountUnknown === true)) {
    return `the platform knows the account ${attempt.payeeAccountNo} at one time and not at the other. Look at it as it is now`;
  }
  const since = shown?.at ?? evidence.shownAt;
  const read = await book.balancesOf(attempt.payeeAccountNo, since);
  const wereShown = await book.shownBalancesOf(attempt.payeeAccountNo, since);
  const later = [...read, ...wereShown].filter(({ at }) => at > since).toSorted(byTime);
  // What is read now is the last, whatever the clocks of those who read before said.
  return whyMayBePaid(zone, attempt, { shown, later: [...later, ...awaiting.balances.slice(-1)] });
}

/** By what left the account since it was shown. */
function whyMayBePaid(
  zone: SettlePorts['zone'],
  { payeeAccountNo, amountFen }: OpenAttempt,
  { shown, later }: { shown: BalanceSeen | undefined; later: readonly BalanceSeen[] },
): string | undefined {
  const balances = shown === undefined ? later : [shown, ...later];
  const falls = [largestFall(balances, ({ balanceFen }) => balanceFen), largestFall(balances, availableFen)];
  const [fall] = falls.filter((one) => one !== undefined && one.fen >= amountFen);
  if (fall === undefined) return undefined;
  const [first, last] = [fall.from, fall.to].map(({ balance, fen }) => {
    const isShown = balance === shown;
    return `${yuanForPeople(fen)} yuan${isShown ? ' when this was shown,' : ''} on ${zone.localText(balance.at)}`;
  });
  return (
    `the ${fall === falls[0] ? '' : 'available '}balance of ${payeeAccountNo} was ${first}, and was ${last}: ` +
    `${yuanForPeople(fall.fen)} yuan left it, so it may have been paid. Ask the platform; the digest of what is shown ` +
    'now approves that this was something else'
  );
}

function byTime({ at: one }: BalanceSeen, { at: other }: BalanceSeen): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

interface Level {
  balance: BalanceSeen;
  fen: Fen;
}

/** From any reading to any later one: what came in before or after may hide it from those at both ends. */
function largestFall(
  balances: readonly BalanceSeen[],
  levelOf: (balance: BalanceSeen) => Fen | undefined,
): { from: Level; to: Level; fen: Fen } | undefined {
  let highest: Level | undefined;
  let largest: { from: Level; to: Level; fen: Fen } | undefined;
  for (const balance of balances) {
    const level = levelOf(balance);
    if (level === undefined) continue;
    const to = { balance, fen: level };
    if (highest === undefined || level > highest.fen) highest = to;
    const fen = highest.fen - level;
    if (fen > (largest?.fen ?? 0n)) largest = { from: highest, to, fen };
  }
  return largest;
}
