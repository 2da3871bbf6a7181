/** Withdrawals that go wrong, a record that changes after it was final, and money that is frozen. */
import { withdrawalEntries } from './demo-order-books.ts';
import { later, msBetween } from './demo-orders.ts';
import { finds, plantAll, sceneAt } from './demo-scene.ts';
import type { Scene, WithdrawalPlant } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantWithdrawals(draft: DemoDraft): void {
  plantAll(sceneAt(draft, 'withdrawals'), [...WITHDRAWALS, frozen]);
}

const asItWent: WithdrawalPlant['books'] = (sent, _, { draft }) => withdrawalEntries(draft, sent);

const WITHDRAWALS: readonly WithdrawalPlant[] = [
  {
    note: 'the fee of 7.00 beside a withdrawal was not booked',
    withdrawal: { at: '09:48:00', amountFen: 450_000n, feeFen: 700n, feeType: 'ACCOUNT', seconds: 300 },
    books: (sent, _, { draft }) => withdrawalEntries(draft, { ...sent, feeFen: 0n }),
    finds: [{ class: 'fee', differenceFen: -700n }],
  },
  {
    note: 'a withdrawal that was booked when it was sent, and failed',
    withdrawal: {
      at: '11:30:00',
      amountFen: 620_000n,
      state: 'FAIL',
      note: '收款银行户名不符',
      seconds: 1_200,
    },
    books: (sent, at, { draft }) => withdrawalEntries(draft, sent, at),
    bookedAfterSeconds: 60,
    finds: [{ class: 'state', differenceFen: 620_000n }],
  },
  {
    // The company has booked that it left, and nothing since (U49).
    note: 'a withdrawal that the bank sent back a day after it had succeeded; the books know only that it left',
    withdrawal: { at: '10:20:00 -1', amountFen: 740_000n, seconds: 600 },
    seed: ({ draft, dayBefore, lastDay }) => {
      const paidAt = later(draft, `${dayBefore} 10:20:00`, 600);
      return { returnAfterMs: msBetween(draft, paidAt, `${lastDay} 09:05:00`) };
    },
    books: asItWent,
    finds: [{ class: 'amount', differenceFen: 740_000n }],
  },
  {
    // What left the account stays the same, so that the change shows as itself and not as a difference.
    note: 'a day later the platform states that a fee of 10.00 was taken out of the 5,500.00',
    withdrawal: { at: '15:12:00 -1', amountFen: 550_000n, seconds: 240 },
    seed: ({ lastDay }) => {
      const set = { realAmount: 549_000, fee: 1_000, feeType: 'ORDER' };
      return { changes: [{ at: `${lastDay} 12:00:00`, set }] };
    },
    books: asItWent,
    finds: [{ class: 'record_changed' }],
  },
];

/** No order holds it. */
function frozen(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const { accountNo } = account;
  draft.movements.push({ kind: 'freeze', accountNo, amountFen: 1_200_000n, at: `${lastDay} 14:00:00` });
  const note = 'a court froze 12,000.00, which no order in flight explains';
  finds(scene, { class: 'frozen', about: 'account', differenceFen: 1_200_000n, note });
}
