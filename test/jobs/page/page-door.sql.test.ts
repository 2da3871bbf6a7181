/** Who sees the page: by the token, or on this machine; a page of elsewhere never, and guessing is slow. */
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import http from 'node:http';
import { expect, test } from 'vitest';
import { openPageStand } from './page-stand.ts';
import type { PageStand } from './page-stand.ts';

const TOKEN = 'correct-horse-battery';
const env = { PAGE_TOKEN: TOKEN };
const BROWSER = { accept: 'text/html,*/*', 'accept-language': 'en' };

/** `fetch` states the host by itself; a browser states the name that it was given. */
function statusAs(stand: PageStand, host: string, address = '/'): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const asked = http.get(
    { host: '127.0.0.1', port: stand.port, path: address, headers: { host } },
    (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    },
  );
  asked.on('error', reject);
  return promise;
}

async function cookieOf(stand: PageStand): Promise<string> {
  const entered = await stand.post('/enter', `token=${TOKEN}`);
  expect(entered.status).toBe(303);
  return entered.headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('without its token nothing of it is shown: a browser gets the form, a program is refused', async () => {
  await using stand = await openPageStand({ env });
  const shown = await stand.get('/', BROWSER);
  expect(shown.status).toBe(200);
  const form = await shown.text();
  expect(form).toContain('<form method="post" action="/enter"');
  expect(form).not.toContain('Nothing is open');
  const refused = await stand.get('/');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="recon"']);
  expect((await stand.get('/files/x/y')).status).toBe(401);
});

test('the token lets in as a bearer, and a wrong one or a part of it does not', async () => {
  await using stand = await openPageStand({ env });
  const asBearer = async (token: string) =>
    (await stand.get('/', { authorization: `Bearer ${token}` })).status;
  expect(await asBearer(TOKEN)).toBe(200);
  expect(await asBearer(TOKEN.slice(0, -1))).toBe(401);
  expect(await asBearer(`${TOKEN}x`)).toBe(401);
  expect((await stand.get('/', { authorization: `Basic ${TOKEN}` })).status).toBe(401);
});

test('the token entered in the form is kept as a cookie that no script reads and that does not hold it', async () => {
  await using stand = await openPageStand({ env });
  const entered = await stand.post('/enter', `token=${TOKEN}`);
  const cookie = entered.headers.get('set-cookie') ?? '';
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
  expect(cookie).toMatch(/^recon_page=\d{13}\.[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookie).not.toContain(TOKEN);
  const page = await stand.get('/', { ...BROWSER, cookie: `other=1; ${cookie.split(';')[0] ?? ''}` });
  expect(await page.text()).toContain('Nothing is open');
  const left = await stand.post('/leave', '', { cookie: cookie.split(';')[0] ?? '' });
  expect(left.headers.get('set-cookie')).toContain('recon_page=; Max-Age=0');
});

test('a browser that came by TLS keeps the cookie to TLS', async () => {
  await using stand = await openPageStand({ env });
  const origin = `https://127.0.0.1:${stand.port}`;
  const entered = await stand.post('/enter', `token=${TOKEN}`, { origin });
  expect(entered.headers.get('set-cookie')).toMatch(/; Secure$/);
});

test('a cookie ends after twelve hours, and one that was made longer or signed otherwise is none', async () => {
  await using stand = await openPageStand({ env });
  const cookie = await cookieOf(stand);
  const [end = '', signature = ''] = cookie.replace('recon_page=', '').split('.');
  const seen = async (value: string) => (await stand.get('/', { cookie: value })).status;
  expect(await seen(cookie)).toBe(200);
  expect(await seen(`recon_page=${String(Number(end) + 1)}.${signature}`)).toBe(401);
  expect(await seen(`recon_page=${end}.${signature.slice(0, -1)}`)).toBe(401);
  expect(await seen('recon_page=')).toBe(401);
  stand.passMs(12 * HOUR_MS + 1_000);
  expect(await seen(cookie)).toBe(401);
});

test('twenty wrong tokens in a minute shut out more guesses, and nobody who is in already', async () => {
  await using stand = await openPageStand({ env });
  const cookie = await cookieOf(stand);
  for (let no = 0; no < 20; no++) expect((await stand.post('/enter', `token=guess-${no}`)).status).toBe(401);
  const late = await stand.post('/enter', `token=${TOKEN}`);
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, '60']);
  expect((await stand.get('/', { authorization: `Bearer ${TOKEN}` })).status).toBe(429);
  expect((await stand.get('/', { cookie })).status).toBe(200);
  stand.passMs(MINUTE_MS + 1_000);
  expect((await stand.post('/enter', `token=${TOKEN}`)).status).toBe(303);
});

test.each([
  ['another page', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['another page, as the browser says', { 'sec-fetch-site': 'cross-site' }],
])('a form of %s is not taken, even with the token', async (_name, headers) => {
  await using stand = await openPageStand({ env });
  const entered = await stand.post('/enter', `token=${TOKEN}`, headers);
  expect([entered.status, entered.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await stand.post('/leave', '', headers)).status).toBe(403);
});

test('a body that is no form is refused, and a large one', async () => {
  await using stand = await openPageStand({ env });
  expect((await stand.post('/enter', '{}', { 'content-type': 'application/json' })).status).toBe(415);
  expect((await stand.post('/enter', `token=${'x'.repeat(5_000)}`)).status).toBe(413);
});

test('without a token it is shown to who names this machine; a name that was pointed here is refused', async () => {
  await using stand = await openPageStand();
  expect(await statusAs(stand, `127.0.0.1:${stand.port}`)).toBe(200);
  expect(await statusAs(stand, 'localhost')).toBe(200);
  expect(await statusAs(stand, '[::1]:9090')).toBe(200);
  expect(await statusAs(stand, 'rebound.example')).toBe(403);
  expect(await statusAs(stand, '127.0.0.1.rebound.example')).toBe(403);
  expect(await statusAs(stand, 'rebound.example', '/files/x/y')).toBe(403);
});

test('without a token, where others can reach it, it is closed and says what to set', async () => {
  await using stand = await openPageStand({ healthHost: '0.0.0.0' });
  const response = await stand.get('/', BROWSER);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('Set PAGE_TOKEN (at least 16 characters)');
  expect((await stand.get('/files/x/y')).status).toBe(403);
  expect((await stand.post('/enter', 'token=')).status).toBe(403);
  expect(stand.log.lines.map(({ event }) => event)).toContain('page.closed');
});

test('with a token it is open to who has it, wherever it listens and whatever it is called', async () => {
  await using stand = await openPageStand({ env, healthHost: '0.0.0.0' });
  const cookie = await cookieOf(stand);
  expect((await stand.get('/', { cookie })).status).toBe(200);
  expect(await statusAs(stand, 'recon.example')).toBe(401);
});
