/**
 * The first words with a platform: a signature that is wrong on purpose shows how it refuses one and what its clock
 * says; then the manners of signing are tried until one is accepted (U1, U2, U18).
 */
import { Stopped } from '../../src/core/errors.ts';
import { epochMs, HOUR_MS, SECOND_MS, Zone } from '../../src/core/time.ts';
import type { SignStyle } from '../../src/platform/credentials.ts';
import { saidBy, textOf } from './probe-line.ts';
import type { Answered, Heard, ProbeLine, Silent } from './probe-line.ts';

export interface Greeting {
  /** The answer to a wrong signature. */
  rejected: Answered;
  /** The answer to the same question, signed as the platform wants it. */
  usual: Answered;
  /** A made-up account, so that the first question is harmless and small where none is known. */
  accountNo: string;
  /** Every manner that was tried, and whether the platform took it. */
  trials: Trial[];
  time: TimeSeen | undefined;
}

export interface Trial {
  style: SignStyle;
  isTaken: boolean;
}

/** What the timestamp of an answer says of the platform's clock. */
export interface TimeSeen {
  /** The platform's local time minus UTC, as half hours have it. */
  zoneMs: number;
  /** The same for the zone in force. */
  zoneInForceMs: number;
  /** What is left: platform minus our clock, to a second. */
  offsetMs: number;
}

/** Zones lie whole or half hours apart; what is less than that is a clock that is off. */
const ZONE_STEP_MS = HOUR_MS / 2;
/** A timestamp is cut to the second below. */
const HALF_SECOND_MS = SECOND_MS / 2;
/** The documented names first, then those of similar services, then the bare secret (U1). */
const SECRET_NAMES = ['appSecret', 'apiSecret', 'key', 'secret', 'secretKey', 'appKey', ''];
const UTC = new Zone('UTC');

/**
 * @throws Stopped when the platform cannot be asked at all: its address does not answer, our clock is off, no manner
 *   of signing is accepted
 */
export async function greet(line: ProbeLine, accountNo: string): Promise<Greeting> {
  const first = await askWithWrongSignature(line, accountNo);
  const time = timeSeen(line, first);
  if (time !== undefined) setClock(line, time);
  // The first may have been refused for its time; this one can only be refused for its signature.
  const rejected = line.shiftMs === 0 ? first : await askWithWrongSignature(line, accountNo);
  const trials: Trial[] = [];
  for (const style of stylesToTry(line)) {
    const usual = await line.ask('acct/queryInfo', { accountNo }, { style });
    if (usual.kind === 'silent') throw cannotBeAsked(usual);
    const isTaken = getsFurther(usual, rejected);
    trials.push({ style, isTaken });
    if (!isTaken) continue;
    line.style = style;
    return { rejected, usual, accountNo, trials, time };
  }
  const tried =
    trials.length === 1 ? 'our signature' : `all ${trials.length} manners of signing that were tried`;
  throw new Stopped(
    `the platform refuses ${tried} (${saidBy(rejected)}): do the credential and PLATFORM_SECRET, or the key files, ` +
      'belong to this address?',
  );
}

/** @throws Stopped when nothing comes back */
async function askWithWrongSignature(line: ProbeLine, accountNo: string): Promise<Answered> {
  const heard = await line.ask('acct/queryInfo', { accountNo }, { isWronglySigned: true });
  if (heard.kind === 'answered') return heard;
  throw cannotBeAsked(heard);
}

function cannotBeAsked({ reason }: Silent): Stopped {
  return new Stopped(`the platform cannot be asked: ${reason}`);
}

/** Undefined where the answer has no readable time. */
export function timeSeen(line: ProbeLine, { envelope, sentAt }: Answered): TimeSeen | undefined {
  const stated = UTC.parseCompact(textOf(envelope['timestamp']));
  if (stated === undefined) return undefined;
  const aheadMs = epochMs(stated) - epochMs(sentAt);
  const zoneMs = Math.round(aheadMs / ZONE_STEP_MS) * ZONE_STEP_MS;
  const ours = UTC.parseCompact(line.parts.zone.compactText(sentAt)) ?? sentAt;
  const zoneInForceMs = Math.round((epochMs(ours) - epochMs(sentAt)) / ZONE_STEP_MS) * ZONE_STEP_MS;
  return { zoneMs, zoneInForceMs, offsetMs: aheadMs - zoneMs + HALF_SECOND_MS };
}

/** As the client does it (N15): a small offset is corrected, a large one is for a person. */
function setClock(line: ProbeLine, { zoneMs, zoneInForceMs, offsetMs }: TimeSeen): void {
  const { autoOffset, warnOffsetSeconds, stopOffsetSeconds } = line.parts.profile.clock;
  const seconds = Math.abs(offsetMs) / SECOND_MS;
  if (seconds > stopOffsetSeconds) {
    const direction = offsetMs > 0 ? 'behind' : 'ahead of';
    throw new Stopped(
      `the platform cannot be asked: this machine's clock is ${Math.round(seconds)} s ${direction} the platform's; set the clock`,
    );
  }
  const isCorrected = autoOffset && seconds > warnOffsetSeconds;
  line.shiftMs = zoneMs - zoneInForceMs + (isCorrected ? offsetMs : 0);
}

/** RSA2 appends no secret and has no letter case: there is one manner. */
function stylesToTry({ style, parts }: ProbeLine): SignStyle[] {
  if (parts.credentials.signType === 'RSA2') return [style];
  const names = [...new Set([style.secretName, ...SECRET_NAMES])];
  const otherCase = style.md5Case === 'upper' ? 'lower' : 'upper';
  return ([style.md5Case, otherCase] as const).flatMap((md5Case) =>
    names.map((secretName) => ({ secretName, md5Case })),
  );
}

/** Not refused for its signature: accepted, or refused for another reason than a wrong signature is. */
export function getsFurther(answered: Answered, rejected: Answered): boolean {
  if (answered.isAccepted) return true;
  return answered.class !== 'AUTH' && gist(answered) !== gist(rejected);
}

/** Whether the answer is the usual one: what was changed in the request did no harm. */
export function isAsUsual(heard: Heard, usual: Answered): boolean {
  if (heard.kind === 'silent' || heard.isAccepted !== usual.isAccepted) return false;
  return heard.isAccepted || gist(heard) === gist(usual);
}

/** Code and msg without the numbers of the single request. */
export function gist({ code, msg }: Answered): string {
  return `${code} ${msg.replace(/[0-9a-f]{8,}|\d+/gi, '#')}`;
}
