/**
 * The page as a person sees it, in headless Chromium: nothing in the console, nothing cut off on a telephone, contrast
 * and names by an accessibility checker, all of it by the keyboard and without JavaScript.
 */
import axe from 'axe-core';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../helpers/company/run-rows.ts';
import {
  aNightUnderWay,
  aPublishedFile,
  anAttempt,
  manyNights,
  nightId,
  openBreaks,
  vouchersDue,
} from './page-rows.ts';
import { openPageStand } from './page-stand.ts';
import type { PageStand } from './page-stand.ts';

/** Of Debian, which `.ci/run` installs; where it cannot be installed, these tests say so and are left out. */
const CHROMIUM = '/usr/bin/chromium';
const LAST = '2026-03-29';
const TOKEN = 'correct-horse-battery';

const REACHABLE = 'a[href], button, summary, [tabindex="0"]';
/** What has the focus, and how it is drawn around. */
const FOCUSED = `({ place: [...document.querySelectorAll('*')].indexOf(document.activeElement),
  markup: document.activeElement.outerHTML.slice(0, 200),
  outline: getComputedStyle(document.activeElement).outlineStyle })`;

const DESKTOP = { width: 1280, height: 900 };
/** A busy machine takes its time; a test ends later still. */
const WAIT_MS = 150_000;
const PHONE = { width: 375, height: 812 };

describe.skipIf(!existsSync(CHROMIUM))('the page in Chromium', () => {
  let browser: Browser;
  let full: PageStand;
  let empty: PageStand;
  let guarded: PageStand;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox'] });
    [full, guarded] = [
      await openPageStand({ isLarge: true, now: at('2026-03-31 09:00:00') }),
      await openPageStand({ env: { PAGE_TOKEN: TOKEN } }),
    ];
    empty = await openPageStand();
    await aYear(full);
    await manyNights(guarded.database.db, { nights: 30, accounts: 2, last: '2026-02-28' });
  });
  afterAll(async () => {
    await browser?.close();
    for (const stand of [full, empty, guarded]) await stand?.[Symbol.asyncDispose]();
  });

  /** A page of a browser that has never been here, and what it complains of. */
  async function visit(
    stand: PageStand,
    options: BrowserContextOptions = {},
    address = '/',
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ viewport: DESKTOP, locale: 'en', ...options });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    await page.goto(`http://127.0.0.1:${stand.port}${address}`);
    return { page, complaints };
  }

  /** The checker looks at each language, each size and each colour scheme once: it takes most of the time. */
  const SCREENS: readonly [string, { isChecked: boolean }, BrowserContextOptions][] = [
    ['desktop, zh', { isChecked: true }, { locale: 'zh-CN' }],
    ['desktop, en', { isChecked: false }, { locale: 'en' }],
    ['telephone, zh', { isChecked: false }, { locale: 'zh-CN', viewport: PHONE, hasTouch: true }],
    ['telephone, en', { isChecked: true }, { locale: 'en', viewport: PHONE, hasTouch: true }],
    ['desktop, en, dark', { isChecked: true }, { colorScheme: 'dark' }],
  ];
  const PLACES: readonly [string, () => PageStand, string][] = [
    ['400 nights', () => full, '/'],
    ['a day of them', () => full, '/?day=2025-12-04&until=2025-12'],
    ['a group of accounts', () => full, `/?group=${encodeURIComponent('华东 1')}`],
    ['an empty installation', () => empty, '/'],
    ['the form for the token', () => guarded, '/'],
  ];

  describe.each(PLACES)('%s', (_place, standOf, address) => {
    test.each(SCREENS)(
      '%s: no complaint, nothing cut off, and the checker finds nothing where it looks',
      async (_name, { isChecked }, options) => {
        const { page, complaints } = await visit(standOf(), options, address);
        expect(complaints).toEqual([]);
        const cutOff = 'document.documentElement.scrollWidth - window.innerWidth';
        expect(await page.evaluate<number>(cutOff)).toBeLessThanOrEqual(0);
        expect(await page.locator('html').getAttribute('lang')).toBe(
          options.locale === 'zh-CN' ? 'zh-CN' : 'en',
        );
        if (isChecked) expect(await violationsOf(page)).toEqual([]);
        await page.context().close();
      },
    );
  });

  test('without JavaScript: enters the token by the keyboard, chooses a day, turns to the other language, leaves', async () => {
    const { page, complaints } = await visit(guarded, { javaScriptEnabled: false });
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Verdict for 2026-02-28' }).waitFor();
    await page.getByRole('link', { name: '25 Reconciled, with timing items, 2026-02-25' }).click();
    await page.getByRole('heading', { name: 'Verdict for 2026-02-25' }).waitFor();
    await page.getByRole('link', { name: '中文' }).click();
    await page.getByRole('heading', { name: '2026-02-25 对账结论' }).waitFor();
    expect(await page.locator('[aria-current="date"]').innerText()).toContain('25');
    await page.getByRole('button', { name: '退出' }).click();
    await page.getByRole('textbox', { name: 'Token' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a wrong token is said beside the field, and nothing is shown', async () => {
    const { page } = await visit(guarded);
    await page.getByRole('textbox', { name: 'Token' }).fill('not-the-token-at-all');
    await page.getByRole('button', { name: 'Enter' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('This is not the token.');
    expect(await page.locator('.month').count()).toBe(0);
    await page.context().close();
  });

  test('the keyboard reaches everything that leads anywhere, in the order of the page, and shows where it is', async () => {
    const { page } = await visit(full);
    const wanted = await page.locator(REACHABLE).filter({ visible: true }).count();
    const reached = new Set<number>();
    for (let no = 0; no < wanted; no++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<{ place: number; markup: string; outline: string }>(FOCUSED);
      expect(focused.outline, focused.markup).not.toBe('none');
      reached.add(focused.place);
    }
    expect(reached.size).toBe(wanted);
    await page.keyboard.press('Home');
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.context().close();
  });

  test('a workbook is saved under its own name', async () => {
    const { page } = await visit(full);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: `Workbook xlsx, 1 kB reconciliation-${LAST}.xlsx` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`reconciliation-${LAST}.xlsx`);
    expect(await readFile(await download.path(), 'utf8')).toBe(`PK ${LAST}`);
    await page.context().close();
  });

  test('what a night came to stands beside its column in the chart, and all of it in a table', async () => {
    const { page } = await visit(full);
    const bars = page.getByRole('img', { name: /^Unexplained balance difference, 2025-10-01 to 2026-03-29/ });
    expect(await bars.locator('rect').count()).toBe(180);
    await page.locator('figure').first().getByText('As a table').click();
    expect(await page.locator('figure').first().getByRole('row').count()).toBe(32);
    await page.context().close();
  });

  /** What the checker finds, as one would tell somebody who mends it. */
  async function violationsOf(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
  }
});

async function aYear(stand: PageStand): Promise<void> {
  const { db } = stand.database;
  await manyNights(db, { nights: 400, accounts: 20, last: LAST });
  await sql`
    update account set account_group = case when right(account_no, 1) < '8' then '华东 ' || right(account_no, 1) else '' end`.execute(
    db,
  );
  await openBreaks(db, { each: 12, last: LAST });
  await anAttempt(db, { no: 1, state: 'UNKNOWN', isAwaiting: true });
  await anAttempt(db, { no: 2, state: 'SENT' });
  await anAttempt(db, { no: 3, state: 'ACK_PROCESSING' });
  await vouchersDue(db, { month: '2026-03', count: 43, asked: 7 });
  for (const day of [LAST, '2026-03-28'])
    for (const [name, content] of [
      [`reconciliation-${day}.xlsx`, `PK ${day}`],
      ['result.json', '{}'],
    ] as const)
      await aPublishedFile(db, { home: stand.home, runId: nightId(day), name, content });
  await aNightUnderWay(db, '2026-03-30');
}
