/** The platform's settings: its address, and one credential with its way of signing. */
import { readFileName, readOneOf, readPlatformUrl } from './config-checks.ts';
import type { AddFault, Read } from './config-checks.ts';
import type { SettingName } from './setting-names.ts';

/** How requests are signed (ENV-10): RSA2 only in app mode, and without the secret (SIG-08). */
export type PlatformSigning =
  { signType: 'MD5'; secret: string } | { signType: 'RSA2'; privateKeyFile: string; publicKeyFile: string };

/** One credential, never both (ENV-06). */
export type PlatformCredential =
  | { mode: 'apiKey'; apiKey: string; signing: PlatformSigning & { signType: 'MD5' } }
  | { mode: 'app'; appId: string; signing: PlatformSigning };

export interface PlatformSettings {
  /** Before `/api/open/virtualBank`, without a trailing slash. */
  url: string;
  credential: PlatformCredential;
}

export interface PlatformSources {
  addFault: AddFault;
  needs: { platform: boolean };
  /** Whether a setting is given, right or wrong. */
  has: (name: SettingName) => boolean;
  read: Read;
}

/** All of the platform's settings are checked as far as they are set; what is missing only where it is needed. */
export function readPlatform(sources: PlatformSources): PlatformSettings | undefined {
  const { addFault, needs, has, read } = sources;
  const missing = (sentence: string): void => {
    if (needs.platform) addFault(sentence);
  };
  const url = read('PLATFORM_URL', readPlatformUrl);
  const credential = readCredential(sources, missing);
  if (!has('PLATFORM_URL')) missing('PLATFORM_URL is not set');
  return url === undefined || credential === undefined ? undefined : { url, credential };
}

function readCredential(
  { addFault, has, read }: PlatformSources,
  missing: AddFault,
): PlatformCredential | undefined {
  const value = (name: SettingName): string | undefined => read(name, (given) => given.value);
  const files = {
    privateKeyFile: read('PLATFORM_PRIVATE_KEY_FILE', readFileName),
    publicKeyFile: read('PLATFORM_PUBLIC_KEY_FILE', readFileName),
  };
  const signType = read('PLATFORM_SIGN_TYPE', (given) => readOneOf(given, ['MD5', 'RSA2'], addFault));
  const [byKey, byApp] = [has('PLATFORM_API_KEY'), has('PLATFORM_APP_ID')];
  if (byKey && byApp) addFault('PLATFORM_API_KEY and PLATFORM_APP_ID are both set: keep one');
  if (!byKey && !byApp) missing('neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set');
  if (byKey && signType === 'RSA2') addFault('PLATFORM_SIGN_TYPE RSA2 goes with PLATFORM_APP_ID only');
  const secret = value('PLATFORM_SECRET');
  if (signType !== 'RSA2' && !has('PLATFORM_SECRET')) missing('PLATFORM_SECRET is not set');
  const md5 = signType === 'MD5' && secret !== undefined ? ({ signType, secret } as const) : undefined;
  const apiKey = value('PLATFORM_API_KEY');
  if (apiKey !== undefined) return md5 && { mode: 'apiKey', apiKey, signing: md5 };
  const signing = signType === 'RSA2' ? readKeyFiles(files, has, missing) : md5;
  const appId = value('PLATFORM_APP_ID');
  return appId === undefined || signing === undefined ? undefined : { mode: 'app', appId, signing };
}

function readKeyFiles(
  files: { privateKeyFile: string | undefined; publicKeyFile: string | undefined },
  has: PlatformSources['has'],
  missing: AddFault,
): PlatformSigning | undefined {
  for (const name of ['PLATFORM_PRIVATE_KEY_FILE', 'PLATFORM_PUBLIC_KEY_FILE'] as const) {
    if (!has(name)) missing(`${name} is not set; RSA2 needs it`);
  }
  const { privateKeyFile, publicKeyFile } = files;
  if (privateKeyFile === undefined || publicKeyFile === undefined) return undefined;
  return { signType: 'RSA2', privateKeyFile, publicKeyFile };
}
