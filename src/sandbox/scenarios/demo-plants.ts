/**
 * What is wrong with deposits and balances in the demo: one break of every class they can show, each made in the
 * way it comes about in life, and the finding a night is expected to report for it. All lie on the last day but
 * for two records of the day before, which the platform changes and drops between the two nights.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import type { DemoAccount, DemoRole } from './demo-accounts.ts';
import type { DemoDraft, LedgerEntry } from './demo-draft.ts';
import { ledgerEntries } from './demo-month.ts';
import type { Trade } from './demo-month.ts';
import { finds, plantDeposit, sceneAt, sendDeposit } from './demo-scene.ts';
import type { DepositPlan, Scene } from './demo-scene.ts';
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
  plantMissingLines(at('lines'));
  plantWrongLines(at('lines'));
  plantWrongAccount(at('lines'), at('facts').account);
  plantAmbiguity(at('lines'));
  plantChangedRecords(at('facts'));
  plantWrongRecords(at('facts'));
  plantBalance(at('facts'));
  plantTiming(at('timing'));
  plantSilence(at('silent'));
}

/** A deposit as it should be booked. */
const asItIs = (trade: Trade): LedgerEntry[] => ledgerEntries(trade, trade.orderNo);

/** On the last day, by the usual payer. */
function paid({ payer, lastDay }: Planter, time: string, amountFen: Fen): DepositPlan {
  return { at: `${lastDay} ${time}`, payer, amountFen };
}

function plantMissingLines(planter: Planter): void {
  const { draft, lastDay, account, payer } = planter;
  plantDeposit(planter, {
    note: 'a deposit that the company forgot to book',
    deposit: paid(planter, '10:12:40', 128_800n),
    finds: { class: 'platform_only', differenceFen: 128_800n },
  });
  const reference = `DP${lastDay.replaceAll('-', '')}X000001`;
  draft.ledger.push({
    accountNo: account.accountNo,
    kind: 'deposit',
    amountFen: 66_000n,
    reference,
    counterparty: payer.name,
    bookedAt: `${lastDay} 11:03:10`,
    status: 'posted',
    memo: '货款',
  });
  const note = 'the company booked a deposit that never arrived';
  finds(planter, { class: 'ledger_only', reference, differenceFen: -66_000n, note });
}

function plantWrongLines(planter: Planter): void {
  plantDeposit(planter, {
    note: 'digits swapped: a deposit of 4,590.00 was booked as 4,950.00',
    deposit: paid(planter, '13:30:05', 459_000n),
    books: (trade) => asItIs({ ...trade, amountFen: 495_000n }),
    finds: { class: 'amount', differenceFen: -36_000n },
  });
  plantDeposit(planter, {
    note: 'the fee of 30.00 that was taken out of the deposit was not booked',
    deposit: { ...paid(planter, '14:05:00', 5_000_000n), feeFen: 3_000n },
    books: (trade) => asItIs({ ...trade, feeFen: 0n }),
    finds: { class: 'fee', differenceFen: -3_000n },
  });
  plantDeposit(planter, {
    note: 'a deposit that was booked twice',
    deposit: paid(planter, '15:20:33', 82_000n),
    books: (trade) => [...asItIs(trade), ...asItIs(trade)],
    finds: { class: 'duplicate', differenceFen: -82_000n },
  });
}

function plantWrongAccount(planter: Planter, { accountNo }: DemoAccount): void {
  const note = 'a deposit that was booked under another account of the company';
  const { orderNo: reference } = plantDeposit(planter, {
    note,
    deposit: paid(planter, '16:44:09', 300_000n),
    books: (trade) => asItIs({ ...trade, accountNo }),
    finds: { class: 'account', differenceFen: 300_000n },
  });
  const differenceFen = -300_000n;
  finds(planter, { class: 'account', reference, accountNo, differenceFen, note, follows: 'account' });
}

/** Two payers, one amount, and one entry that names neither: no rule can say whose deposit is unbooked. */
function plantAmbiguity(planter: Planter): void {
  const { draft, otherPayer } = planter;
  const first = sendDeposit(planter, paid(planter, '17:15:00', 60_000n));
  const second = sendDeposit(planter, { ...paid(planter, '17:52:30', 60_000n), payer: otherPayer });
  const entries = ledgerEntries({ ...first, at: second.at }, '');
  draft.ledger.push(...entries.map((entry) => ({ ...entry, counterparty: '' })));
  finds(planter, {
    note: `two payers paid 600.00 (the other is ${second.orderNo}), one entry without payer or number is booked`,
    class: 'ambiguous',
    reference: first.orderNo,
    differenceFen: 60_000n,
  });
}

/** The credited amount stays the same, so that the change shows as itself and not as a difference. */
function plantChangedRecords(planter: Planter): void {
  const { lastDay, dayBefore, payer } = planter;
  const changedAt = `${lastDay} 12:00:00`;
  plantDeposit(planter, {
    note: 'a day later the platform states 10,003.00 with a fee of 3.00 instead of 10,000.00 without',
    deposit: { at: `${dayBefore} 09:40:00`, payer, amountFen: 1_000_000n },
    seed: { changes: [{ at: changedAt, set: { amount: 1_000_300, fee: 300 } }] },
    books: asItIs,
    finds: { class: 'record_changed' },
  });
  plantDeposit(planter, {
    note: 'a day later the platform lists this deposit no more, its money stays on the account',
    deposit: { at: `${dayBefore} 18:21:00`, payer, amountFen: 47_500n },
    seed: { vanishesAt: changedAt },
    books: asItIs,
    finds: { class: 'record_vanished' },
  });
}

function plantWrongRecords(planter: Planter): void {
  plantDeposit(planter, {
    note: 'the amount is stated as 12.5 fen; the record moved no money',
    deposit: paid(planter, '10:30:00', 1_250n),
    seed: { creditedFen: 0n, listed: { raw: { amount: '12.5' } } },
    finds: { class: 'bad_record' },
  });
  plantDeposit(planter, {
    note: 'realAmount is 1,994.00 although the fee of 6.00 is an outer one (2,000.00 would be right)',
    deposit: { ...paid(planter, '11:45:00', 200_000n), feeFen: 600n, feeType: 'ACCOUNT' },
    seed: { realFen: 199_400n },
    books: asItIs,
    finds: { class: 'fee_invariant' },
  });
}

function plantBalance(planter: Planter): void {
  const { draft, account, lastDay, dayBefore } = planter;
  const { accountNo } = account;
  draft.movements.push({ kind: 'interest', accountNo, amountFen: 1_234n, at: `${lastDay} 21:00:00` });
  finds(planter, {
    note: 'interest of 12.34 that no record shows',
    class: 'unexplained',
    reference: accountNo,
    differenceFen: 1_234n,
  });
  const opening = draft.ledger.find((entry) => entry.kind === 'opening' && entry.accountNo === accountNo);
  if (!opening) throw new Error('Bug: every account has an opening');
  opening.amountFen += 50_000n;
  finds(planter, {
    note: 'the books began the month with 500.00 too much',
    class: 'opening',
    reference: accountNo,
    differenceFen: -50_000n,
    foundBy: dayBefore,
  });
}

function plantTiming(planter: Planter): void {
  const afterMidnight = `${addDays(planter.lastDay, 1)} 00:00:40`;
  plantDeposit(planter, {
    note: 'a deposit that arrived 30 s before midnight and was booked 40 s after it',
    deposit: paid(planter, '23:59:30', 76_000n),
    books: (trade) => asItIs({ ...trade, at: afterMidnight }),
    finds: { class: 'late', differenceFen: 76_000n },
  });
  plantDeposit(planter, {
    note: 'a deposit that is final on the platform and pending in the ledger',
    deposit: paid(planter, '19:08:00', 152_000n),
    books: (trade) => asItIs(trade).map((entry) => ({ ...entry, status: 'pending' as const })),
    finds: { class: 'pending', differenceFen: 152_000n },
  });
}

/** The account's first deposit ever: its listing stays empty although the balance rises (U24). */
function plantSilence(planter: Planter): void {
  const { draft, account } = planter;
  const { accountNo } = account;
  const { orderNo } = plantDeposit(planter, {
    note: 'the listing is empty although the ledger has a deposit and the balance rose',
    deposit: paid(planter, '14:20:00', 260_000n),
    books: asItIs,
    finds: { class: 'empty_suspect', reference: accountNo },
  });
  draft.emptyListingOf.push(accountNo);
  const left = { note: 'what the empty listing leaves behind', follows: 'empty_suspect' };
  finds(planter, { ...left, class: 'ledger_only', reference: orderNo, differenceFen: -260_000n });
  finds(planter, { ...left, class: 'unexplained', reference: accountNo, differenceFen: 260_000n });
}
