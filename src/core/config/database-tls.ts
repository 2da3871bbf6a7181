/**
 * How the way to a PostgreSQL server is secured: TLS with a certificate that is verified, unless the server is this very
 * machine or somebody says otherwise in so many words (`DATABASE_TLS=off`, or `sslmode=disable` in the address). Every
 * word of the address is understood here, so that no driver reads it another way.
 */
import { isIP } from 'node:net';
import { isLoopback } from '../loopback.ts';

export const DATABASE_TLS = ['verify', 'off'] as const;
export type DatabaseTls = (typeof DATABASE_TLS)[number];

export interface DatabaseConnection {
  /** Without what is said of TLS, and always with a host. */
  url: string;
  host: string;
  isThisMachine: boolean;
  tls: DatabaseTls;
  /** Who is trusted in place of the usual authorities, and who we say we are: names of files. */
  files: { ca?: string; cert?: string; key?: string };
}

export const SSL_FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
const SSL_WORDS = [...Object.values(SSL_FILES), 'sslmode', 'ssl', 'sslnegotiation', 'uselibpqcompat'];
/** All of these are verified: a way that is encrypted to nobody knows whom is not secured. */
const SECURED: ReadonlySet<string> = new Set(['prefer', 'allow', 'require', 'verify-ca', 'verify-full']);

/**
 * @param address a `postgres://` address that `URL` can parse
 * @param stated the setting `DATABASE_TLS`
 */
export function databaseConnection(
  address: string,
  stated: DatabaseTls | undefined,
): DatabaseConnection | { fault: string } {
  const url = new URL(address);
  const words = url.searchParams;
  const host = (words.get('host') ?? decodeURIComponent(url.hostname)).replace(/^\[(.+)\]$/, '$1');
  const fault = faultOf(words, stated);
  if (fault !== undefined) return { fault };
  const isThisMachine = host === '' || host.startsWith('/') || isLoopback(host);
  const mode = words.get('sslmode');
  const saidOfAddress = mode === 'disable' ? 'off' : mode === null ? undefined : 'verify';
  const tls = saidOfAddress ?? stated ?? (isThisMachine ? 'off' : 'verify');
  const files: DatabaseConnection['files'] = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const file = words.get(SSL_FILES[name]);
    if (file !== null && file !== '' && file !== 'system') files[name] = file;
  }
  for (const word of SSL_WORDS) words.delete(word);
  // A driver without a host asks the environment for one.
  if (host === '') words.set('host', 'localhost');
  return { url: url.href, host: host === '' ? 'localhost' : host, isThisMachine, tls, files };
}

function faultOf(words: URLSearchParams, stated: DatabaseTls | undefined): string | undefined {
  for (const word of ['ssl', 'sslnegotiation', 'uselibpqcompat']) {
    if (words.has(word)) return `says ${word}; sslmode and DATABASE_TLS say how the way is secured`;
  }
  if (words.getAll('sslmode').length > 1 || words.getAll('host').length > 1) return 'says one thing twice';
  const mode = words.get('sslmode');
  if (mode === null) return undefined;
  if (mode === 'disable') {
    return stated === 'verify' ? 'says sslmode=disable, and DATABASE_TLS says verify: keep one' : undefined;
  }
  if (!SECURED.has(mode)) {
    return `says sslmode=${mode}, which takes any server for yours; sslrootcert names whom to trust, DATABASE_TLS=off gives TLS up`;
  }
  return stated === 'off' ? `says sslmode=${mode}, and DATABASE_TLS says off: keep one` : undefined;
}

/** What the driver is given; a certificate is of the host that was named, an address included. */
export function tlsOptions(
  { tls, host }: DatabaseConnection,
  contents: { ca?: string; cert?: string; key?: string },
): false | { rejectUnauthorized: true; host: string; servername?: string } {
  if (tls === 'off') return false;
  return { ...contents, rejectUnauthorized: true, host, ...(isIP(host) === 0 ? { servername: host } : {}) };
}
