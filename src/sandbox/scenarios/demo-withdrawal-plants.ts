/** Withdrawals that go wrong, a record that changes after it was final, and money that is frozen. */
import { bookWithdrawal, withdrawalEntries } from './demo-order-books.ts';
import { later, msBetween, sendWithdrawal } from './demo-orders.ts';
import { finds, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo.ts';

export function plantWithdrawals(draft: DemoDraft): void {
  const scene = sceneAt(draft, 'withdrawals');
  plantWrongBooks(scene);
  plantReturn(scene);
  plantChangedRecord(scene);
  plantFrozen(scene);
}

function plantWrongBooks(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const bare = sendWithdrawal(draft, {
    account,
    at: `${lastDay} 09:48:00`,
    amountFen: 450_000n,
    feeFen: 700n,
    feeType: 'ACCOUNT',
    seconds: 300,
  });
  bookWithdrawal(draft, { ...bare, feeFen: 0n });
  finds(scene, {
    class: 'fee',
    reference: bare.outOrderNo,
    differenceFen: -700n,
    note: 'the fee of 7.00 beside a withdrawal was not booked',
  });

  const failed = sendWithdrawal(draft, {
    account,
    at: `${lastDay} 11:30:00`,
    amountFen: 620_000n,
    state: 'FAIL',
    note: '收款银行户名不符',
    seconds: 1_200,
  });
  draft.ledger.push(...withdrawalEntries(failed, later(draft, failed.sentAt, 60)));
  finds(scene, {
    class: 'state',
    reference: failed.outOrderNo,
    differenceFen: 620_000n,
    note: 'a withdrawal that was booked when it was sent, and failed',
  });
}

/** The bank sends it back a day later; the company has booked that it left, and nothing since (U49). */
function plantReturn(scene: Scene): void {
  const { draft, account, dayBefore, lastDay } = scene;
  const [at, seconds] = [`${dayBefore} 10:20:00`, 600];
  const returnAfterMs = msBetween(draft, later(draft, at, seconds), `${lastDay} 09:05:00`);
  const returned = sendWithdrawal(draft, {
    account,
    at,
    amountFen: 740_000n,
    seconds,
    seed: { returnAfterMs },
  });
  bookWithdrawal(draft, returned);
  finds(scene, {
    class: 'amount',
    reference: returned.outOrderNo,
    differenceFen: 740_000n,
    note: 'a withdrawal that the bank sent back a day after it had succeeded; the books know only that it left',
  });
}

/** What left the account stays the same, so that the change shows as itself and not as a difference. */
function plantChangedRecord(scene: Scene): void {
  const { draft, account, dayBefore, lastDay } = scene;
  const set = { realAmount: 549_000, fee: 1_000, feeType: 'ORDER' };
  const changed = sendWithdrawal(draft, {
    account,
    at: `${dayBefore} 15:12:00`,
    amountFen: 550_000n,
    seconds: 240,
    seed: { changes: [{ at: `${lastDay} 12:00:00`, set }] },
  });
  bookWithdrawal(draft, changed);
  finds(scene, {
    class: 'record_changed',
    reference: changed.outOrderNo,
    differenceFen: 0n,
    note: 'a day later the platform states that a fee of 10.00 was taken out of the 5,500.00',
  });
}

/** No order holds it. */
function plantFrozen(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const { accountNo } = account;
  draft.movements.push({ kind: 'freeze', accountNo, amountFen: 1_200_000n, at: `${lastDay} 14:00:00` });
  finds(scene, {
    class: 'frozen',
    reference: accountNo,
    differenceFen: 1_200_000n,
    note: 'a court froze 12,000.00, which no order in flight explains',
  });
}
