/** The calendar of verdicts: a table a month, the latest first, each day with a sign and a word beside its colour. */
import { addDays, daysBetween, firstOfMonth } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import type { CalendarNight } from '../../../src/store/runs/night-calendar.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { MONTHS, monthBefore } from '../read-page.ts';
import type { PageData } from '../read-page.ts';
import type { PageWords } from '../words/page-words.ts';
import { VERDICT_SIGNS, badge, card, titleOf } from './frame.ts';
import type { Drawing } from './frame.ts';

export function calendarPart(drawing: Drawing, data: PageData): Html {
  const { words } = drawing;
  const { from, through, firstDay } = data;
  const oldest = firstDay === undefined || firstDay < from ? from : firstOfMonth(firstDay);
  const months: Day[] = [];
  for (let first = firstOfMonth(through); first >= oldest; first = monthBefore(first, 1)) months.push(first);
  const nights = new Map(data.nights.map((night) => [night.day, night]));
  return card(
    { id: 'calendar', title: titleOf(words.calendar, data.group), hint: words.calendarHint },
    data.groups.length > 0 && groupsNav(drawing, data),
    legend(words, data.nights),
    html`<div class="months">${months.map((first) => month(drawing, { first, nights, data }))}</div>`,
    turning(drawing, data),
  );
}

function groupsNav({ words, link }: Drawing, { groups, group }: PageData): Html {
  const one = (name: string | null, text: string): Html => {
    const isShown = (group ?? null) === name;
    return html`<li>
      <a href="${link({ group: name })}" ${isShown && html`aria-current="true"`}>${text}</a>
    </li>`;
  };
  return html`<nav class="groups" aria-label="${words.groups}">
    <ul>
      ${[one(null, words.allAccounts), ...groups.map((name) => one(name, name))]}
    </ul>
  </nav>`;
}

/** Of what is shown, so that nobody looks for a colour that is not there. */
function legend(words: PageWords, nights: readonly CalendarNight[]): Html {
  const counts = new Map<CalendarNight['verdict'], number>();
  for (const { verdict } of nights) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return html`<ul class="badges">
    ${[...counts].map(
      ([verdict, count]) => html`<li>${badge(words, verdict)} <b>${words.days(count)}</b></li>`,
    )}
  </ul>`;
}

interface Month {
  first: Day;
  nights: ReadonlyMap<Day, CalendarNight>;
  data: PageData;
}

function month(drawing: Drawing, { first, nights, data }: Month): Html {
  const { words } = drawing;
  const end = monthBefore(first, -1);
  const cells: (Day | undefined)[] = Array.from({ length: weekdayOf(first) });
  for (let day = first; day < end; day = addDays(day, 1)) cells.push(day);
  while (cells.length % 7 !== 0) cells.push(undefined);
  const weeks = Array.from({ length: cells.length / 7 }, (_, at) => cells.slice(at * 7, at * 7 + 7));
  return html`<table class="month">
    <caption>
      ${words.month(first.slice(0, 4), first.slice(5, 7))}
    </caption>
    <thead>
      <tr>
        ${words.weekdays.map(
          (name, at) =>
            html`<th scope="col"><abbr title="${words.weekdayNames[at] ?? ''}">${name}</abbr></th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week.map((day) => cell(drawing, day, { nights, data }))}
          </tr>`,
      )}
    </tbody>
  </table> `;
}

function cell({ words, link }: Drawing, day: Day | undefined, { nights, data }: Omit<Month, 'first'>): Html {
  if (day === undefined) return html`<td></td>`;
  const date = Number(day.slice(8));
  const night = nights.get(day);
  if (night === undefined) {
    // A group need not have had accounts on every day.
    const isPast =
      data.group === undefined && day < data.today && data.firstDay !== undefined && day > data.firstDay;
    return html`<td>
      <span class="day ${isPast && 'none'}"
        >${date}${isPast && html`<i><span class="hidden">${words.noVerdict}</span></i>`}</span
      >
    </td>`;
  }
  const { verdict } = night;
  const said = words.terms.verdicts[verdict];
  const isChosen = data.chosen?.day === day;
  return html`<td>
    <a
      class="day v-${verdict}"
      href="${link({ day })}"
      title="${day} ${said}"
      ${isChosen && html`aria-current="date"`}
      >${date}<i aria-hidden="true">${VERDICT_SIGNS[verdict]}</i
      ><span class="hidden"> ${said}, ${day}</span></a
    >
  </td>`;
}

/** A Monday before any night. */
const A_MONDAY = '1900-01-01';

/** From Monday, 0 … 6. */
function weekdayOf(day: Day): number {
  return daysBetween({ from: A_MONDAY, to: day }) % 7;
}

function turning({ words, link }: Drawing, { from, through, firstDay, today }: PageData): Html | false {
  const earlier =
    firstDay !== undefined && firstDay < from && link({ until: monthBefore(from, 1).slice(0, 7) });
  const next = monthBefore(firstOfMonth(through), -MONTHS);
  const isLast = firstOfMonth(through) >= firstOfMonth(addDays(today, -1));
  const later = !isLast && link({ until: next > today ? null : next.slice(0, 7) });
  if (earlier === false && later === false) return false;
  return html`<p class="turning">
    ${earlier !== false && html`<a href="${earlier}">← ${words.earlier}</a>`}
    ${later !== false && html`<a href="${later}">${words.later} →</a>`}
  </p> `;
}
