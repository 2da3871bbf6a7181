/** Opens the platform's client from the settings, with what is known of the platform's signing. */
import type { Settings } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { randomIds } from '../../src/core/ids.ts';
import { pacedBy, pacer } from '../../src/core/pacing.ts';
import type { Pacer, TakeTurn } from '../../src/core/pacing.ts';
import type { Clock, Log } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { openClient } from '../../src/platform/client.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { Credentials } from '../../src/platform/credentials.ts';
import { openTransport } from '../../src/platform/transport.ts';
import { readCredentials } from './platform-keys.ts';

export interface PlatformParts {
  settings: Settings;
  profile: Profile;
  clock: Clock;
  log: Log;
  /** Undefined: not read yet. */
  credentials: Credentials | undefined;
  /** Where the platform's rate is shared with other processes. */
  takeTurn?: TakeTurn | undefined;
}

/** @param known.everSigned whether an answer of this platform ever carried a signature (U4) */
export async function openPlatform(
  parts: PlatformParts,
  known: { everSigned: boolean; signal: AbortSignal },
): Promise<{ client: PlatformClient; close(): Promise<void> }> {
  const { settings, profile, clock, log } = parts;
  const platform = settings.platform;
  if (platform === undefined) throw new WrongInput('PLATFORM_URL and the credentials are not set');
  const http = openTransport({
    baseUrl: platform.url,
    timeouts: profile.http.timeouts,
    retryAfterMaxSeconds: profile.http.retryAfterMaxSeconds,
    connections: profile.http.rate.concurrency,
  });
  const client = openClient({
    baseUrl: platform.url,
    channelCode: settings.channelCode,
    credentials: parts.credentials ?? (await readCredentials(platform)),
    profile,
    http,
    clock,
    ids: randomIds(),
    log,
    secrets: settings.secrets,
    signal: known.signal,
    habit: { everSigned: known.everSigned },
    pacer: sharedPacer(parts),
  });
  return { client, close: () => http.close() };
}

/** Of all clients under one profile, so that together they keep below the platform's rate (U47). */
const pacers = new WeakMap<Profile, Pacer>();

function sharedPacer({ profile, clock, takeTurn }: PlatformParts): Pacer {
  const { rate } = profile.http;
  const shared =
    pacers.get(profile) ??
    (takeTurn === undefined ? pacer({ clock, ...rate }) : pacedBy(rate.concurrency, takeTurn));
  pacers.set(profile, shared);
  return shared;
}
