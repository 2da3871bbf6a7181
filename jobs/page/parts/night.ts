/** The head of the page: the last night, or the one that was chosen, and the one that is under way. */
import { addDays, daysBetween } from '../../../src/core/time.ts';
import type { CalendarNight, NightFigures, UnfinishedRun } from '../../../src/store/runs/night-calendar.ts';
import type { Verdict } from '../../../src/store/schema/schema.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PageData } from '../read-page.ts';
import { STEPS } from '../words/page-words.ts';
import { VERDICT_SIGNS, badge, card, money, timeText } from './frame.ts';
import type { Drawing } from './frame.ts';

/** The best first. */
const VERDICTS: readonly Verdict[] = [
  'reconciled',
  'reconciled_with_timing',
  'breaks',
  'unverified',
  'incomplete',
];

export function nightPart(drawing: Drawing, data: PageData): Html {
  const { words, link } = drawing;
  const { chosen, latest } = data;
  const night = chosen === undefined ? latest : chosen.night;
  const back = chosen !== undefined && html`<p><a href="${link({ day: null })}">${words.close}</a></p>`;
  if (night !== undefined) return html`${behindPart(drawing, data)}${oneNight(drawing, night, data)}${back}`;
  if (chosen !== undefined)
    return card(
      { id: 'night', title: words.nightOf(chosen.day) },
      html`<p>${words.chosenNone(chosen.day)}</p>
        ${back}`,
    );
  return card({ id: 'night', title: words.noNight }, html`<p>${words.noNightHint}</p>`);
}

/** Yesterday's night may still come; more than one that is missing is for a person. */
function behindPart({ words }: Drawing, { latest, today, chosen }: PageData): Html | false {
  const yesterday = addDays(today, -1);
  if (latest === undefined || chosen !== undefined || latest.day >= yesterday) return false;
  const days = daysBetween({ from: latest.day, to: yesterday });
  return html`<p class="notice ${days > 1 && 'alarm'}">${words.behind({ days, yesterday })}</p>`;
}

function oneNight(drawing: Drawing, night: CalendarNight, { figuresOfAll }: PageData): Html {
  const { words, zone } = drawing;
  const { terms } = words;
  const end = timeText(zone, night.publishedAt ?? night.finishedAt);
  const version = night.version > 1 && html` · ${words.versionOf(night.version)}`;
  const of = figuresOfAll.of(night);
  return html`<section class="card night v-${night.verdict}" aria-labelledby="night">
    <h2 id="night">${words.nightOf(night.day)}</h2>
    <p class="verdict">
      <span class="sign" aria-hidden="true">${VERDICT_SIGNS[night.verdict]}</span
      >${terms.verdicts[night.verdict]}
    </p>
    <p class="sentence">${terms.verdictSentences[night.verdict]}</p>
    <p class="hint">${words.provenAt(end)}${version}</p>
    ${of !== undefined && figuresOf(drawing, of)}
  </section> `;
}

function figuresOf({ words }: Drawing, of: NightFigures): Html {
  const { platformFen, ledgerFen, unexplainedFen } = of;
  const difference = platformFen === null || ledgerFen === null ? null : platformFen - ledgerFen;
  const lines = [
    [words.platform, platformFen],
    [words.ledger, ledgerFen],
    [words.difference, difference],
    [words.unexplained, unexplainedFen],
  ] as const;
  const accounts = VERDICTS.filter((verdict) => of.verdicts[verdict] > 0);
  return html`<dl class="figures">
      ${lines.map(
        ([name, fen]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${money(words, fen)}</dd>
          </div>`,
      )}
    </dl>
    <h3>${words.accounts} <span class="hint">${words.accountCount(of.accounts)}</span></h3>
    <ul class="badges">
      ${accounts.map((verdict) => html`<li>${badge(words, verdict)} <b>${of.verdicts[verdict]}</b></li>`)}
    </ul> `;
}

export function unfinishedPart(drawing: Drawing, run: UnfinishedRun): Html {
  const { words, zone } = drawing;
  const days = run.from === run.to ? run.from : `${run.from} – ${run.to}`;
  const job = words.terms.jobs[run.job];
  const title = run.isUnderWay ? words.underWay : words.interrupted;
  const hint = run.isUnderWay ? undefined : words.interruptedHint;
  return card(
    { id: 'under-way', title, ...(hint !== undefined && { hint }) },
    html`<p>
      ${words.run({ job, days, accounts: run.someAccounts })} ·
      ${words.begunAt(timeText(zone, run.startedAt), run.begun)}
    </p>`,
    stepsOf(drawing, run),
    progressOf(drawing, run),
  );
}

function stepsOf({ words }: Drawing, run: UnfinishedRun): Html {
  const done = STEPS.findIndex((step) => step === run.step);
  return html`<ol class="steps">
    ${STEPS.map((step, at) => {
      const isNow = at === done + 1 && run.isUnderWay;
      const state = at <= done ? 'done' : isNow ? 'now' : 'next';
      return html`<li class="${state}" ${isNow && html`aria-current="step"`}>
        <span>${words.steps[step]}</span> <small>${words.stepStates[state]}</small>
      </li>`;
    })}
  </ol> `;
}

function progressOf({ words }: Drawing, { windows, units }: UnfinishedRun): Html | false {
  const sum = (of: readonly { count: number }[]): number => of.reduce((all, { count }) => all + count, 0);
  const windowsIn = (...states: string[]) => sum(windows.filter(({ state }) => states.includes(state)));
  const unitsIn = (...states: string[]) => sum(units.filter(({ state }) => states.includes(state)));
  const [all, verified, failed] = [sum(windows), windowsIn('verified'), windowsIn('failed', 'unverified')];
  const [unitsAll, done, givenUp] = [sum(units), unitsIn('done'), unitsIn('given_up')];
  if (all === 0) return false;
  return html`<div class="progress">
    <p id="windows">${words.windows({ verified, all, failed })}</p>
    <progress aria-labelledby="windows" value="${verified}" max="${all}"></progress>${
      unitsAll > 0 && html`<p>${words.units({ done, all: unitsAll, givenUp })}</p>`
    }
  </div> `;
}
