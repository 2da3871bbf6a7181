/** Opens the platform's client from the settings, with what is known of the platform's signing. */
import { readFile } from 'node:fs/promises';
import type { Settings } from '../src/core/config.ts';
import { WrongInput, messageOf } from '../src/core/errors.ts';
import { randomIds } from '../src/core/ids.ts';
import type { Clock, Log } from '../src/core/ports.ts';
import type { Profile } from '../src/core/profile.ts';
import { openClient } from '../src/platform/client.ts';
import type { PlatformClient } from '../src/platform/client.ts';
import { openCredentials } from '../src/platform/credentials.ts';
import { openTransport } from '../src/platform/transport.ts';
import { hasSignedAnswers } from '../src/store/answers.ts';
import type { Db } from '../src/store/schema.ts';

export async function openPlatform(
  parts: { settings: Settings; profile: Profile; clock: Clock; log: Log },
  db: Db,
  signal: AbortSignal,
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
  const credentials = await credentialsOf(platform);
  const client = openClient({
    baseUrl: platform.url,
    channelCode: settings.channelCode,
    credentials,
    profile,
    http,
    clock,
    ids: randomIds(),
    log,
    signal,
    habit: { everSigned: await hasSignedAnswers(db) },
  });
  return { client, close: () => http.close() };
}

async function credentialsOf(platform: NonNullable<Settings['platform']>) {
  const { credential } = platform;
  const { signing } = credential;
  const rsa = signing.signType === 'RSA2' ? signing : undefined;
  return openCredentials({
    apiKey: credential.mode === 'apiKey' ? credential.apiKey : undefined,
    appId: credential.mode === 'app' ? credential.appId : undefined,
    signType: signing.signType,
    secret: signing.signType === 'MD5' ? signing.secret : undefined,
    privateKeyText: rsa && (await readKey('PLATFORM_PRIVATE_KEY_FILE', rsa.privateKeyFile)),
    publicKeyText: rsa && (await readKey('PLATFORM_PUBLIC_KEY_FILE', rsa.publicKeyFile)),
  });
}

async function readKey(name: string, file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new WrongInput(`${name} cannot be read: ${messageOf(error)}`);
  }
}
