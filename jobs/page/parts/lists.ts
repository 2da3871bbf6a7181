/** What is open and waits: breaks by class and age, settlements nobody can be sure of, vouchers still to be fetched. */
import { AGE_BUCKETS, bucketOf } from '../../../reports/words/terms.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { UncertainAttempt } from '../../../src/settlements/settle-uncertain.ts';
import type { OpenBreaks } from '../../../src/store/runs/open-breaks.ts';
import type { WantedVouchers } from '../../../src/store/vouchers/voucher-wanted.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { PageData } from '../read-page.ts';
import type { PageWords } from '../words/page-words.ts';
import { card, money, moneyText, scrolling, timeText } from './frame.ts';
import type { Drawing } from './frame.ts';

const SEVERITIES = ['break', 'attention', 'timing'] as const;
/** Settlements that are listed; more than a day retries. */
const SETTLEMENTS_SHOWN = 100;
const MONTHS_SHOWN = 12;

function sumOf(breaks: readonly OpenBreaks[]): { count: number; amountFen: Fen } {
  return {
    count: breaks.reduce((sum, { count }) => sum + count, 0),
    amountFen: breaks.reduce((sum, { amountFen }) => sum + amountFen, 0n),
  };
}

/** Only a person can say how these ended. */
function forPerson(uncertain: readonly UncertainAttempt[]): UncertainAttempt[] {
  return uncertain.filter(({ result }) => result === 'AWAITING' || result === 'UNKNOWN');
}

/** The figures that say whether there is work, each leading to it. */
export function tilesPart({ words }: Drawing, { breaks, uncertain, vouchers }: PageData): Html {
  const of = (severity: OpenBreaks['severity']) => sumOf(breaks.filter((one) => one.severity === severity));
  const [open, attention, timing] = [of('break'), of('attention'), of('timing')];
  const doubted = forPerson(uncertain);
  const due = vouchers.reduce((sum, { count }) => sum + count, 0);
  const oldest = vouchers.at(-1)?.month;
  const doubtedFen = doubted.reduce((sum, { amountFen }) => sum + amountFen, 0n);
  const tile = (name: string, count: number, of: { href: string; tone: string; below: Fen | string }) =>
    html` <li class="${count > 0 && of.tone}">
      <a href="${of.href}"
        ><span class="name">${name}</span> <b>${count}</b>
        <span class="below"
          >${typeof of.below === 'bigint' ? words.terms.common.yuan(moneyText(of.below)) : of.below}</span
        ></a
      >
    </li>`;
  return html`<ul class="tiles">
    ${[
      tile(words.openBreaks, open.count, { href: '#breaks', tone: 'alarm', below: open.amountFen }),
      tile(words.openAttention, attention.count, {
        href: '#breaks',
        tone: 'warn',
        below: attention.amountFen,
      }),
      tile(words.openTiming, timing.count, { href: '#breaks', tone: '', below: timing.amountFen }),
      tile(words.waitingSettlements, doubted.length, {
        href: '#settlements',
        tone: 'alarm',
        below: doubtedFen,
      }),
      tile(words.dueVouchers, due, {
        href: '#vouchers',
        tone: '',
        below: oldest === undefined ? '–' : words.sinceMonth(oldest),
      }),
    ]}
  </ul> `;
}

export function breaksPart({ words }: Drawing, { breaks }: PageData): Html {
  const title = words.breaksTitle;
  if (breaks.length === 0)
    return card({ id: 'breaks', title }, html`<p class="calm">${words.breaksNone}</p>`);
  const bodies = SEVERITIES.map((severity) => {
    const own = breaks.filter((one) => one.severity === severity);
    const classes = [...new Set(own.map((one) => one.class))];
    if (classes.length === 0) return false;
    return html`<tbody class="t-${severity}">
      <tr class="group">
        <th scope="rowgroup">${words.severities[severity]}</th>
        ${numbers(own)}
      </tr>
      ${classes.map(
        (name) =>
          html`<tr>
            <th scope="row">${words.terms.classes[name]}</th>
            ${numbers(own.filter((one) => one.class === name))}
          </tr>`,
      )}
    </tbody>`;
  });
  return card(
    { id: 'breaks', title, hint: words.breaksHint },
    scrolling(
      words,
      title,
      html`<table class="list">
        <thead>
          <tr>
            <th scope="col">${words.class}</th>
            <th scope="col" class="number">${words.count}</th>
            <th scope="col" class="number">${words.amountYuan}</th>
            ${AGE_BUCKETS.map((bucket) => html`<th scope="col" class="number">${words.ages[bucket]}</th>`)}
          </tr>
        </thead>
        ${bodies}
      </table>`,
    ),
  );
}

/** The count of all and the amount, then counts by age: a telephone shows the first columns. */
function numbers(breaks: readonly OpenBreaks[]): Html {
  const { count, amountFen } = sumOf(breaks);
  return html`<td class="number"><b>${count}</b></td>
    <td class="number">${moneyText(amountFen)}</td>
    ${AGE_BUCKETS.map((bucket) => {
      const some = sumOf(breaks.filter(({ ageDays }) => bucketOf(ageDays) === bucket)).count;
      return html`<td class="number ${some === 0 && 'nil'}">${some === 0 ? '–' : some}</td>`;
    })}`;
}

export function settlementsPart(drawing: Drawing, { uncertain }: PageData): Html {
  const { words } = drawing;
  const title = words.settlementsTitle;
  const doubted = forPerson(uncertain);
  const others = uncertain.filter(({ result }) => result === 'PROCESSING');
  const sum = others.reduce((fen, { amountFen }) => fen + amountFen, 0n);
  const underWay =
    others.length > 0 &&
    html`<p class="hint">${words.settlementsUnderWay({ count: others.length, yuan: moneyText(sum) })}</p>`;
  if (doubted.length === 0)
    return card({ id: 'settlements', title }, html`<p class="calm">${words.settlementsNone}</p>`, underWay);
  return card(
    { id: 'settlements', title, hint: words.settlementsHint },
    scrolling(words, title, settlementTable(drawing, doubted)),
    doubted.length > SETTLEMENTS_SHOWN && html`<p class="hint">${SETTLEMENTS_SHOWN} / ${doubted.length}</p>`,
    underWay,
  );
}

function settlementTable({ words, zone }: Drawing, doubted: readonly UncertainAttempt[]): Html {
  const heads = [words.payee, words.sentAt, words.orderNo, words.payer];
  return html`<table class="list">
    <thead>
      <tr>
        <th scope="col">${words.outcome}</th>
        <th scope="col" class="number">${words.amountYuan}</th>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        <th scope="col" class="number">${words.attempt}</th>
      </tr>
    </thead>
    <tbody>
      ${doubted.slice(0, SETTLEMENTS_SHOWN).map(
        (one) =>
          html`<tr>
            <td><span class="state s-${one.result}">${words.outcomes[one.result]}</span></td>
            <td class="number">${money(words, one.amountFen)}</td>
            <td>${one.payeeAccountNo}</td>
            <td>${one.sentAt === null ? '–' : timeText(zone, one.sentAt)}</td>
            <td>${one.outOrderNo}</td>
            <td>${one.accountNo}</td>
            <td class="number">${one.attemptNo}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function vouchersPart({ words }: Drawing, { vouchers }: PageData): Html {
  const title = words.vouchersTitle;
  if (vouchers.length === 0)
    return card({ id: 'vouchers', title }, html`<p class="calm">${words.vouchersNone}</p>`);
  return card(
    { id: 'vouchers', title, hint: words.vouchersHint },
    scrolling(words, title, voucherTable(words, vouchers.slice(0, MONTHS_SHOWN))),
    vouchers.length > MONTHS_SHOWN && html`<p class="hint">${MONTHS_SHOWN} / ${vouchers.length}</p>`,
  );
}

function voucherTable(words: PageWords, months: readonly WantedVouchers[]): Html {
  return html`<table class="list">
    <thead>
      <tr>
        <th scope="col">${words.voucherMonth}</th>
        <th scope="col" class="number">${words.askedBefore}</th>
        <th scope="col" class="number">${words.neverAsked}</th>
        <th scope="col" class="number">${words.total}</th>
      </tr>
    </thead>
    <tbody>
      ${months.map(
        ({ month, count, asked }) =>
          html`<tr>
            <th scope="row">${month}</th>
            <td class="number">${asked}</td>
            <td class="number">${count - asked}</td>
            <td class="number"><b>${count}</b></td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
