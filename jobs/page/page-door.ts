/**
 * Who may see the page. With PAGE_TOKEN: who sends it as a bearer, or entered it in the form and has the cookie, which
 * is signed with the token and names its end. Without: who is on this very machine and named it, where nobody else can
 * reach the listener; else nobody.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback, namesThisMachine } from '../../src/core/loopback.ts';
import type { Clock } from '../../src/core/ports.ts';
import { HOUR_MS, MINUTE_MS, epochMs } from '../../src/core/time.ts';

/** `token`: it is to be entered; `later`: too many wrong ones came; `stranger`: of another name or page. */
export type Access = 'granted' | 'token' | 'later' | 'closed' | 'stranger';

export const COOKIE = 'recon_page';
/** A working day. */
const STAY_MS = 12 * HOUR_MS;
/** So many wrong tokens a minute are slips of the pen. */
const WRONG_MAX = 20;

export class PageDoor {
  readonly #token: string | undefined;
  readonly #host: string;
  readonly #clock: Clock;
  #wrong = 0;
  #wrongSinceMs = 0;

  constructor({ token, host, clock }: { token: string | undefined; host: string; clock: Clock }) {
    this.#token = token;
    this.#host = host;
    this.#clock = clock;
  }

  /** Whether anybody can be let in at all. */
  get isClosed(): boolean {
    return this.#token === undefined && !isLoopback(this.#host);
  }

  access({ host = '', authorization, cookie = '' }: IncomingHttpHeaders): Access {
    if (this.isClosed) return 'closed';
    if (this.#token === undefined) return namesThisMachine(host) ? 'granted' : 'stranger';
    const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#judge(bearer);
    const stay = new RegExp(`(?:^|;) *${COOKIE}=([^;]*)`).exec(cookie)?.[1];
    return stay !== undefined && this.#holds(stay) ? 'granted' : 'token';
  }

  /** A form of another page may be sent here too; a browser says of which page it is. */
  isOwnPage({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
    if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') return false;
    return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  }

  /** The cookie for who entered the token. */
  enter(entered: string): { access: Access; cookie?: string } {
    if (this.#token === undefined) return { access: this.isClosed ? 'closed' : 'granted' };
    const access = this.#judge(entered);
    if (access !== 'granted') return { access };
    const end = String(epochMs(this.#clock.wall()) + STAY_MS);
    return { access, cookie: `${COOKIE}=${end}.${this.#sign(end)}; Max-Age=${STAY_MS / 1_000}` };
  }

  #judge(given: string): Access {
    const now = this.#clock.monoMs();
    if (now - this.#wrongSinceMs > MINUTE_MS) [this.#wrong, this.#wrongSinceMs] = [0, now];
    if (this.#wrong >= WRONG_MAX) return 'later';
    if (isSame(given, this.#token ?? '')) return 'granted';
    this.#wrong += 1;
    return 'token';
  }

  #holds(stay: string): boolean {
    const [end = '', signature = ''] = stay.split('.');
    return (
      /^\d{13}$/.test(end) && isSame(signature, this.#sign(end)) && epochMs(this.#clock.wall()) < Number(end)
    );
  }

  #sign(end: string): string {
    return createHmac('sha256', this.#token ?? '')
      .update(`page until ${end}`)
      .digest('hex');
  }
}

/** Takes as long whatever they have in common; digests are of one length. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'page').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
