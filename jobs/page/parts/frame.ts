/** What all answers of the page have in common: the document around them, and small pieces that stand in several. */
import { absolute, yuanForPeople } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { Day, Instant, Zone } from '../../../src/core/time.ts';
import type { Verdict } from '../../../src/store/schema/schema.ts';
import { html } from '../html.ts';
import type { Html, Part } from '../html.ts';
import type { PageWords } from '../words/page-words.ts';

/** What a part is drawn with. */
export interface Drawing {
  words: PageWords;
  zone: Zone;
  /** The address of this page with other choices; what is not stated stays as it is. */
  link: (choice: { day?: Day | null; until?: string | null; group?: string | null; lang?: string }) => string;
}

export interface Frame {
  words: PageWords;
  company: string;
  /** The same page in the other language; undefined where there is nothing to translate. */
  otherLanguage: string | undefined;
  mayLeave: boolean;
}

export function framed({ words, company, otherLanguage, mayLeave }: Frame, main: Html): string {
  const { locale, product } = words;
  const other = locale === 'en' ? 'zh-CN' : 'en';
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${company === '' ? product : `${product} · ${company}`}</title>
        <link rel="stylesheet" href="/page.css" />
        <link rel="icon" href="/page.svg" type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        <header class="top">
          <div class="wide">
            <h1 class="brand">
              ${company !== '' && html`<span class="company">${company}</span> `}<span class="product"
                >${product}</span
              >
            </h1>
            <nav class="tools">
              ${otherLanguage !== undefined && html`<a href="${otherLanguage}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a>`}${
                mayLeave &&
                html`<form method="post" action="/leave"><button class="plain">${words.leave}</button></form>`
              }
            </nav>
          </div>
        </header>
        <main id="main" class="wide" tabindex="-1">${main}</main>
      </body>
    </html> `.text;
}

export function card(
  { id, title, hint }: { id: string; title: Part; hint?: string },
  ...parts: readonly Part[]
): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}${parts}
  </section> `;
}

/** A word says what the colour and the sign say. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  reconciled: '✓',
  reconciled_with_timing: '≈',
  breaks: '!',
  unverified: '?',
  incomplete: '…',
};

export function badge(words: PageWords, verdict: Verdict): Html {
  return html`<span class="badge v-${verdict}"
    ><span aria-hidden="true">${VERDICT_SIGNS[verdict]}</span> ${words.terms.verdicts[verdict]}</span
  >`;
}

export function money(words: PageWords, fen: Fen | null): Html {
  if (fen === null) return html`<span class="unknown">${words.notKnown}</span>`;
  return html`<span class="money">${moneyText(fen)}</span>`;
}

/** With a true minus, which is as wide as a digit. */
export function moneyText(fen: Fen): string {
  return `${fen < 0n ? '−' : ''}${yuanForPeople(absolute(fen))}`;
}

export function timeText(zone: Zone, instant: Instant): string {
  return zone.localText(instant).slice(0, 16);
}

/** A table that may be wider than a telephone scrolls by itself, also by the keyboard. */
export function scrolling(words: PageWords, title: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${words.scrolls(title)}" tabindex="0">
    ${table}
  </div>`;
}

/** Of what is narrowed to a group of accounts, whose. */
export function titleOf(title: string, group: string | undefined): string {
  return group === undefined ? title : `${title} · ${group}`;
}
