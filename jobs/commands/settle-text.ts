/** What became of failed settlements, for a terminal. */
import { yuanForPeople } from '../src/core/fen.ts';
import type { Fen } from '../src/core/fen.ts';
import type { Zone } from '../src/core/time.ts';
import type { Awaiting } from './settle-awaiting.ts';
import { sumOf } from './settle-policy.ts';
import type { Settlement } from './settle-resolve.ts';
import type { SettleOutcome } from './settle-step.ts';
import { tableText } from './table-text.ts';

/** A terminal shows this many of each kind; `--json` has all. */
const ROWS_SHOWN = 40;

export function settleText(outcome: SettleOutcome, zone: Zone): string {
  return [
    ...headText(outcome, zone),
    ...planText(outcome),
    ...settlementsText(outcome),
    ...outcome.settlements.flatMap((one) => awaitingText(one, zone)),
    ...notRetriedText(outcome, zone),
  ].join('\n');
}

/** The one thing a person has to know, first. */
function headText(outcome: SettleOutcome, zone: Zone): string[] {
  const { mode, plan, digest, breaker, heldUntil, settlements, leftOver } = outcome;
  if (heldUntil !== undefined) {
    return [
      `HELD until ${zone.localText(heldUntil)}: what was sent before from here is not known for certain (the database ` +
        'was restored, moved or copied), and may still be on its way or not be shown yet. Nothing was sent; call it ' +
        'again then.',
    ];
  }
  const all = `${breaker.orders} settlements, ${yuanForPeople(breaker.sumFen)} yuan`;
  if (breaker.approvalDiffers) {
    return [
      `NOTHING SENT: the approval is of another plan. This is plan ${digest} (${all}); look at it, then: ` +
        `recon settle --approve ${digest}`,
    ];
  }
  if (breaker.tripped && !breaker.approved) {
    const why = breaker.isAfterRestore
      ? 'the database was restored today and may have forgotten what was sent, so nothing is retried unseen'
      : 'more than is retried unseen (settle.breaker)';
    return [
      `NEEDS AN APPROVAL: ${all} failed, ${why}. Nothing was sent. ` +
        `When the plan below is right: recon settle --approve ${digest}`,
    ];
  }
  if (mode === 'dry-run') {
    return [
      `PLAN ${digest}: ${plan.length} settlements, ${yuanForPeople(sumOf(plan))} yuan; nothing was sent`,
      ...waitText(outcome),
    ];
  }
  if (settlements.length === 0) return ['no settlement was retried, and none was open'];
  const left = leftOver.orders > 0 ? ` · ${leftOver.orders} left for another run by its limits` : '';
  return [`${byOutcome(settlements)}${left}`];
}

/** What whoever carries it out has to be ready for. */
function waitText({ wait, plan }: SettleOutcome): string[] {
  if (wait === undefined || plan.length === 0) return [];
  return [`before anything is sent ${Math.ceil(wait.seconds / 60)} minutes pass: ${wait.why}`];
}

function byOutcome(settlements: SettleOutcome['settlements']): string {
  const groups = Map.groupBy(settlements, ({ outcome }) => outcome);
  return [...groups]
    .map(([name, group]) => `${name} ${group.length} (${yuanForPeople(totalOf(group))} yuan)`)
    .join(' · ');
}

function totalOf(items: readonly { amountFen: Fen }[]): Fen {
  return items.reduce((sum, { amountFen }) => sum + amountFen, 0n);
}

/** The plan is shown where nothing of it was sent. */
function planText({ plan, mode, breaker, heldUntil }: SettleOutcome): string[] {
  const isPending = mode === 'dry-run' || heldUntil !== undefined || (breaker.tripped && !breaker.approved);
  if (!isPending || plan.length === 0) return [];
  const table = tableText(
    ['payer', 'order', 'payee', 'amount', 'attempt', 'remark'],
    plan
      .slice(0, ROWS_SHOWN)
      .map((line) => [
        line.accountNo,
        line.outOrderNo,
        line.payeeAccountNo,
        yuanForPeople(line.amountFen),
        String(line.attemptNo),
        line.remark,
      ]),
    { right: [3, 4] },
  );
  return ['', 'would be sent:', table, ...rest(plan)];
}

function settlementsText({ settlements }: SettleOutcome): string[] {
  if (settlements.length === 0) return [];
  const table = tableText(
    ['payer', 'order', 'payee', 'amount', 'attempt', 'outcome', 'note'],
    settlements
      .slice(0, ROWS_SHOWN)
      .map((one) => [
        one.accountNo,
        one.outOrderNo,
        one.payeeAccountNo,
        yuanForPeople(one.amountFen),
        String(one.attemptNo),
        one.outcome,
        one.note,
      ]),
    { right: [3, 4] },
  );
  const isOpen = settlements.some(({ outcome }) => outcome === 'UNKNOWN' || outcome === 'PROCESSING');
  const hint =
    'what is UNKNOWN or PROCESSING is asked again by the next night or recon settle, never sent again';
  return ['', table, ...rest(settlements), ...(isOpen ? [hint] : [])];
}

/** What a person reads before the word that ends it. */
function awaitingText({ outOrderNo, payeeAccountNo, amountFen, awaiting }: Settlement, zone: Zone): string[] {
  if (awaiting === undefined) return [];
  const { since, why, balances, digest } = awaiting;
  const table = tableText(
    [`balance of ${payeeAccountNo}`, 'yuan', 'change'],
    balances.map(({ at, balanceFen }, place) => {
      const before = balances[place - 1]?.balanceFen;
      const change = before === undefined ? '' : yuanForPeople(balanceFen - before);
      return [zone.localText(at), yuanForPeople(balanceFen), change];
    }),
    { right: [1, 2] },
  );
  return [
    '',
    `AWAITING A PERSON: ${outOrderNo}, ${yuanForPeople(amountFen)} yuan, sent at ${zone.localText(since)}: ` +
      `${why}. It blocks its order.`,
    table,
    ...leftText(awaiting, zone),
    `Only when you are certain that it was not paid: recon settle --approve ${digest}`,
  ];
}

/** What the balances say of it, and what they cannot say. */
function leftText({ left, isComparable }: Awaiting, zone: Zone): string[] {
  const named = left.map(({ from, to, fen, isExact }) => {
    const when = `between ${zone.localText(from)} and ${zone.localText(to)}`;
    const sum = `${yuanForPeople(fen)} yuan left it`;
    return isExact
      ? `${when} exactly ${sum}: it looks as if it was paid`
      : `${when} ${sum}: it may have been paid, together with a fee or with something else`;
  });
  if (!isComparable) {
    named.push(
      'no balance from before it was sent can be compared with one from after: whether it left is not known',
    );
  } else if (named.length === 0) {
    named.push(
      'between no two readings did its amount or more leave; what came in meanwhile may hide that it did',
    );
  }
  return named;
}

function notRetriedText({ notRetried }: SettleOutcome, zone: Zone): string[] {
  if (notRetried.length === 0) return [];
  const table = tableText(
    ['payer', 'order', 'payee', 'amount', 'why not'],
    notRetried
      .slice(0, ROWS_SHOWN)
      .map((one) => [
        one.accountNo,
        one.outOrderNo,
        one.payeeAccountNo,
        one.amountFen === undefined ? '?' : yuanForPeople(one.amountFen),
        one.until === undefined ? one.reason : `${one.reason}; from ${zone.localText(one.until)} on`,
      ]),
    { right: [3] },
  );
  return ['', `${notRetried.length} failed settlements are not retried now:`, table, ...rest(notRetried)];
}

function rest(items: readonly unknown[]): string[] {
  const more = items.length - ROWS_SHOWN;
  return more > 0 ? [`… and ${more} more (--json shows all)`] : [];
}
