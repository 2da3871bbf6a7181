/**
 * Who may call. A merchant is a company that uses the service: its data is its own (ENV-28), whichever of
 * its credentials asks. All secrets here are synthetic.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface Credential {
  mode: 'apiKey' | 'appId';
  /** The value of `apiKey` or `appId`. */
  id: string;
  secret: string;
  merchant: string;
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
    const client = newPair();
    const platform = newPair();
    this.#keys = {
      clientPublicKey: createPublicKey(client.publicKey),
      platformPrivateKey: createPrivateKey(platform.privateKey),
    };
    this.#client = { privateKeyPem: client.privateKey, platformPublicKeyPem: platform.publicKey };
    return this.#client;
  }
}

function newPair(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
