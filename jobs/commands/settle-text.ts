/** What became of failed settlements, for a terminal. */
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { Zone } from '../../src/core/time.ts';
import type { Awaiting } from '../night/settle/settle-awaiting.ts';
import { sumOf } from '../night/settle/settle-policy.ts';
import { LAGGING } from '../night/settle/settle-resolution.ts';
import type { Settlement } from '../night/settle/settle-resolve.ts';
import type { SettleOutcome } from '../night/settle/settle-step.ts';
import { oneLine, tableText } from '../cli/table-text.ts';
import { beyondLimits, unheard, unsent, waiting } from './settle-undone.ts';
import { counted } from '../../src/core/text.ts';

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
  const { mode, plan, digest, breaker, heldUntil } = outcome;
  if (heldUntil !== undefined) {
    return [
      `HELD until ${zone.localText(heldUntil)}: what was sent before from here is not known for certain (the database ` +
        'was restored, moved or copied), and may still be on its way or not be shown yet. Nothing was sent; call it ' +
        'again then.',
    ];
  }
  const all = `${counted(breaker.orders, 'settlement')}, ${yuanForPeople(breaker.sumFen)} yuan`;
  if (breaker.approvalDiffers && plan.length === 0) {
    return [
      'NOTHING SENT: the approval is of nothing that is shown now: an order or a day may be another one',
    ];
  }
  if (breaker.approvalDiffers) {
    return [
      `NOTHING SENT: the approval is of another plan, or of another day. This is plan ${digest} (${all} failed). ` +
        `${shareText(outcome)}Look at it, then: recon settle --approve ${digest}`,
    ];
  }
  if (breaker.tripped && !breaker.approved) {
    const why = breaker.isAfterRestore
      ? 'the database was restored today and may have forgotten what was sent, so nothing is retried unseen'
      : 'more than is retried unseen (settle.breaker)';
    return [
      `NEEDS AN APPROVAL: ${all} failed, ${why}. Nothing was sent. ${shareText(outcome)}` +
        `When the plan below is right: recon settle --approve ${digest}`,
    ];
  }
  if (mode === 'dry-run') {
    return [
      `PLAN ${digest}: ${counted(plan.length, 'settlement')}, ${yuanForPeople(sumOf(plan))} yuan; nothing was sent`,
      ...waitText(outcome),
    ];
  }
  return [doneText(outcome)];
}

function doneText(outcome: SettleOutcome): string {
  const { settlements } = outcome;
  const notHeard = unheard(outcome).length;
  const undone = [
    ...undoneText(unsent(outcome), 'did not leave, so nothing was paid by it: call it again'),
    ...undoneText(waiting(outcome), 'not sent in the call that approves an attempt: call it again'),
  ];
  if (settlements.length === 0 && undone.length === 0) {
    return notHeard > 0
      ? 'NOTHING RETRIED: the platform did not answer, so nobody knows what may be retried. Call it again later'
      : 'no settlement was retried, and none was open';
  }
  const byLimits = beyondLimits(outcome).length;
  return [
    ...byOutcome(settlements),
    ...(byLimits > 0 ? [`${byLimits} left for another run by its limits`] : []),
    ...(notHeard > 0 ? [`${notHeard} not retried, because the platform did not answer`] : []),
    ...undone,
  ].join(' · ');
}

function undoneText(undone: readonly { amountFen: Fen }[], why: string): string[] {
  if (undone.length === 0) return [];
  return [`${undone.length} (${yuanForPeople(totalOf(undone))} yuan) ${why}`];
}

/** How much of what failed an approval lets go: what the limits leave is no part of it. */
function shareText({ plan, breaker }: SettleOutcome): string {
  const left = { orders: breaker.orders - plan.length, sumFen: breaker.sumFen - sumOf(plan) };
  if (left.orders === 0) return '';
  return (
    `An approval sends ${plan.length} of them, ${yuanForPeople(sumOf(plan))} yuan; ${left.orders} more, ` +
    `${yuanForPeople(left.sumFen)} yuan, are left to other days by the limits. `
  );
}

/** What whoever carries it out has to be ready for. */
function waitText({ wait, plan }: SettleOutcome): string[] {
  if (wait === undefined || plan.length === 0) return [];
  const minutes = Math.ceil(wait.seconds / 60);
  return [`before anything is sent ${counted(minutes, 'minute passes', 'minutes pass')}: ${wait.why}`];
}

function byOutcome(settlements: SettleOutcome['settlements']): string[] {
  const groups = Map.groupBy(settlements, ({ outcome }) => outcome);
  return [...groups].map(
    ([name, group]) => `${name} ${group.length} (${yuanForPeople(totalOf(group))} yuan)`,
  );
}

function totalOf(items: readonly { amountFen: Fen }[]): Fen {
  return items.reduce((sum, { amountFen }) => sum + amountFen, 0n);
}

/** The plan is shown where nothing of it was sent. */
function planText({ plan, mode, breaker, heldUntil }: SettleOutcome): string[] {
  const isStopped = breaker.approvalDiffers || (breaker.tripped && !breaker.approved);
  const isPending = mode === 'dry-run' || heldUntil !== undefined || isStopped;
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

/** What became of an approval of it that did not hold. */
function refusedText({ outOrderNo, approval }: Settlement): string[] {
  return typeof approval === 'object' ? [`${outOrderNo} NOT APPROVED: ${oneLine(approval.refused)}.`] : [];
}

/** What a person reads before the word that ends it. */
function awaitingText(settlement: Settlement, zone: Zone): string[] {
  const { outOrderNo, payeeAccountNo, amountFen, awaiting } = settlement;
  if (awaiting === undefined) return refusedText(settlement);
  const { since, why, said, balances, digest, missing } = awaiting;
  const table = tableText(
    [`balance of ${payeeAccountNo}`, 'yuan', 'change', 'of it frozen'],
    balances.map(({ at, balanceFen, frozenFen }, place) => {
      const before = balances[place - 1]?.balanceFen;
      const change = before === undefined ? '' : yuanForPeople(balanceFen - before);
      const frozen = frozenFen === undefined ? '?' : yuanForPeople(frozenFen);
      return [zone.localText(at), yuanForPeople(balanceFen), change, frozen];
    }),
    { right: [1, 2, 3] },
  );
  return [
    '',
    `AWAITING A PERSON: ${outOrderNo}, ${yuanForPeople(amountFen)} yuan, sent at ${zone.localText(since)}: ` +
      `${oneLine(why)}. It blocks its order.`,
    ...(said === undefined ? [] : [oneLine(said)]),
    answerText(awaiting, zone),
    ...shownText(awaiting, zone),
    table,
    ...leftText(awaiting, zone),
    ...refusedText(settlement),
    missing === undefined
      ? `Only when you are certain that it was not paid: recon settle --approve ${digest}`
      : `Nothing can be approved now: ${oneLine(missing)}.`,
  ];
}

/** What came back of its send. */
function answerText({ answer }: Awaiting, zone: Zone): string {
  const { state, isClaimed, answeredAt, note } = answer;
  const when = answeredAt === undefined ? '' : ` on ${zone.localText(answeredAt)}`;
  const said = note === '' ? '' : `: ${oneLine(note)}`;
  const signed = SIGNED.get(state);
  if (signed !== undefined) {
    // SUCCESS may count as PROCESSING: the note says what it states.
    const is = note === '' ? 'was' : 'counts as';
    return `the platform's signed answer to it${when} ${is} ${signed}${said}`;
  }
  if (answeredAt === undefined)
    return 'what the platform answered to it is not known: it may have been taken';
  return isClaimed
    ? `what came back of it${when} may say that it was taken${said}`
    : `nothing that came back of it${when} says that it was taken${said}`;
}

const SIGNED: ReadonlyMap<Awaiting['answer']['state'], string> = new Map([
  ['ACK_SUCCESS', 'SUCCESS'],
  ['ACK_PROCESSING', 'PROCESSING'],
]);

/** What looks showed of it meanwhile. */
function shownText({ openShownAt, movedShownAt, elseShownAt, why }: Awaiting, zone: Zone): string[] {
  const lines: string[] = [];
  if (openShownAt !== undefined) lines.push(`a query showed it under way, on ${zone.localText(openShownAt)}`);
  if (movedShownAt !== undefined) {
    lines.push(
      `a query showed it PAID, on ${zone.localText(movedShownAt)}: an approval says that it came back`,
    );
  }
  if (elseShownAt !== undefined) {
    const may = why === LAGGING ? ', and it may have been PAID then' : '';
    lines.push(
      `a query last showed, or may have shown, something else than a plain failure on ${zone.localText(elseShownAt)}${may}`,
    );
  }
  return lines;
}

/** What the balances say of it, and what they cannot say. */
function leftText({ left, isComparable, isAccountUnknown }: Awaiting, zone: Zone): string[] {
  const named = left.map(({ from, to, fen, isExact, isFrozen }) => {
    const when = `between ${zone.localText(from)} and ${zone.localText(to)}`;
    if (isFrozen) {
      return `${when} ${isExact ? 'exactly ' : ''}${yuanForPeople(fen)} yuan were frozen on it: it may be about to be paid`;
    }
    const sum = `${yuanForPeople(fen)} yuan left it`;
    return isExact
      ? `${when} exactly ${sum}: it looks as if it was paid`
      : `${when} ${sum}: it may have been paid, together with a fee or with something else`;
  });
  if (isAccountUnknown) {
    named.push('the platform does not know the account any more: it states no balance of it, now or later');
  }
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
  const said = `${counted(notRetried.length, 'failed settlement is', 'failed settlements are')} not retried now:`;
  return ['', said, table, ...rest(notRetried)];
}

function rest(items: readonly unknown[]): string[] {
  const more = items.length - ROWS_SHOWN;
  return more > 0 ? [`… and ${more} more (--json shows all)`] : [];
}
