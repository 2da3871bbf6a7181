/** An order that may have come on either side of an assumed opening of the books is never booked into it silently. */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const LINE = { kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 50_000n } as const;

/** The order left after the opening, and was registered as if it had been submitted long before. */
async function openWithOrderDatedBefore() {
  const opened = await openTrade('2026-03-10', { P: 100_000n });
  night = opened.night;
  await opened.trade.night('2026-03-10');
  await opened.trade.night('2026-03-11');
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 50_000n, submittedAt: '2026-03-12 09:00:00' },
  ]);
  await night.orders({ ...LINE, submittedAt: '2025-03-12 09:00:00' });
  await night.entries([
    {
      id: 'E1',
      account: 'P',
      kind: 'withdrawal',
      reference: 'W1',
      fen: -50_000n,
      at: '2026-03-12 10:00:00',
    },
  ]);
  return opened.trade;
}

test('the assumption says by how much and for which order; adjusting what is unexplained makes nothing green', async () => {
  const trade = await openWithOrderDatedBefore();
  const out = await trade.night('2026-03-12');
  expect(findingsOf(out)).toEqual(['unexplained P P -50000']);
  const [told] = out.result.accounts;
  expect(told?.verdict).toBe('unverified');
  expect(told?.reason).toContain('(W1)');
  expect(told?.assumptions.join('\n')).toContain('(50000 fen, W1)');
  await night.entries([
    { id: 'ADJ', account: 'P', kind: 'adjustment', fen: -50_000n, at: '2026-03-13 10:00:00' },
  ]);
  for (const day of ['2026-03-13', '2026-03-14']) {
    const next = await trade.night(day);
    expect([next.result.run.verdict, ...findingsOf(next)]).toEqual(['unverified']);
  }
});

test('once the books state their opening nothing is in doubt, and what they lack is a difference', async () => {
  const trade = await openWithOrderDatedBefore();
  await trade.night('2026-03-12');
  await night.entries([{ id: 'O', account: 'P', kind: 'opening', fen: 100_000n, at: '2026-03-10 00:00:00' }]);
  const next = await trade.night('2026-03-13');
  expect(findingsOf(next)).toContain('unexplained P P -50000');
  expect(next.result.run.verdict).not.toMatch(/^reconciled/);
});

test('an order that the balances put before the opening crosses it, and that is said', async () => {
  night = await Night.open({ now: '2026-03-09 23:00:00' });
  await night.accounts({
    no: 'P',
    heldFen: 150_000n,
    opening: { fen: 100_000n, at: '2026-03-10 00:00:00' },
  });
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 50_000n, submittedAt: '2026-03-09 23:30:00' },
  ]);
  await night.orders({ ...LINE, submittedAt: '2026-03-09 23:30:00' });
  await night.entries([
    {
      id: 'E1',
      account: 'P',
      kind: 'withdrawal',
      reference: 'W1',
      fen: -50_000n,
      at: '2026-03-10 00:04:00',
    },
  ]);
  for (const day of [10, 11]) {
    night.moveTo(`2026-03-${day + 1} 02:00:00`);
    const next = await night.night(`2026-03-${day}`);
    expect([next.result.run.verdict, ...findingsOf(next)]).toEqual(['reconciled']);
    expect(next.result.accounts[0]?.assumptions.join('\n')).toContain('(50000 fen, W1)');
  }
});
