/**
 * The page at HEALTH_PORT: `/`, its style and sign, the form for the token, and files to download. It reads and writes
 * nothing, one look at a time, so that whoever looks takes one of the connections of the night and no more.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { messageOf } from '../../src/core/errors.ts';
import { parseDay } from '../../src/core/time.ts';
import type { Context } from '../context/context.ts';
import { within } from '../daemon/status.ts';
import type { Routes } from '../daemon/status-server.ts';
import { FiguresMemory } from './night-figures.ts';
import { COOKIE, PageDoor } from './page-door.ts';
import type { Access } from './page-door.ts';
import { openPublished } from './page-files.ts';
import { addressOf, enterText, noteText, pageText } from './page.ts';
import type { Asked } from './page.ts';
import { readPage } from './read-page.ts';
import { acceptedLocale, localeOf, pageWordsOf } from './words/page-language.ts';
import type { PageWords } from './words/page-words.ts';

export type PageContext = Pick<
  Context,
  'db' | 'clock' | 'realClock' | 'log' | 'settings' | 'profile' | 'zone'
>;

/** Looks that wait for their turn; more than these are told to come again. */
const WAITING_MAX = 20;
/** A token, with what a form adds. */
const FORM_BYTES_MAX = 4_096;
const FORM = 'application/x-www-form-urlencoded';

/** No script at all; nobody may frame it, and forms go nowhere else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cache-control': 'no-store',
  vary: 'Accept-Language, Authorization, Cookie',
} as const;

export function pageRoutes(context: PageContext): Routes {
  return (server) => {
    void server.register((scope, _options, done) => {
      new Page(context).serve(scope);
      done();
    });
  };
}

class Page {
  readonly #context: PageContext;
  readonly #door: PageDoor;
  readonly #figures = new FiguresMemory();
  readonly #inTurn = pLimit(1);

  constructor(context: PageContext) {
    const { settings, realClock } = context;
    this.#context = context;
    this.#door = new PageDoor({ token: settings.pageToken, host: settings.healthHost, clock: realClock });
  }

  serve(scope: FastifyInstance): void {
    if (this.#door.isClosed) {
      const hint =
        'HEALTH_HOST can be reached from elsewhere and PAGE_TOKEN is not set: the page is not shown';
      this.#context.log.info({ event: 'page.closed', hint });
    }
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
    scope.setErrorHandler(async (error, request, reply) => this.#fail(error, request, reply));
    scope.get('/page.css', async (_request, reply) => sendOwn(reply, 'page.css', 'text/css; charset=utf-8'));
    scope.get('/page.svg', async (_request, reply) => sendOwn(reply, 'page.svg', 'image/svg+xml'));
    scope.get('/', (request, reply) => this.#show(request, reply));
    scope.post('/enter', (request, reply) => this.#enter(request, reply));
    scope.post('/leave', (request, reply) => this.#leave(request, reply));
    scope.get('/files/:runId/:name', (request, reply) => this.#handOut(request, reply));
  }

  async #show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asked = askedOf(request);
    const access = this.#door.access(request.headers);
    if (access !== 'granted') return this.#turnAway(access, request, reply);
    if (this.#inTurn.pendingCount >= WAITING_MAX) {
      reply.header('retry-after', '5');
      return this.#note(request, reply, { status: 503, words: (words) => [words.product, words.busy] });
    }
    const { db, clock, realClock, zone, profile, settings } = this.#context;
    const source = { db, zone, figures: this.#figures };
    const data = await within(realClock, () => this.#inTurn(() => readPage(source, asked, clock.wall())));
    const words = this.#wordsFor(request);
    const frame = { words, company: profile.company.name, mayLeave: settings.pageToken !== undefined };
    return send(reply, { status: 200, words, text: pageText({ ...frame, zone, asked }, data) });
  }

  async #enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!this.#door.isOwnPage(request.headers)) return this.#turnAway('stranger', request, reply);
    const token = request.body instanceof URLSearchParams ? (request.body.get('token') ?? '') : '';
    const { access, cookie } = this.#door.enter(token.trim());
    if (access !== 'granted') {
      this.#context.log.warn({ event: 'page.refused', access });
      return this.#turnAway(access, request, reply, (words) =>
        access === 'later' ? words.tooMany : words.wrongToken,
      );
    }
    if (cookie !== undefined) reply.header('set-cookie', cookie + attributesFor(request));
    return reply.redirect(addressOf(askedOf(request)), 303);
  }

  async #leave(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!this.#door.isOwnPage(request.headers)) return this.#turnAway('stranger', request, reply);
    reply.header('set-cookie', `${COOKIE}=; Max-Age=0${attributesFor(request)}`);
    return reply.redirect('/', 303);
  }

  async #handOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const access = this.#door.access(request.headers);
    if (access !== 'granted') return this.#turnAway(access, request, reply);
    const { db, log, settings } = this.#context;
    const { runId = '', name = '' } = request.params as Record<string, string | undefined>;
    const found = await openPublished({ db, home: settings.home }, { runId, name });
    if (typeof found === 'string') {
      if (found !== 'unknown') log.warn({ event: 'page.file_refused', runId, name, why: found });
      const status = found === 'changed' ? 409 : 404;
      return this.#note(request, reply, {
        status,
        words: (words) => [words.filesTitle, words.noFile[found]],
      });
    }
    log.info({ event: 'page.file_sent', runId, name });
    reply.type(found.contentType);
    reply.header('content-length', String(found.bytes));
    reply.header('content-disposition', `attachment; filename="${found.name}"`);
    return reply.send(found.handle.createReadStream({ start: 0 }));
  }

  #turnAway(
    access: Access,
    request: FastifyRequest,
    reply: FastifyReply,
    fault?: (words: PageWords) => string,
  ): FastifyReply {
    if (access === 'closed')
      return this.#note(request, reply, { status: 403, words: (words) => [words.closed, words.closedHint] });
    if (access === 'stranger')
      return this.#note(request, reply, {
        status: 403,
        words: (words) => [words.stranger, words.strangerHint],
      });
    const words = this.#wordsFor(request);
    const asked = askedOf(request);
    const otherLanguage = addressOf({ ...asked, lang: words.locale === 'en' ? 'zh' : 'en' });
    const of = { words, company: this.#context.profile.company.name, otherLanguage };
    const said = fault?.(words) ?? (access === 'later' ? words.tooMany : undefined);
    if (access === 'later') reply.header('retry-after', '60');
    else reply.header('www-authenticate', 'Bearer realm="recon"');
    const status = access === 'later' ? 429 : said === undefined && isPerson(request) ? 200 : 401;
    return send(reply, { status, words, text: enterText(of, said) });
  }

  #note(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, words: say }: { status: number; words: (words: PageWords) => readonly [string, string] },
  ): FastifyReply {
    const words = this.#wordsFor(request);
    const [title, text] = say(words);
    const { company } = this.#context.profile;
    return send(reply, { status, words, text: noteText(words, { title, text, company: company.name }) });
  }

  #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const stated = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof stated === 'number' && stated >= 400 && stated < 500)
      return reply.code(stated).type('text/plain; charset=utf-8').send('refused');
    this.#context.log.warn({ event: 'page.failed', reason: messageOf(error) });
    return this.#note(request, reply, {
      status: 503,
      words: (words) => [words.unreachable, words.unreachableHint],
    });
  }

  #wordsFor({ query, headers }: FastifyRequest): PageWords {
    const { lang } = query as { lang?: unknown };
    const usual = this.#context.settings.reportLocale;
    return pageWordsOf(localeOf(lang) ?? acceptedLocale(headers['accept-language']) ?? usual);
  }
}

function send(
  reply: FastifyReply,
  { status, words, text }: { status: number; words: PageWords; text: string },
): FastifyReply {
  reply.header('content-language', words.locale);
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

function sendOwn(reply: FastifyReply, name: string, contentType: string): FastifyReply {
  return reply.type(contentType).send(createReadStream(path.join(import.meta.dirname, name)));
}

/** Who is shown the form has done nothing wrong yet; a program is told that it needs a token. */
function isPerson({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && headers.accept?.includes('text/html') === true;
}

/** What is not understood is not asked for. */
function askedOf({ query }: FastifyRequest): Asked {
  const { lang, until, day, group } = query as Record<string, unknown>;
  const month = typeof until === 'string' && parseDay(`${until}-01`) !== undefined ? until : undefined;
  return {
    lang: typeof lang === 'string' && localeOf(lang) !== undefined ? lang : undefined,
    until: month,
    day: typeof day === 'string' ? parseDay(day) : undefined,
    group: typeof group === 'string' ? group : undefined,
  };
}

/** No script sees it and no other page sends it along, but for a link; a browser that came by TLS keeps it to TLS. */
function attributesFor({ headers }: FastifyRequest): string {
  const isSecure = headers.origin?.startsWith('https://') === true;
  return `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
