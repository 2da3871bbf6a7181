/**
 * Who we are to the platform, and the keys that prove it both ways: apiKey with MD5, appId with MD5 or RSA2
 * (ENV-05, SIG-09). Secrets live in private fields, so that no log, error or JSON text can hold them (SIG-06).
 */
import type { KeyObject } from 'node:crypto';

import { messageOf, WrongInput } from '../core/errors.ts';
import { md5Sign, md5Verify, readPrivateKey, readPublicKey, rsa2Sign, rsa2Verify } from './sign.ts';
import type { TextToSign } from './sign.ts';
import type { SignType } from './sign.ts';

/** What a signature needs beside the keys: how the secret's pair is called here, and the case of MD5 (U1, U2). */
export interface SignStyle {
  secretName: string;
  md5Case: 'upper' | 'lower';
}

export interface Credentials {
  /** The member that carries the credential, in its usual spelling. */
  readonly field: 'apiKey' | 'appId';
  /** The credential itself; it is public. */
  readonly id: string;
  readonly signType: SignType;
  sign(text: TextToSign, style: SignStyle): string;
  /** Whether the platform signed this text. */
  verify(text: TextToSign, sign: string, style: SignStyle): boolean;
}

/** The settings a credential is made of; undefined where one is not set. */
export interface CredentialSettings {
  apiKey: string | undefined;
  appId: string | undefined;
  signType: SignType;
  secret: string | undefined;
  /** Content of the key files: PEM or bare Base64 (U3). */
  privateKeyText: string | undefined;
  publicKeyText: string | undefined;
}

/** Shorter keys are broken in practice, and the platform's own are of this length (U3). */
const RSA_BITS_MIN = 2_048;

/** @throws WrongInput naming every fault by its setting, never by its value */
export function openCredentials(settings: CredentialSettings): Credentials {
  const faults = [...identityFaults(settings)];
  const privateKey = readKey(settings.privateKeyText, { settings, kind: 'private', faults });
  const publicKey = readKey(settings.publicKeyText, { settings, kind: 'public', faults });
  if (settings.signType === 'MD5' && (settings.secret ?? '') === '')
    faults.push('PLATFORM_SECRET is not set');
  if (faults.length > 0) throw new WrongInput('wrong credentials:', faults);

  const identity = identityOf(settings);
  if (settings.signType === 'MD5') return new Md5Credentials(identity, settings.secret ?? '');
  if (!privateKey || !publicKey) throw new Error('Bug: RSA2 without keys passed the checks');
  return new Rsa2Credentials(identity, { privateKey, publicKey });
}

function identityFaults({ apiKey = '', appId = '', signType }: CredentialSettings): string[] {
  if (apiKey !== '' && appId !== '') return ['PLATFORM_API_KEY and PLATFORM_APP_ID are both set; one is due'];
  if (apiKey === '' && appId === '') return ['neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set'];
  if (apiKey !== '' && signType === 'RSA2') return ['PLATFORM_SIGN_TYPE RSA2 needs PLATFORM_APP_ID'];
  return [];
}

interface Identity {
  field: 'apiKey' | 'appId';
  id: string;
}

function identityOf({ apiKey = '', appId = '' }: CredentialSettings): Identity {
  return apiKey === '' ? { field: 'appId', id: appId } : { field: 'apiKey', id: apiKey };
}

interface KeyReading {
  settings: CredentialSettings;
  kind: 'private' | 'public';
  faults: string[];
}

function readKey(text: string | undefined, { settings, kind, faults }: KeyReading): KeyObject | undefined {
  if (settings.signType !== 'RSA2') return undefined;
  const setting = kind === 'private' ? 'PLATFORM_PRIVATE_KEY_FILE' : 'PLATFORM_PUBLIC_KEY_FILE';
  if (text === undefined || text.trim() === '') {
    faults.push(`${setting} is not set or empty`);
    return undefined;
  }
  try {
    const key = kind === 'private' ? readPrivateKey(text) : readPublicKey(text);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN) return key;
    faults.push(`${setting} must hold an RSA key of at least ${RSA_BITS_MIN} bits`);
  } catch (error) {
    faults.push(`${setting} does not hold a ${kind} RSA key (${messageOf(error)})`);
  }
  return undefined;
}

class Md5Credentials implements Credentials {
  readonly field: 'apiKey' | 'appId';
  readonly id: string;
  readonly signType = 'MD5';
  readonly #secret: string;

  constructor(identity: Identity, secret: string) {
    this.field = identity.field;
    this.id = identity.id;
    this.#secret = secret;
  }

  sign(text: TextToSign, style: SignStyle): string {
    return md5Sign(text, { ...style, secret: this.#secret });
  }

  verify(text: TextToSign, sign: string, style: SignStyle): boolean {
    return md5Verify(text, sign, { ...style, secret: this.#secret });
  }
}

class Rsa2Credentials implements Credentials {
  readonly field: 'apiKey' | 'appId';
  readonly id: string;
  readonly signType = 'RSA2';
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(identity: Identity, keys: { privateKey: KeyObject; publicKey: KeyObject }) {
    this.field = identity.field;
    this.id = identity.id;
    this.#privateKey = keys.privateKey;
    this.#publicKey = keys.publicKey;
  }

  sign(text: TextToSign): string {
    return rsa2Sign(text, this.#privateKey);
  }

  /** Always by RSA2: the signType an answer states is not asked, or it could choose the weaker proof. */
  verify(text: TextToSign, sign: string): boolean {
    return rsa2Verify(text, sign, this.#publicKey);
  }
}
