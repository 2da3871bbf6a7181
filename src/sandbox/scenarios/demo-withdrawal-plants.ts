/** Withdrawals that go wrong, a record that changes after it was final, and money that is frozen. */
import { withdrawalEntries } from './demo-order-books.ts';
import { later, msBetween } from './demo-orders.ts';
import { finds, plantWithdrawal, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantWithdrawals(draft: DemoDraft): void {
  const scene = sceneAt(draft, 'withdrawals');
  plantWrongBooks(scene);
  plantReturn(scene);
  plantChangedRecord(scene);
  plantFrozen(scene);
}

function plantWrongBooks(scene: Scene): void {
  const { draft, lastDay } = scene;
  const fee = { feeFen: 700n, feeType: 'ACCOUNT' } as const;
  plantWithdrawal(scene, {
    note: 'the fee of 7.00 beside a withdrawal was not booked',
    withdrawal: { at: `${lastDay} 09:48:00`, amountFen: 450_000n, ...fee, seconds: 300 },
    books: (sent) => withdrawalEntries(draft, { ...sent, feeFen: 0n }),
    finds: { class: 'fee', differenceFen: -700n },
  });
  const failing = { state: 'FAIL', note: '收款银行户名不符', seconds: 1_200 } as const;
  plantWithdrawal(scene, {
    note: 'a withdrawal that was booked when it was sent, and failed',
    withdrawal: { at: `${lastDay} 11:30:00`, amountFen: 620_000n, ...failing },
    books: (sent) => withdrawalEntries(draft, sent, later(draft, sent.sentAt, 60)),
    finds: { class: 'state', differenceFen: 620_000n },
  });
}

/** The bank sends it back a day later; the company has booked that it left, and nothing since (U49). */
function plantReturn(scene: Scene): void {
  const { draft, dayBefore, lastDay } = scene;
  const [at, seconds] = [`${dayBefore} 10:20:00`, 600];
  const returnAfterMs = msBetween(draft, later(draft, at, seconds), `${lastDay} 09:05:00`);
  plantWithdrawal(scene, {
    note: 'a withdrawal that the bank sent back a day after it had succeeded; the books know only that it left',
    withdrawal: { at, amountFen: 740_000n, seconds, seed: { returnAfterMs } },
    books: (sent) => withdrawalEntries(draft, sent),
    finds: { class: 'amount', differenceFen: 740_000n },
  });
}

/** What left the account stays the same, so that the change shows as itself and not as a difference. */
function plantChangedRecord(scene: Scene): void {
  const { draft, dayBefore, lastDay } = scene;
  const set = { realAmount: 549_000, fee: 1_000, feeType: 'ORDER' };
  const seed = { changes: [{ at: `${lastDay} 12:00:00`, set }] };
  plantWithdrawal(scene, {
    note: 'a day later the platform states that a fee of 10.00 was taken out of the 5,500.00',
    withdrawal: { at: `${dayBefore} 15:12:00`, amountFen: 550_000n, seconds: 240, seed },
    books: (sent) => withdrawalEntries(draft, sent),
    finds: { class: 'record_changed' },
  });
}

/** No order holds it. */
function plantFrozen(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const { accountNo } = account;
  draft.movements.push({ kind: 'freeze', accountNo, amountFen: 1_200_000n, at: `${lastDay} 14:00:00` });
  const note = 'a court froze 12,000.00, which no order in flight explains';
  finds(scene, { class: 'frozen', reference: accountNo, differenceFen: 1_200_000n, note });
}
