/** Unexplained amounts and balances over the days of the calendar. */
import { addDays } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { NightFigures } from '../../../src/store/runs/night-calendar.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PageData } from '../read-page.ts';
import { card, titleOf } from './frame.ts';
import type { Drawing } from './frame.ts';
import { chart } from './chart.ts';

export function chartsPart({ words }: Drawing, { nights, figures, group }: PageData): Html | false {
  const [latest, oldest] = [nights[0], nights.at(-1)];
  if (latest === undefined || oldest === undefined) return false;
  const days: Day[] = [];
  for (let day = oldest.day; day <= latest.day; day = addDays(day, 1)) days.push(day);
  const known = new Map(nights.map((night) => [night.day, figures.of(night)]));
  const series = (name: string, value: (of: NightFigures) => Fen | null) => ({
    name,
    values: days.map((day) => {
      const of = known.get(day);
      return of === undefined ? null : value(of);
    }),
  });
  return card(
    { id: 'charts', title: titleOf(words.chartsTitle, group) },
    figures.left > 0 && html`<p class="notice">${words.chartLeft(figures.left)}</p>`,
    html`<div class="pair">
      ${chart(words, {
        id: 'unexplained',
        kind: 'bars',
        title: words.unexplainedTitle,
        hint: words.unexplainedHint,
        days,
        series: [series(words.unexplained, (of) => of.unexplainedFen)],
      })}${chart(words, {
        id: 'balances',
        kind: 'lines',
        title: words.balancesTitle,
        hint: words.balancesHint,
        days,
        series: [series(words.platform, (of) => of.platformFen), series(words.ledger, (of) => of.ledgerFen)],
      })}
    </div>`,
  );
}
