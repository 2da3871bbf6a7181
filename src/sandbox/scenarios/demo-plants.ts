/**
 * What is wrong with deposits and balances in the demo: one break of every class they can show, each made in the
 * way it comes about in life, and the finding a night is expected to report for it. All lie on the last day but
 * for two records of the day before, which the platform changes and drops between the two nights.
 */
import { addDays } from '../../core/time.ts';
import type { DemoDraft, LedgerEntry } from './demo-draft.ts';
import { ledgerEntries } from './demo-month.ts';
import type { Trade } from './demo-month.ts';
import { accountOf, finds, plantAll, sceneAt, sendDeposit } from './demo-scene.ts';
import type { DepositPlant, Scene } from './demo-scene.ts';
import { payers } from './people.ts';

export function plantBreaks(draft: DemoDraft): void {
  draft.plantPayers.push(...payers(draft.random, 2));
  plantAll(sceneAt(draft, 'lines'), [FORGOTTEN, neverArrived, ...WRONG_LINES, ambiguity]);
  plantAll(sceneAt(draft, 'facts'), [...CHANGED_RECORDS, ...WRONG_RECORDS, interest, wrongOpening]);
  plantAll(sceneAt(draft, 'timing'), TIMING);
  plantAll(sceneAt(draft, 'silent'), [SILENCE]);
}

/** A deposit as it should be booked. */
const asItIs = (trade: Trade): LedgerEntry[] => ledgerEntries(trade, trade.orderNo);

const FORGOTTEN: DepositPlant = {
  note: 'a deposit that the company forgot to book',
  deposit: { at: '10:12:40', amountFen: 128_800n },
  finds: [{ class: 'platform_only', differenceFen: 128_800n }],
};

function neverArrived(scene: Scene): void {
  const { draft, lastDay, account } = scene;
  const reference = `DP${lastDay.replaceAll('-', '')}X000001`;
  draft.ledger.push({
    accountNo: account.accountNo,
    kind: 'deposit',
    amountFen: 66_000n,
    reference,
    counterparty: draft.plantPayers[0]?.name ?? '',
    bookedAt: `${lastDay} 11:03:10`,
    status: 'posted',
    memo: '货款',
  });
  const note = 'the company booked a deposit that never arrived';
  finds(scene, { class: 'ledger_only', reference, differenceFen: -66_000n, note });
}

const WRONG_LINES: readonly DepositPlant[] = [
  {
    note: 'digits swapped: a deposit of 4,590.00 was booked as 4,950.00',
    deposit: { at: '13:30:05', amountFen: 459_000n },
    books: (trade) => asItIs({ ...trade, amountFen: 495_000n }),
    finds: [{ class: 'amount', differenceFen: -36_000n }],
  },
  {
    note: 'the fee of 30.00 that was taken out of the deposit was not booked',
    deposit: { at: '14:05:00', amountFen: 5_000_000n, feeFen: 3_000n },
    books: (trade) => asItIs({ ...trade, feeFen: 0n }),
    finds: [{ class: 'fee', differenceFen: -3_000n }],
  },
  {
    note: 'a deposit that was booked twice',
    deposit: { at: '15:20:33', amountFen: 82_000n },
    books: (trade) => [...asItIs(trade), ...asItIs(trade)],
    finds: [{ class: 'duplicate', differenceFen: -82_000n }],
  },
  {
    note: 'a deposit that was booked under another account of the company',
    deposit: { at: '16:44:09', amountFen: 300_000n },
    books: (trade, _, { draft }) => asItIs({ ...trade, accountNo: accountOf(draft, 'facts').accountNo }),
    finds: [
      { class: 'account', differenceFen: 300_000n },
      { class: 'account', on: 'facts', differenceFen: -300_000n, follows: 'account' },
    ],
  },
];

/** Two payers, one amount, and one entry that names neither: no rule can say whose deposit is unbooked. */
function ambiguity(scene: Scene): void {
  const { draft } = scene;
  const [payer, otherPayer = payer] = draft.plantPayers;
  const first = sendDeposit(scene, { at: '17:15:00', amountFen: 60_000n });
  const second = sendDeposit(scene, {
    at: '17:52:30',
    amountFen: 60_000n,
    ...(otherPayer && { payer: otherPayer }),
  });
  const entries = ledgerEntries({ ...first, at: second.at }, '');
  draft.ledger.push(...entries.map((entry) => ({ ...entry, counterparty: '' })));
  finds(scene, {
    note: `two payers paid 600.00 (the other is ${second.orderNo}), one entry without payer or number is booked`,
    class: 'ambiguous',
    reference: first.orderNo,
    differenceFen: 60_000n,
  });
}

/** The credited amount stays the same, so that the change shows as itself and not as a difference. */
const CHANGED_RECORDS: readonly DepositPlant[] = [
  {
    note: 'a day later the platform states 10,003.00 with a fee of 3.00 instead of 10,000.00 without',
    deposit: { at: '09:40:00 -1', amountFen: 1_000_000n },
    seed: ({ lastDay }) => ({
      changes: [{ at: `${lastDay} 12:00:00`, set: { amount: 1_000_300, fee: 300 } }],
    }),
    books: asItIs,
    finds: [{ class: 'record_changed' }],
  },
  {
    note: 'a day later the platform lists this deposit no more, its money stays on the account',
    deposit: { at: '18:21:00 -1', amountFen: 47_500n },
    seed: ({ lastDay }) => ({ vanishesAt: `${lastDay} 12:00:00` }),
    books: asItIs,
    finds: [{ class: 'record_vanished' }],
  },
];

const WRONG_RECORDS: readonly DepositPlant[] = [
  {
    note: 'the amount is stated as 12.5 fen; the record moved no money',
    deposit: { at: '10:30:00', amountFen: 1_250n },
    seed: () => ({ creditedFen: 0n, listed: { raw: { amount: '12.5' } } }),
    finds: [{ class: 'bad_record' }],
  },
  {
    note: 'realAmount is 1,994.00 although the fee of 6.00 is an outer one (2,000.00 would be right)',
    deposit: { at: '11:45:00', amountFen: 200_000n, feeFen: 600n, feeType: 'ACCOUNT' },
    seed: () => ({ realFen: 199_400n }),
    books: asItIs,
    finds: [{ class: 'fee_invariant' }],
  },
];

function interest(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const { accountNo } = account;
  draft.movements.push({ kind: 'interest', accountNo, amountFen: 1_234n, at: `${lastDay} 21:00:00` });
  const note = 'interest of 12.34 that no record shows';
  finds(scene, { class: 'unexplained', about: 'account', differenceFen: 1_234n, note });
}

function wrongOpening(scene: Scene): void {
  const { draft, account } = scene;
  const opening = draft.ledger.find(
    ({ kind, accountNo }) => kind === 'opening' && accountNo === account.accountNo,
  );
  if (!opening) throw new Error('Bug: every account has an opening');
  opening.amountFen += 50_000n;
  const note = 'the books began the month with 500.00 too much';
  finds(scene, { class: 'opening', about: 'account', differenceFen: -50_000n, early: true, note });
}

const TIMING: readonly DepositPlant[] = [
  {
    note: 'a deposit that arrived 30 s before midnight and was booked 40 s after it',
    deposit: { at: '23:59:30', amountFen: 76_000n },
    books: (trade, _, { lastDay }) => asItIs({ ...trade, at: `${addDays(lastDay, 1)} 00:00:40` }),
    finds: [{ class: 'late', differenceFen: 76_000n }],
  },
  {
    note: 'a deposit that is final on the platform and pending in the ledger',
    deposit: { at: '19:08:00', amountFen: 152_000n },
    books: (trade) => asItIs(trade).map((entry) => ({ ...entry, status: 'pending' as const })),
    finds: [{ class: 'pending', differenceFen: 152_000n }],
  },
];

const LEFT_BEHIND = { note: 'what the empty listing leaves behind', follows: 'empty_suspect' };

/** The account's first deposit ever: its listing stays empty although the balance rises (U24). */
const SILENCE: DepositPlant = {
  note: 'the listing is empty although the ledger has a deposit and the balance rose',
  deposit: { at: '14:20:00', amountFen: 260_000n },
  books: (trade, _, { draft }) => {
    draft.emptyListingOf.push(trade.accountNo);
    return asItIs(trade);
  },
  finds: [
    { class: 'empty_suspect', about: 'account' },
    { ...LEFT_BEHIND, class: 'ledger_only', differenceFen: -260_000n },
    { ...LEFT_BEHIND, class: 'unexplained', about: 'account', differenceFen: 260_000n },
  ],
};
