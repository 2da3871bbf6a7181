/** What became of failed settlements, for a terminal. */
import { yuanForPeople } from '../src/core/fen.ts';
import type { Fen } from '../src/core/fen.ts';
import type { Zone } from '../src/core/time.ts';
import { sumOf } from './settle-policy.ts';
import type { SettleOutcome } from './settle-step.ts';
import { tableText } from './table-text.ts';

/** A terminal shows this many of each kind; `--json` has all. */
const ROWS_SHOWN = 40;

export function settleText(outcome: SettleOutcome, zone: Zone): string {
  return [
    ...headText(outcome, zone),
    ...planText(outcome),
    ...settlementsText(outcome),
    ...notRetriedText(outcome, zone),
  ].join('\n');
}

/** The one thing a person has to know, first. */
function headText(outcome: SettleOutcome, zone: Zone): string[] {
  const { mode, plan, digest, breaker, heldUntil, settlements, leftOver } = outcome;
  if (heldUntil !== undefined) {
    return [
      `HELD until ${zone.localText(heldUntil)}: this database was restored from a backup or moved, and what was sent ` +
        'before that may still be on its way. Nothing was sent; call it again then.',
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
    return [
      `NEEDS AN APPROVAL: ${all} failed, more than is retried unseen (settle.breaker). Nothing was sent. ` +
        `When the plan below is right: recon settle --approve ${digest}`,
    ];
  }
  if (mode === 'dry-run') {
    return [
      `PLAN ${digest}: ${plan.length} settlements, ${yuanForPeople(sumOf(plan))} yuan; nothing was sent`,
    ];
  }
  if (settlements.length === 0) return ['no settlement was retried, and none was open'];
  const left = leftOver.orders > 0 ? ` · ${leftOver.orders} left for another run by its limits` : '';
  return [`${byOutcome(settlements)}${left}`];
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
