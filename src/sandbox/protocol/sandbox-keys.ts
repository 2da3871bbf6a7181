/**
 * Who may call. A merchant is a company that uses the service: its data is its own (ENV-28), whichever of
 * its credentials asks. All secrets here are synthetic.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { SignType } from '../../platform/sign.ts';

export interface Credential {
  mode: 'apiKey' | 'appId';
  /** The value of `apiKey` or `appId`. */
  id: string;
  secret: string;
  merchant: string;
}

/** Who asked, and how the request was signed. */
export interface Caller {
  credential: Credential;
  signType: SignType;
  /** Under which of the accepted names the secret was appended; answers are signed with the same. */
  secretName: string;
}

/** The keys of app mode with RSA2 (U3); the client's private key never gets here. */
export interface RsaKeys {
  clientPublicKey: KeyObject;
  platformPrivateKey: KeyObject;
}

/** What a client needs to use RSA2 against the sandbox, as PEM. */
export interface ClientRsaKeys {
  privateKeyPem: string;
  platformPublicKeyPem: string;
}

/** Both private keys, as PEM (PKCS#8): all there is to know of keys the sandbox made. */
export interface MadeRsaKeys {
  clientPrivateKeyPem: string;
  platformPrivateKeyPem: string;
}

export const MAIN_MERCHANT = 'main';

export const DEFAULT_CREDENTIALS: readonly Credential[] = [
  { mode: 'apiKey', id: 'ak_sandbox_main', secret: 'synthetic-api-secret-main', merchant: MAIN_MERCHANT },
  { mode: 'appId', id: 'app_sandbox_main', secret: 'synthetic-app-secret-main', merchant: MAIN_MERCHANT },
  { mode: 'apiKey', id: 'ak_sandbox_other', secret: 'synthetic-api-secret-other', merchant: 'other' },
  { mode: 'appId', id: 'app_sandbox_other', secret: 'synthetic-app-secret-other', merchant: 'other' },
];

/** RSA keys, given or made when they are first asked for: making them takes a while and few callers need them. */
export class RsaKeyring {
  #keys: RsaKeys | undefined;
  #client: ClientRsaKeys | undefined;
  #made: MadeRsaKeys | undefined;

  constructor(given: RsaKeys | undefined) {
    this.#keys = given;
  }

  /** Undefined as long as no client can hold the other half. */
  keys(): RsaKeys | undefined {
    return this.#keys;
  }

  /**
   * Makes both pairs at the first call.
   * @throws Error when the keys were given: the sandbox does not know the client's half
   */
  clientKeys(): ClientRsaKeys {
    if (this.#client) return this.#client;
    if (this.#keys) throw new Error('Bug: the RSA keys were given, the client has its half');
    return this.#hold({ clientPrivateKeyPem: newPrivateKey(), platformPrivateKeyPem: newPrivateKey() });
  }

  /** What was made, to be kept; undefined as long as nothing was, and when the keys were given. */
  get made(): MadeRsaKeys | undefined {
    return this.#made;
  }

  /** Has the keys again that were made in an earlier life (state/). */
  restore(made: MadeRsaKeys): void {
    this.#hold(made);
  }

  #hold(made: MadeRsaKeys): ClientRsaKeys {
    const platformPrivateKey = createPrivateKey(made.platformPrivateKeyPem);
    this.#made = made;
    this.#keys = { clientPublicKey: createPublicKey(made.clientPrivateKeyPem), platformPrivateKey };
    const platformPublicKey = createPublicKey(made.platformPrivateKeyPem);
    const client = {
      privateKeyPem: made.clientPrivateKeyPem,
      platformPublicKeyPem: platformPublicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
    this.#client = client;
    return client;
  }
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
