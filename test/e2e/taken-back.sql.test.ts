/** A movement that is taken back, or comes anew under other rules, changes the day it counted on like a late record. */
import { afterEach, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import { Night, findingsOf } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const unexplained = (outcome: NightOutcome): string[] =>
  findingsOf(outcome).filter((finding) => finding.startsWith('unexplained'));

/** By day and version, as the run names them. */
const restated = ({ result }: NightOutcome): string[] =>
  result.restated.map(({ day, version }) => `${day} v${version}`);

async function openBreaks(): Promise<string[]> {
  const rows = await night.db.selectFrom('break').select('item_key').where('status', '=', 'open').execute();
  return rows.map((row) => row.item_key);
}

test.each([0, 10])('an order that states a fee of %i instead of 30 restates its day', async (feeAfter) => {
  const opened = await openTrade('2026-03-10', { P: 100_000n, Q: 0n });
  night = opened.night;
  const { trade } = opened;
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-10 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 10_000n,
        feeFen: BigInt(feeAfter),
        feeType: 'ACCOUNT',
        listed: { set: { mchFee: 30 } },
        changes: [{ at: '2026-03-11 12:00:00', set: { mchFee: feeAfter } }],
      },
    ],
  });
  trade.books('P transfer_out T1 -10000 2026-03-10 09:00', 'Q transfer_in T1 10000 2026-03-10 09:00');
  if (feeAfter > 0) trade.books(`P fee T1 -${feeAfter} 2026-03-10 09:00`);
  expect(unexplained(await trade.night('2026-03-10'))).toEqual([`unexplained P P ${30 - feeAfter}`]);
  const next = await trade.night('2026-03-11');
  expect(restated(next)).toEqual(['2026-03-10 v2']);
  expect(unexplained(next)).toEqual([]);
  expect(unexplained(await trade.night('2026-03-12'))).toEqual([]);
  expect((await openBreaks()).filter((key) => key.startsWith('unexplained'))).toEqual([]);
});

test.each([
  ['payee', 'external', 30],
  ['external', 'payee', -30],
] as const)('fees of deposits that %s bore and %s bears restate their day', async (from, to, wrongFen) => {
  night = await Night.open({ now: '2026-03-11 02:00:00', switches: { depositFeeBearer: to } });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'A1', opening });
  const depositTime = '2026-03-10 09:00:00';
  const fee = { feeFen: 30n, feeType: 'ACCOUNT' } as const;
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 10_000n, ...fee, depositTime });
  const booked = { account: 'A1', at: depositTime, reference: 'D1' };
  await night.entries([
    { id: 'E1', fen: 10_000n, ...booked },
    ...(to === 'payee' ? [{ id: 'E2', fen: -30n, kind: 'fee', ...booked } as const] : []),
  ]);
  await night.profile({ fees: { bearer: { deposit: from } } });
  expect(unexplained(await night.night('2026-03-10'))).toContain(`unexplained A1 A1 ${wrongFen}`);
  await night.profile({ fees: { bearer: { deposit: to } } });
  night.moveTo('2026-03-12 02:00:00');
  const next = await night.night('2026-03-11');
  expect(restated(next)).toEqual(['2026-03-10 v2']);
  expect(findingsOf(next)).toEqual([]);
  night.moveTo('2026-03-13 02:00:00');
  expect(findingsOf(await night.night('2026-03-12'))).toEqual([]);
  expect(await openBreaks()).toEqual([]);
});
