/** The platform's time zone, how far a request's time may be off, and whether a reqId is good twice (U17, U18, U19). */
import { addMs, HOUR_MS, SECOND_MS } from '../../src/core/time.ts';
import { judged, leftOpen, valueInForce } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { isAsUsual } from './probe-greeting.ts';
import { saidBy, textOf } from './probe-line.ts';
import type { Heard, Manner, Silent } from './probe-line.ts';

export async function probeClock(at: Probing): Promise<Judged[]> {
  return [zone(at), await tolerance(at), await reqIdTwice(at)];
}

function zone({ profile, greeting }: Probing): Judged {
  const subject = {
    u: 'U18',
    key: 'service.timeZone',
    tried: 'timestamp of the first answer against our clock',
  };
  const { time } = greeting;
  if (time === undefined) {
    return leftOpen(profile, {
      ...subject,
      answer: 'the answer has no timestamp of the form yyyyMMddHHmmss',
    });
  }
  const hours = time.zoneMs / HOUR_MS;
  const half = Number.isInteger(hours) ? '' : ':30';
  const written = `UTC${hours < 0 ? '-' : '+'}${Math.floor(Math.abs(hours))}${half}`;
  const offset = (time.offsetMs / SECOND_MS).toFixed(1);
  const fits = time.zoneMs === time.zoneInForceMs;
  const doubt = fits ? '' : '; or it is our clock that is hours off';
  // The names of these zones have the sign turned round.
  const name = hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  const isNamed = Number.isInteger(hours) && hours >= -12 && hours <= 14;
  return judged(profile, {
    ...subject,
    answer: `${written}, and ${offset} s from our clock${doubt}`,
    found: fits ? valueInForce(profile, 'service.timeZone') : isNamed ? name : written,
    fits,
    ...(isNamed && { change: { value: name } }),
  });
}

/** Whole seconds by which a reqTime is off, and whether it was taken. */
interface Sent {
  seconds: number;
  /** Undefined: nothing can be said of it. */
  isTaken: boolean | undefined;
}

/** Behind and ahead of the platform's time; beyond the documented ten seconds once, to see that there is a limit. */
const OFF_SECONDS = [-9, 9, -10, 10, -12, 12];

async function tolerance(at: Probing): Promise<Judged> {
  const { profile } = at;
  const key = 'clock.tolerance';
  const sent: Sent[] = [];
  for (const seconds of OFF_SECONDS) sent.push(await sendOff(at, seconds));
  const isTaken = (seconds: number): boolean | undefined =>
    sent.find((one) => one.seconds === seconds)?.isTaken;
  const answer = sent
    .map(
      (one) =>
        `${one.seconds}: ${{ true: 'taken', false: 'refused', undefined: '?' }[String(one.isTaken)] ?? ''}`,
    )
    .join(', ');
  const subject = { u: 'U19', key, tried: 'acct/queryInfo with a reqTime some seconds off', answer };
  if (isTaken(9) === false && isTaken(-9) === false) {
    const found = 'less than 9 s';
    return judged(profile, { ...subject, found, fits: false, change: { value: 'exclusive' } });
  }
  const beyond = isTaken(12) === true || isTaken(-12) === true ? ', 12 s are taken as well' : '';
  // Behind, ten seconds are ten and a part of one by now, ahead they are less than ten: only these two prove anything.
  if (isTaken(-10) === true || (isTaken(10) === true && beyond !== '')) {
    const fits = profile.clock.tolerance === 'inclusive';
    const found = `inclusive${beyond}`;
    return judged(profile, { ...subject, found, fits, change: { value: 'inclusive' } });
  }
  if (isTaken(10) === false) {
    const fits = profile.clock.tolerance === 'exclusive';
    return judged(profile, { ...subject, found: 'exclusive', fits, change: { value: 'exclusive' } });
  }
  const told = `${answer}: it compares finer than a second, so exactly ten cannot be met`;
  return leftOpen(profile, { ...subject, answer: told });
}

/** How often the platform's second may turn on the way before the question is given up. */
const TRIES_MAX = 4;

/** Sends a time so far off the platform's own second, and believes it when the answer still shows that second. */
async function sendOff({ line, greeting }: Probing, seconds: number): Promise<Sent> {
  const { zone } = line.parts;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const now = textOf(line.heard.at(-1)?.envelope['timestamp']);
    const instant = zone.parseCompact(now);
    if (instant === undefined) break;
    const reqTime = zone.compactText(addMs(instant, seconds * SECOND_MS));
    const biz = { accountNo: greeting.accountNo };
    const heard = await line.ask('acct/queryInfo', biz, { reqTime, isSingle: true });
    if (heard.kind === 'silent' || textOf(heard.envelope['timestamp']) !== now) continue;
    return { seconds, isTaken: isAsUsual(heard, greeting.usual) };
  }
  return { seconds, isTaken: undefined };
}

/** A reqId is used twice on a query; only when asked for, because the document forbids it (ENV-16). */
async function reqIdTwice(at: Probing): Promise<Judged> {
  const { profile, greeting, isThorough } = at;
  const key = 'emulator.reqId.consumeOnReject';
  const subject = { u: 'U17', key, tried: 'acct/queryInfo twice under one reqId' };
  if (!isThorough) return leftOpen(profile, { ...subject, tried: 'nothing', answer: 'give --thorough' });
  const again = async (first: Manner, biz: object = { accountNo: greeting.accountNo }): Promise<Heard> => {
    const reqId = at.line.parts.ids.reqId();
    const before = await at.line.ask('acct/queryInfo', biz, { ...first, reqId, isSingle: true });
    if (before.kind === 'silent') return before;
    return at.line.ask('acct/queryInfo', { accountNo: greeting.accountNo }, { reqId, isSingle: true });
  };
  const open = (silent: Silent): Judged => leftOpen(profile, { ...subject, answer: saidBy(silent) });
  const afterGood = await again({});
  if (afterGood.kind === 'silent') return open(afterGood);
  if (isAsUsual(afterGood, greeting.usual)) {
    return leftOpen(profile, {
      ...subject,
      answer: 'the second is taken like the first',
      found: 'not refused',
    });
  }
  const afterUnsigned = await again({ isWronglySigned: true });
  if (afterUnsigned.kind === 'silent') return open(afterUnsigned);
  const isSpentUnsigned = !isAsUsual(afterUnsigned, greeting.usual);
  const afterWrong = isSpentUnsigned ? afterUnsigned : await again({}, {});
  if (afterWrong.kind === 'silent') return open(afterWrong);
  const found = isSpentUnsigned ? 'always' : isAsUsual(afterWrong, greeting.usual) ? 'never' : 'verified';
  return judged(profile, {
    ...subject,
    answer: `the second: ${saidBy(afterGood)}`,
    found,
    fits: profile.emulator.reqId.consumeOnReject === found,
    change: { value: found },
  });
}
