/** The page as a document: what was read, in the order in which a person looks. */
import type { Zone } from '../../src/core/time.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { calendarPart } from './parts/calendar.ts';
import { chartsPart } from './parts/charts.ts';
import { filesPart } from './parts/files.ts';
import { card, framed, timeText } from './parts/frame.ts';
import type { Drawing, Frame } from './parts/frame.ts';
import { breaksPart, settlementsPart, tilesPart, vouchersPart } from './parts/lists.ts';
import { nightPart, unfinishedPart } from './parts/night.ts';
import type { PageData, PageRequest } from './read-page.ts';
import type { PageWords } from './words/page-words.ts';

export interface Asked extends PageRequest {
  /** As it stands in the address; undefined: the browser's. */
  lang: string | undefined;
}

/** The address of the page with these choices. */
export function addressOf({ lang, until, day, group }: Asked): string {
  const query = new URLSearchParams();
  if (lang !== undefined) query.set('lang', lang);
  if (until !== undefined) query.set('until', until);
  if (day !== undefined) query.set('day', day);
  if (group !== undefined) query.set('group', group);
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

export function pageText(
  {
    words,
    company,
    zone,
    mayLeave,
    asked: wanted,
  }: Pick<Frame, 'words' | 'company' | 'mayLeave'> & {
    zone: Zone;
    asked: Asked;
  },
  data: PageData,
): string {
  const asked = { ...wanted, group: data.group };
  const drawing: Drawing = {
    words,
    zone,
    link: ({ day = asked.day, until = asked.until, group = asked.group, lang = asked.lang }) =>
      addressOf({ lang, until: until ?? undefined, day: day ?? undefined, group: group ?? undefined }),
  };
  const otherLanguage = drawing.link({ lang: words.locale === 'en' ? 'zh' : 'en' });
  const main = html`${data.unfinished !== undefined && unfinishedPart(drawing, data.unfinished)}
    <div class="head">
      <div>${nightPart(drawing, data)}</div>
      ${tilesPart(drawing, data)}
    </div>
    ${data.firstDay !== undefined && calendarPart(drawing, data)}${breaksPart(drawing, data)}${settlementsPart(drawing, data)}${chartsPart(drawing, data)}
    <div class="pair">${vouchersPart(drawing, data)}${filesPart(drawing, data)}</div>
    <footer class="hint">
      <p>${words.notes}</p>
      <p>
        ${words.asOf(timeText(zone, data.now))} · ${words.zone(zone.name)} ·
        <a href="${addressOf(asked)}">${words.reload}</a>
      </p>
    </footer>`;
  return framed({ words, company, otherLanguage, mayLeave }, main);
}

/** Where the token is entered. */
export function enterText(of: Pick<Frame, 'words' | 'company' | 'otherLanguage'>, fault?: string): string {
  const { words } = of;
  const main = card(
    { id: 'enter', title: words.enterTitle, hint: words.enterHint },
    fault !== undefined && html`<p class="notice alarm" role="alert">${fault}</p>`,
    html`<form method="post" action="/enter" class="enter">
      <label for="token">${words.token}</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
      <button>${words.enter}</button>
    </form>`,
  );
  return framed({ ...of, mayLeave: false }, html`<div class="narrow">${main}</div>`);
}

/** A sentence in place of the page. */
export function noteText(
  words: PageWords,
  { title, text, company }: { title: string; text: string; company: string },
): string {
  const back: Html = html`<p><a href="/">${words.back}</a></p>`;
  const main = card({ id: 'note', title }, html`<p>${text}</p>`, back);
  return framed(
    { words, company, otherLanguage: undefined, mayLeave: false },
    html`<div class="narrow">${main}</div>`,
  );
}
