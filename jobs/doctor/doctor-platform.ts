/** Whether the platform takes our credentials and how far the clocks are apart: one harmless query tells both. */
import type { Settings } from '../../src/core/config/config.ts';
import { messageOf, OutcomeUnknown } from '../../src/core/errors.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { Clock, Log } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { SECOND_MS } from '../../src/core/time.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { RawOutcome } from '../../src/platform/outcome.ts';
import type { KnownOfPlatform } from './doctor-database.ts';
import type { Check } from './doctor-check.ts';
import { openPlatform } from '../context/platform.ts';

interface Parts {
  settings: Settings;
  profile: Profile;
  clock: Clock;
  log: Log;
}

/** Asked for where no account is known: a number no registry gives. */
const MADE_UP_ACCOUNT = 'recon-doctor';
/** Who waits for a doctor does not wait for five attempts. */
const ATTEMPTS_MAX = 2;

export async function checkPlatform(parts: Parts, known: KnownOfPlatform): Promise<Check[]> {
  const { settings, clock, log } = parts;
  if (settings.platform === undefined) {
    return [{ name: 'platform', state: 'fail', detail: 'not asked: its settings are not complete' }];
  }
  const profile = { ...parts.profile, http: { ...parts.profile.http, maxAttempts: ATTEMPTS_MAX } };
  const never = new AbortController().signal;
  try {
    const platform = await openPlatform(
      { settings, profile, clock, log, credentials: undefined },
      { everSigned: known.everSigned, signal: never },
    );
    try {
      const { offsetMs, ...asked } = await ask(platform.client, known.accountNo ?? MADE_UP_ACCOUNT);
      return [asked, clockCheck(platform.client.clockOffsetMs() ?? offsetMs, profile)];
    } finally {
      await platform.close();
    }
  } catch (error) {
    return [{ name: 'platform', state: 'fail', detail: messageOf(error) }];
  }
}

/** With how far the clocks are apart, where that is why no answer is believed. */
async function ask(client: PlatformClient, accountNo: string): Promise<Check & { offsetMs?: number }> {
  const name = 'platform';
  try {
    const outcome = await client.callRaw('acct/queryInfo', { accountNo });
    return { name, ...judged(outcome) };
  } catch (error) {
    // Clocks too far apart: their own check says it; that an answer came is what counts here.
    const offsetMs = error instanceof OutcomeUnknown ? error.facts['offsetMs'] : undefined;
    if (typeof offsetMs === 'number') return { name, state: 'warn', detail: messageOf(error), offsetMs };
    return { name, state: 'fail', detail: messageOf(error) };
  }
}

function judged(outcome: RawOutcome): Omit<Check, 'name'> {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'ok', detail: `it takes our credentials and signs ${signing(outcome.signed)}` };
    case 'refused': {
      const said = maskPersonal(`${outcome.code} ${outcome.msg}`);
      return outcome.class === 'AUTH'
        ? { state: 'fail', detail: `it refuses our credentials or our clock: ${said}` }
        : { state: 'ok', detail: `it takes our credentials (a query was refused: ${said})` };
    }
    case 'unknown':
      return { state: 'fail', detail: outcome.reason };
  }
}

function signing(isSigned: boolean): string {
  return isSigned ? 'its answers' : 'no answers';
}

function clockCheck(offsetMs: number | undefined, { clock }: Profile): Check {
  const name = 'clock';
  if (offsetMs === undefined) return { name, state: 'warn', detail: 'unknown: no signed time came' };
  const seconds = Math.abs(offsetMs) / SECOND_MS;
  const detail = `this machine is ${seconds.toFixed(1)} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the platform`;
  if (seconds > clock.stopOffsetSeconds) return { name, state: 'fail', detail: `${detail}: set the clock` };
  return { name, state: seconds > clock.warnOffsetSeconds ? 'warn' : 'ok', detail };
}
