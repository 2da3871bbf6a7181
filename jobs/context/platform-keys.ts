/** The platform's credentials from the settings, key files included: read before anything else happens. */
import { readFile } from 'node:fs/promises';
import type { PlatformSettings } from '../../src/core/config/config.ts';
import { WrongInput, messageOf } from '../../src/core/errors.ts';
import { openCredentials } from '../../src/platform/credentials.ts';
import type { Credentials } from '../../src/platform/credentials.ts';

/** @throws WrongInput naming every fault by its setting */
export async function readCredentials({ credential }: PlatformSettings): Promise<Credentials> {
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
    throw new WrongInput(`${name} cannot be read: ${messageOf(error)}`, [], {}, { cause: error });
  }
}
