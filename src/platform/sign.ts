/**
 * Signing, both ways (SIG-01…15, U1–U4). The string to sign is made of the values exactly as transmitted;
 * nothing here parses or re-serialises them. Client and sandbox share this file: it is checked against the
 * reference vectors of the interface.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  timingSafeEqual,
} from 'node:crypto';
import type { Hash, KeyObject, Sign, Verify } from 'node:crypto';

export type SignType = 'MD5' | 'RSA2';

/** Members by name; values are signed raw, without URL encoding. */
export type Members = Readonly<Record<string, string | undefined>>;

/** What a request's signature covers (SIG-01); the credential is the one of these that was sent. */
export const REQUEST_MEMBERS = [
  'APIkey',
  'apiKey',
  'appId',
  'bizData',
  'reqId',
  'reqTime',
  'signType',
  'version',
];

export interface Md5Secret {
  secret: string;
  /** `appSecret`, `apiSecret`, `key` … or empty for the bare secret (U1). */
  secretName: string;
  /** Letter case of what we send; either is accepted when verifying (SIG-14). */
  md5Case: 'upper' | 'lower';
}

/** The string to sign, whole or in the pieces it is made of: to copy a page of records into one took ten times its hash. */
export type TextToSign = string | readonly string[];

/** `a=1&b=2` over the named members, sorted by name, in pieces; absent and (where asked) empty values left out. */
export function piecesToSign(
  members: Members,
  options: { names: readonly string[]; dropEmpty: boolean },
): string[] {
  const pieces: string[] = [];
  for (const name of options.names.toSorted()) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (value === undefined || (options.dropEmpty && value === '')) continue;
    pieces.push(`${pieces.length === 0 ? '' : '&'}${name}=`, value);
  }
  return pieces;
}

/** Takes the text in UTF-8. */
function over<T extends Hash | Sign | Verify>(text: TextToSign, into: T): T {
  for (const piece of typeof text === 'string' ? [text] : text) into.update(piece, 'utf8');
  return into;
}

/** MD5 over the string and the secret as its last pair (SIG-04, SIG-05), in hex of the configured case. */
export function md5Sign(text: TextToSign, key: Md5Secret): string {
  const last = key.secretName === '' ? key.secret : `${key.secretName}=${key.secret}`;
  const hex = over(text, createHash('md5')).update(`&${last}`, 'utf8').digest('hex');
  return key.md5Case === 'upper' ? hex.toUpperCase() : hex;
}

/** Compares in constant time and without regard to letter case (SIG-14). */
export function md5Verify(text: TextToSign, candidate: string, key: Md5Secret): boolean {
  const expected = Buffer.from(md5Sign(text, { ...key, md5Case: 'lower' }), 'latin1');
  const given = Buffer.from(candidate.toLowerCase(), 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** SHA256withRSA, PKCS#1 v1.5, standard Base64 (U3); the secret is not part of the string (SIG-08). */
export function rsa2Sign(text: TextToSign, privateKey: KeyObject): string {
  return over(text, createSign('sha256')).sign(privateKey, 'base64');
}

export function rsa2Verify(text: TextToSign, candidate: string, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(candidate, 'base64');
  if (bytes.toString('base64') !== candidate) return false;
  return over(text, createVerify('sha256')).verify(publicKey, bytes);
}

/**
 * A key from PEM or from the bare Base64 of its DER: PKCS#8 for private, X.509 SubjectPublicKeyInfo for
 * public keys (U3).
 * @throws Error of node:crypto when the text is no such key; its message never holds the key
 */
export function readPrivateKey(text: string): KeyObject {
  if (text.includes('-----BEGIN')) return createPrivateKey(text);
  return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
}

export function readPublicKey(text: string): KeyObject {
  if (text.includes('-----BEGIN')) return createPublicKey(text);
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}
