/**
 * Charts drawn as SVG on the server: bars of one series, or lines of two. What is drawn is stretched to the width there
 * is; what is read stands beside it as text, and all of it in a table.
 */
import { absolute, yuanCell } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { Day } from '../../../src/core/time.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PageWords } from '../words/page-words.ts';
import { moneyText, scrolling } from './frame.ts';

export interface Series {
  name: string;
  /** By its place among the days; null: a gap. */
  values: readonly (Fen | null)[];
}

export interface Chart {
  id: string;
  kind: 'bars' | 'lines';
  title: string;
  hint: string;
  /** Oldest first. */
  days: readonly Day[];
  series: readonly Series[];
}

/** Units of the drawing; it is stretched. */
const WIDTH = 1_000;
const HEIGHT = 200;
/** Latest rows of the table below. */
const ROWS_MAX = 31;

export function chart(words: PageWords, of: Chart): Html {
  const { id, title, hint, days, series } = of;
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  if (known.length === 0)
    return html`<figure class="chart">
      <figcaption>
        <h3>${title}</h3>
        <p class="hint">${words.chartNone}</p>
      </figcaption>
    </figure>`;
  const scale = scaleOf(known, of.kind);
  const place = { count: days.length, scale };
  const drawn = series.map(({ values }, at) =>
    of.kind === 'bars' ? bars(values, place) : lines(values, at, place),
  );
  const last = series.map(({ name, values }) => `${name} ${lastOf(words, values)}`).join(', ');
  const text = words.chartText({ title, from: days[0] ?? '', to: days.at(-1) ?? '', last });
  return html`<figure class="chart">
    <figcaption>
      <h3 id="${id}">${title}</h3>
      <p class="hint">${hint}</p>
    </figcaption>
    <div class="plot">
      <div class="ys" aria-hidden="true">
        <span>${axisText(scale.high)}</span><span>${axisText(scale.middle)}</span
        ><span>${axisText(scale.low)}</span>
      </div>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${text}">
        <path
          class="grid"
          vector-effect="non-scaling-stroke"
          d="M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}"
        />
        ${drawn}${hovers(days, series, words)}
      </svg>
      <div class="xs" aria-hidden="true"><span>${days[0] ?? ''}</span><span>${days.at(-1) ?? ''}</span></div>
    </div>
    ${
      series.length > 1 &&
      html`<ul class="key">
        ${series.map(({ name }, at) => html`<li class="s${at}">${name}</li>`)}
      </ul>`
    }
    ${tableOf(words, of)}
  </figure> `;
}

interface Scale {
  low: Fen;
  middle: Fen;
  high: Fen;
}

interface Place {
  count: number;
  scale: Scale;
}

/** Round ends and a round middle; bars stand on zero. */
function scaleOf(values: readonly Fen[], kind: Chart['kind']): Scale {
  const high = values.reduce((most, value) => (value > most ? value : most));
  const least = kind === 'bars' ? 0n : values.reduce((some, value) => (value < some ? value : some));
  let half = 50n;
  for (let at = 0; ; at++) {
    const low = floorTo(least, half);
    if (low + 2n * half >= high && (high > least || at > 0))
      return { low, middle: low + half, high: low + 2n * half };
    // 50, 100, 250, 500, 1 000, 2 500 …
    half = at % 3 === 1 ? (half * 5n) / 2n : half * 2n;
  }
}

function floorTo(value: Fen, step: Fen): Fen {
  const rest = ((value % step) + step) % step;
  return value - rest;
}

function yOf(value: Fen, { low, high }: Scale): string {
  const share = yuanCell(value - low) / yuanCell(high - low);
  return (HEIGHT - share * HEIGHT).toFixed(1);
}

function bars(values: readonly (Fen | null)[], { count, scale }: Place): Html {
  const width = WIDTH / count;
  const drawn = values.map((value, at) => {
    if (value === null || value === 0n) return '';
    const y = yOf(value, scale);
    return `M${(at * width + width * 0.15).toFixed(1)} ${HEIGHT}V${y}h${(width * 0.7).toFixed(1)}V${HEIGHT}z`;
  });
  return html`<path class="bar" d="${drawn.join('')}" />`;
}

/** A night whose neighbours are gaps is a stroke over most of its day: the first of all is to be seen. */
function lines(values: readonly (Fen | null)[], series: number, { count, scale }: Place): Html {
  const width = WIDTH / count;
  const drawn = values.map((value, at) => {
    if (value === null) return '';
    const [isBegun, goesOn] = [values[at - 1] ?? null, values[at + 1] ?? null].map((one) => one !== null);
    const [x, y] = [at * width + width / 2, yOf(value, scale)];
    if (isBegun) return `L${x.toFixed(1)} ${y}`;
    return goesOn
      ? `M${x.toFixed(1)} ${y}`
      : `M${(x - width * 0.35).toFixed(1)} ${y}h${(width * 0.7).toFixed(1)}`;
  });
  return html`<path class="line s${series}" vector-effect="non-scaling-stroke" d="${drawn.join('')}" />`;
}

/** What a pointer that rests on a night is told. */
function hovers(days: readonly Day[], series: readonly Series[], words: PageWords): Html[] {
  const width = WIDTH / days.length;
  return days.map((day, at) => {
    const said = series.map(({ name, values }) => `${name} ${cellText(words, values[at] ?? null)}`);
    return html`<rect
      class="hover"
      x="${(at * width).toFixed(1)}"
      y="0"
      width="${width.toFixed(1)}"
      height="${HEIGHT}"
      ><title>${day}: ${said.join(', ')}</title></rect
    >`;
  });
}

function cellText(words: PageWords, value: Fen | null): string {
  return value === null ? words.notKnown : moneyText(value);
}

function lastOf(words: PageWords, values: readonly (Fen | null)[]): string {
  return cellText(words, values.findLast((value) => value !== null) ?? null);
}

/** Without fen where there are none: an axis is read at a glance. */
function axisText(fen: Fen): string {
  return absolute(fen) % 100n === 0n ? moneyText(fen).slice(0, -3) : moneyText(fen);
}

function tableOf(words: PageWords, { title, days, series }: Chart): Html {
  const rows = days
    .map((day, at) => ({ day, at }))
    .slice(-ROWS_MAX)
    .toReversed();
  const table = html`<table class="list">
    <thead>
      <tr>
        <th scope="col">${words.day}</th>
        ${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ day, at }) =>
          html`<tr>
            <th scope="row">${day}</th>
            ${series.map(
              ({ values }) => html`<td class="number">${cellText(words, values[at] ?? null)}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`<details>
    <summary>${words.asTable}</summary>
    ${scrolling(words, title, table)}
  </details>`;
}
