/**
 * What is wrong with deposits and balances in the demo: one break of every class they can show, each made in the
 * way it comes about in life, and the finding a night is expected to report for it. All lie on the last day but
 * for two records of the day before, which the platform changes and drops between the two nights.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import type { DepositSeed } from '../seed-schema.ts';
import type { DemoAccount, DemoRole } from './demo-accounts.ts';
import { book, deposited, ledgerEntries, tradeOf } from './demo-month.ts';
import type { Trade } from './demo-month.ts';
import { finds, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo.ts';
import { payers } from './people.ts';
import type { Payer } from './people.ts';

/** Where deposits are planted, and who pays them. */
interface Planter extends Scene {
  payer: Payer;
  otherPayer: Payer;
}

export function plantBreaks(draft: DemoDraft): void {
  const [payer, otherPayer] = payers(draft.random, 2);
  if (!payer || !otherPayer) throw new Error('Bug: two payers are needed');
  const at = (part: DemoRole): Planter => ({ ...sceneAt(draft, part), payer, otherPayer });
  plantLines(at('lines'), at('facts').account);
  plantFacts(at('facts'));
  plantTiming(at('timing'));
  plantSilence(at('silent'));
}

function trade(planter: Planter, amountFen: Fen, time: string, day = planter.lastDay): Trade {
  const { draft, account, payer } = planter;
  return tradeOf(draft, { accountNo: account.accountNo, amountFen, at: `${day} ${time}`, payer });
}

function plantLines(planter: Planter, otherAccount: DemoAccount): void {
  plantMissingLines(planter);
  plantWrongLines(planter);
  plantWrongAccount(planter, otherAccount);
  plantAmbiguity(planter);
}

function plantMissingLines(planter: Planter): void {
  const { draft, lastDay, account, payer } = planter;
  const unbooked = trade(planter, 128_800n, '10:12:40');
  deposited(draft, unbooked);
  finds(planter, {
    class: 'platform_only',
    reference: unbooked.orderNo,
    differenceFen: 128_800n,
    note: 'a deposit that the company forgot to book',
  });

  const unknown = `DP${lastDay.replaceAll('-', '')}X000001`;
  draft.ledger.push({
    accountNo: account.accountNo,
    kind: 'deposit',
    amountFen: 66_000n,
    reference: unknown,
    counterparty: payer.name,
    bookedAt: `${lastDay} 11:03:10`,
    status: 'posted',
    memo: '货款',
  });
  finds(planter, {
    class: 'ledger_only',
    reference: unknown,
    differenceFen: -66_000n,
    note: 'the company booked a deposit that never arrived',
  });
}

function plantWrongLines(planter: Planter): void {
  const { draft } = planter;
  const swapped = trade(planter, 459_000n, '13:30:05');
  deposited(draft, swapped);
  draft.ledger.push(...ledgerEntries({ ...swapped, amountFen: 495_000n }, swapped.orderNo));
  finds(planter, {
    class: 'amount',
    reference: swapped.orderNo,
    differenceFen: -36_000n,
    note: 'digits swapped: a deposit of 4,590.00 was booked as 4,950.00',
  });

  const gross: Trade = { ...trade(planter, 5_000_000n, '14:05:00'), feeFen: 3_000n };
  deposited(draft, gross);
  draft.ledger.push(...ledgerEntries({ ...gross, feeFen: 0n }, gross.orderNo));
  finds(planter, {
    class: 'fee',
    reference: gross.orderNo,
    differenceFen: -3_000n,
    note: 'the fee of 30.00 that was taken out of the deposit was not booked',
  });

  const doubled = trade(planter, 82_000n, '15:20:33');
  book(draft, doubled, doubled.orderNo);
  draft.ledger.push(...ledgerEntries(doubled, doubled.orderNo));
  finds(planter, {
    class: 'duplicate',
    reference: doubled.orderNo,
    differenceFen: -82_000n,
    note: 'a deposit that was booked twice',
  });
}

function plantWrongAccount(planter: Planter, otherAccount: DemoAccount): void {
  const misplaced = trade(planter, 300_000n, '16:44:09');
  deposited(planter.draft, misplaced);
  const { accountNo } = otherAccount;
  planter.draft.ledger.push(...ledgerEntries({ ...misplaced, accountNo }, misplaced.orderNo));
  const note = 'a deposit that was booked under another account of the company';
  finds(planter, { class: 'account', reference: misplaced.orderNo, differenceFen: 300_000n, note });
  finds(planter, {
    class: 'account',
    reference: misplaced.orderNo,
    accountNo,
    differenceFen: -300_000n,
    note,
    follows: 'account',
  });
}

/** Two payers, one amount, and one entry that names neither: no rule can say whose deposit is unbooked. */
function plantAmbiguity(planter: Planter): void {
  const { draft, otherPayer } = planter;
  const first = trade(planter, 60_000n, '17:15:00');
  deposited(draft, first);
  const second: Trade = { ...trade(planter, 60_000n, '17:52:30'), payer: otherPayer };
  deposited(draft, second);
  const [entry] = ledgerEntries(first, '');
  if (!entry) throw new Error('Bug: a trade has an entry');
  draft.ledger.push({ ...entry, counterparty: '', bookedAt: second.at });
  finds(planter, {
    class: 'ambiguous',
    reference: first.orderNo,
    differenceFen: 60_000n,
    note: `two payers paid 600.00 (the other is ${second.orderNo}), one entry without payer or number is booked`,
  });
}

function plantFacts(planter: Planter): void {
  plantChangedRecords(planter);
  plantUnreadable(planter);
  plantWrongReal(planter);
  plantBalance(planter);
}

/** The deposit that was just added, for what its listing does differently. */
function lastDeposit(draft: DemoDraft): DepositSeed {
  const deposit = draft.deposits.at(-1);
  if (!deposit) throw new Error('Bug: no deposit was added');
  return deposit;
}

/** The credited amount stays the same, so that the change shows as itself and not as a difference. */
function plantChangedRecords(planter: Planter): void {
  const { draft, lastDay, dayBefore } = planter;
  const changed = trade(planter, 1_000_000n, '09:40:00', dayBefore);
  book(draft, changed, changed.orderNo);
  const change = { at: `${lastDay} 12:00:00`, set: { amount: 1_000_300, fee: 300 } };
  Object.assign(lastDeposit(draft), { changes: [change] });
  finds(planter, {
    class: 'record_changed',
    reference: changed.orderNo,
    differenceFen: 0n,
    note: 'a day later the platform states 10,003.00 with a fee of 3.00 instead of 10,000.00 without',
  });

  const dropped = trade(planter, 47_500n, '18:21:00', dayBefore);
  book(draft, dropped, dropped.orderNo);
  Object.assign(lastDeposit(draft), { vanishesAt: `${lastDay} 12:00:00` });
  finds(planter, {
    class: 'record_vanished',
    reference: dropped.orderNo,
    differenceFen: 0n,
    note: 'a day later the platform lists this deposit no more, its money stays on the account',
  });
}

/** It moved no money, so that nothing but the record itself is wrong. */
function plantUnreadable(planter: Planter): void {
  const { draft } = planter;
  const garbled = trade(planter, 1_250n, '10:30:00');
  deposited(draft, garbled);
  Object.assign(lastDeposit(draft), { creditedFen: 0n, listed: { raw: { amount: '12.5' } } });
  finds(planter, {
    class: 'bad_record',
    reference: garbled.orderNo,
    differenceFen: 0n,
    note: 'the amount is stated as 12.5 fen; the record moved no money',
  });
}

function plantWrongReal(planter: Planter): void {
  const { draft } = planter;
  const odd: Trade = { ...trade(planter, 200_000n, '11:45:00'), feeFen: 600n, feeType: 'ACCOUNT' };
  book(draft, odd, odd.orderNo);
  Object.assign(lastDeposit(draft), { realFen: 199_400n });
  finds(planter, {
    class: 'fee_invariant',
    reference: odd.orderNo,
    differenceFen: 0n,
    note: 'realAmount is 1,994.00 although the fee of 6.00 is an outer one (2,000.00 would be right)',
  });
}

function plantBalance(planter: Planter): void {
  const { draft, account, lastDay, dayBefore } = planter;
  const { accountNo } = account;
  draft.movements.push({ kind: 'interest', accountNo, amountFen: 1_234n, at: `${lastDay} 21:00:00` });
  finds(planter, {
    class: 'unexplained',
    reference: accountNo,
    differenceFen: 1_234n,
    note: 'interest of 12.34 that no record shows',
  });

  const opening = draft.ledger.find((entry) => entry.kind === 'opening' && entry.accountNo === accountNo);
  if (!opening) throw new Error('Bug: every account has an opening');
  opening.amountFen += 50_000n;
  finds(planter, {
    class: 'opening',
    reference: accountNo,
    differenceFen: -50_000n,
    foundBy: dayBefore,
    note: 'the books began the month with 500.00 too much',
  });
}

function plantTiming(planter: Planter): void {
  const { draft, lastDay } = planter;
  const late = trade(planter, 76_000n, '23:59:30');
  deposited(draft, late);
  const bookedAt = `${addDays(lastDay, 1)} 00:00:40`;
  draft.ledger.push(...ledgerEntries({ ...late, at: bookedAt }, late.orderNo));
  finds(planter, {
    class: 'late',
    reference: late.orderNo,
    differenceFen: 76_000n,
    note: 'a deposit that arrived 30 s before midnight and was booked 40 s after it',
  });

  const waiting = trade(planter, 152_000n, '19:08:00');
  deposited(draft, waiting);
  const entries = ledgerEntries(waiting, waiting.orderNo);
  draft.ledger.push(...entries.map((entry) => ({ ...entry, status: 'pending' as const })));
  finds(planter, {
    class: 'pending',
    reference: waiting.orderNo,
    differenceFen: 152_000n,
    note: 'a deposit that is final on the platform and pending in the ledger',
  });
}

/** The account's first deposit ever: its listing stays empty although the balance rises (U24). */
function plantSilence(planter: Planter): void {
  const { draft, account } = planter;
  const unlisted = trade(planter, 260_000n, '14:20:00');
  book(draft, unlisted, unlisted.orderNo);
  draft.emptyListingOf.push(account.accountNo);
  finds(planter, {
    class: 'empty_suspect',
    reference: account.accountNo,
    differenceFen: 0n,
    note: 'the listing is empty although the ledger has a deposit and the balance rose',
  });
  const follows = 'empty_suspect';
  const note = 'what the empty listing leaves behind';
  finds(planter, {
    class: 'ledger_only',
    reference: unlisted.orderNo,
    differenceFen: -260_000n,
    note,
    follows,
  });
  finds(planter, {
    class: 'unexplained',
    reference: account.accountNo,
    differenceFen: 260_000n,
    note,
    follows,
  });
}
