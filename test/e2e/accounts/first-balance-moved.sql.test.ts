/** What moves a first balance after it was told is said, and makes nothing green (docs/reconciliation.md 3.4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import type { NightOutcome } from '../../helpers/findings.ts';

let night: Night;

/** Nobody states an opening; 500.00 leave P on the 10th, in whose night the first balance is seen. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-10 08:00:00' });
  await night.accounts({ no: 'P', heldFen: 150_000n });
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 50_000n, submittedAt: '2026-03-10 15:00:00' },
  ]);
  await nightOf(10);
  expect((await nightOf(11)).result.run.verdict).toBe('reconciled');
  night.moveTo('2026-03-12 09:00:00');
});
afterEach(() => night.close());

function nightOf(day: number): Promise<NightOutcome> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  return night.night(`2026-03-${day}`);
}

function told({ result }: NightOutcome) {
  const [account] = result.accounts;
  return { verdict: account?.verdict, reason: account?.reason, assumed: account?.assumptions.join('\n') };
}

/** It is dated back to the 10th, where the books have it too; another deposit came in its time. */
async function depositComesLate(): Promise<void> {
  night.deposits(
    { payeeAcctNo: 'P', orderNo: 'D1', amountFen: 3_000n, depositTime: '2026-03-10 15:00:00' },
    { payeeAcctNo: 'P', orderNo: 'D2', amountFen: 7n, depositTime: '2026-03-12 08:00:00' },
  );
  await night.entries([
    { id: 'E1', account: 'P', fen: 3_000n, at: '2026-03-10 15:00:00', reference: 'D1' },
    { id: 'E2', account: 'P', fen: 7n, at: '2026-03-12 08:00:00', reference: 'D2' },
  ]);
}

test('a deposit dated into the first day that only a later balance holds leaves the opening in doubt', async () => {
  await depositComesLate();
  const came = await nightOf(12);
  expect(findingsOf(came)).toEqual(['unexplained P P 3000']);
  expect(told(came)).toMatchObject({ verdict: 'unverified' });
  expect(told(came).reason).toContain('moved by -3000 fen');
  await night.entries([
    { id: 'ADJ', account: 'P', kind: 'adjustment', fen: 3_000n, at: '2026-03-13 10:00:00' },
  ]);
  for (const day of [13, 14]) {
    const next = await nightOf(day);
    expect([told(next).verdict, ...findingsOf(next)]).toEqual(['unverified']);
  }
});

test('nothing is in doubt any more once the books state their opening, and what differs is told', async () => {
  await depositComesLate();
  await nightOf(12);
  await night.entries([{ id: 'O', account: 'P', kind: 'opening', fen: 100_000n, at: '2026-03-10 00:00:00' }]);
  const next = await nightOf(13);
  expect(findingsOf(next)).toEqual(['opening P P -3000', 'unexplained P P 3000']);
  expect(told(next)).toMatchObject({ verdict: 'breaks', reason: '' });
});

const WITHDRAWAL = { kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 50_000n } as const;

test('an order of the first day that is registered later moves the first balance: that is told', async () => {
  await night.orders({ ...WITHDRAWAL, submittedAt: '2026-03-10 15:00:00' });
  await night.entries([
    {
      id: 'E1',
      account: 'P',
      kind: 'withdrawal',
      reference: 'W1',
      fen: -50_000n,
      at: '2026-03-10 16:00:00',
    },
  ]);
  const next = await nightOf(12);
  expect([told(next).verdict, ...findingsOf(next)]).toEqual(['reconciled']);
  expect(told(next).assumed).toContain('(50000 fen, W1)');
});

test('two late records that move it against each other leave it in doubt as well', async () => {
  await depositComesLate();
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W2', acctNo: 'P', amountFen: 3_000n, submittedAt: '2026-03-10 16:00:00' },
  ]);
  await night.orders({ ...WITHDRAWAL, outOrderNo: 'W2', fen: 3_000n, submittedAt: '2026-03-10 16:00:00' });
  await night.entries([
    {
      id: 'E3',
      account: 'P',
      kind: 'withdrawal',
      reference: 'W2',
      fen: -3_000n,
      at: '2026-03-10 16:00:00',
    },
  ]);
  night.sandbox.seedMovements([{ kind: 'interest', accountNo: 'P', amountFen: 12n }]);
  const came = await nightOf(12);
  expect([told(came).verdict, ...findingsOf(came)]).toEqual(['unverified', 'unexplained P P 12']);
  await night.entries([{ id: 'ADJ', account: 'P', kind: 'adjustment', fen: 12n, at: '2026-03-13 10:00:00' }]);
  const next = await nightOf(13);
  expect([told(next).verdict, ...findingsOf(next)]).toEqual(['unverified']);
  expect(told(next).reason).toContain('moved by 0 fen, D1, W2');
  expect(told(next).assumed).toContain('(0 fen, D1, W2)');
});

test('what was known when the first balance was told moves nothing', async () => {
  const next = await nightOf(12);
  expect(told(next).assumed).not.toContain('moved');
});
