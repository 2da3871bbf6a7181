/**
 * As of midnight (docs/reconciliation.md 3.4, 3.5): balances that were taken when the day ended, with orders under
 * way; and what is said when nobody looked then.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { OrderLine } from '../../helpers/company/company-files.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }));
});
afterEach(() => night.close());

const EVEN = ['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0'];
const accountP = ({ result }: Awaited<ReturnType<Trade['night']>>) => result.accounts[0];

/** A withdrawal of P, sent before midnight. */
function withdrawal(no: string, fen: bigint, finalAt: string, submittedAt = '2026-03-02 23:50:00'): void {
  trade.withdrawals({ outOrderNo: no, acctNo: 'P', amountFen: fen, submittedAt, finalAt });
}

describe('with a snapshot at midnight', () => {
  test('U50: what ended before and after it is on its own side, to the fen; the closing is observed', async () => {
    withdrawal('W1', 500n, '2026-03-02 23:58:00');
    withdrawal('W2', 700n, '2026-03-03 00:30:00');
    trade.transfers({
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 23:55:00',
      orders: [
        { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, finalAt: '2026-03-03 00:45:00' },
        {
          outOrderNo: 'T2',
          payeeAcctNo: 'Q',
          amountFen: 2_000n,
          state: 'FAIL',
          finalAt: '2026-03-03 00:45:00',
        },
      ],
    });
    trade.books(
      'P withdrawal W1 -500 2026-03-02 23:58',
      'P withdrawal W2 -700 2026-03-03 00:31',
      'P transfer_out T1 -10000 2026-03-03 00:46',
      'Q transfer_in T1 10000 2026-03-03 00:46',
    );
    await trade.snapshot('2026-03-03');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual(['in_flight P T1 0', 'in_flight P T2 0', 'in_flight P W2 0']);
    expect(first.result.run.verdict).toBe('reconciled_with_timing');
    expect(accountP(first)).toMatchObject({
      source: 'observed',
      statedFen: 99_500n,
      platformFen: 99_500n,
      frozenFen: 12_700n,
      inFlightFen: 12_700n,
      assumptions: ['the ledger has no opening entry; its opening is taken to equal the baseline'],
    });
    expect(fourNumbersOf(first)).toEqual(EVEN);
    await trade.snapshot('2026-03-04');
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(second.result.run.verdict).toBe('reconciled');
    expect(accountP(second)).toMatchObject({
      source: 'observed',
      movementsFen: -10_700n,
      platformFen: 88_800n,
    });
    expect(fourNumbersOf(second)).toEqual(EVEN);
  });

  const registeredLate: OrderLine[] = [];

  /** A withdrawal of P before midnight that the registry has only after the snapshot. */
  function forgotten(no: string, fen: bigint, finalAt: string): void {
    const submittedAt = '2026-03-02 23:50:00';
    night.sandbox.seedWithdrawals([{ outOrderNo: no, acctNo: 'P', amountFen: fen, submittedAt, finalAt }]);
    registeredLate.push({ kind: 'withdrawal', outOrderNo: no, payer: 'P', fen, submittedAt });
  }

  /** Registry and books come to us only after the snapshot. */
  async function nightAfterSnapshot(...books: readonly string[]) {
    await trade.snapshot('2026-03-03');
    trade.registers(...registeredLate.splice(0));
    trade.books(...books);
    return trade.night('2026-03-02');
  }

  const DONE_BEFORE = '2026-03-02 23:58:00';
  const DONE_AFTER = '2026-03-03 00:30:00';
  const ASSUMED = 'the side of the cut was assumed from the balance and the books for the orders';

  test('3.4: orders registered only after it are placed by the balance, and named as an assumption', async () => {
    forgotten('W1', 500n, DONE_BEFORE);
    forgotten('W2', 700n, DONE_AFTER);
    const first = await nightAfterSnapshot(
      'P withdrawal W1 -500 2026-03-02 23:58',
      'P withdrawal W2 -700 2026-03-03 00:31',
    );
    expect(findingsOf(first)).toEqual(['in_flight P W2 0']);
    expect(accountP(first)).toMatchObject({ source: 'observed', statedFen: 99_500n, unexplainedFen: 0n });
    expect(accountP(first)?.assumptions).toContain(`${ASSUMED} (W1, W2)`);
    expect(fourNumbersOf(first)).toEqual(EVEN);
  });

  test('3.4: of two equal ones the books decide when only one way agrees with them', async () => {
    forgotten('W1', 500n, DONE_BEFORE);
    forgotten('W2', 500n, DONE_AFTER);
    const first = await nightAfterSnapshot(
      'P withdrawal W1 -500 2026-03-02 23:58',
      'P withdrawal W2 -500 2026-03-03 00:31',
    );
    expect(findingsOf(first)).toEqual(['in_flight P W2 0']);
    expect(accountP(first)?.assumptions).toContain(`${ASSUMED} (W1, W2)`);
  });

  test('3.4: two equal ones that the books have on one side are candidates in the result, and nothing is proven', async () => {
    forgotten('W1', 500n, DONE_BEFORE);
    forgotten('W2', 500n, DONE_AFTER);
    const first = await nightAfterSnapshot(
      'P withdrawal W1 -500 2026-03-02 23:51',
      'P withdrawal W2 -500 2026-03-02 23:51',
    );
    expect(first.result.run.verdict).toBe('unverified');
    const file = path.join(night.home, 'reports', '2026-03-02', 'v1', 'result.json');
    const { accounts } = JSON.parse(await readFile(file, 'utf8')) as { accounts: unknown[] };
    expect(accounts[0]).toMatchObject({
      accountNo: 'P',
      verdict: 'unverified',
      reason:
        'several assignments of orders to the two sides of the cut explain the balance or the frozen amount (2)',
      candidates: [
        { assume: 'withdrawal W1 after the balance; withdrawal W2 before the cut', differenceFen: 500 },
        { assume: 'withdrawal W1 before the cut; withdrawal W2 after the balance', differenceFen: 500 },
      ],
    });
    // The next balance holds both, whichever came first.
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 99000', 'Q 0']);
    expect(fourNumbersOf(second)).toEqual(EVEN);
  });

  test('3.4: more than twenty are not weighed', async () => {
    for (let n = 1; n <= 21; n++) forgotten(`W${n}`, 1n, n % 2 === 0 ? DONE_BEFORE : DONE_AFTER);
    const first = await nightAfterSnapshot();
    expect(first.result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
      'P unverified',
      'Q reconciled',
    ]);
    expect(accountP(first)?.reason).toBe(
      'more orders than can be weighed may lie on either side of the cut or of the balance (21 > 20)',
    );
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second).filter((line) => !line.startsWith('platform_only'))).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 99979', 'Q 0']);
  });
});

describe('without a snapshot at midnight', () => {
  test('U50: an order that is over by the night counts on the day it was submitted; later books are late', async () => {
    withdrawal('W1', 500n, '2026-03-03 00:30:00');
    trade.books('P withdrawal W1 -500 2026-03-03 00:31');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual(['late P W1 -500']);
    expect(accountP(first)).toMatchObject({
      source: 'derived',
      statedFen: null,
      verdict: 'reconciled_with_timing',
    });
    expect(closingsOf(first)).toEqual(['P 99500', 'Q 0']);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(fourNumbersOf(second)).toEqual(EVEN);
  });

  test('U50: the last second of a day is that day’s, its first is its own', async () => {
    withdrawal('W1', 500n, '2026-03-02 23:59:59', '2026-03-02 23:59:59');
    withdrawal('W2', 700n, '2026-03-03 00:00:00', '2026-03-03 00:00:00');
    trade.books('P withdrawal W1 -500 2026-03-02 23:59', 'P withdrawal W2 -700 2026-03-03 00:00');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual([]);
    expect(closingsOf(first)).toEqual(['P 99500', 'Q 0']);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 98800', 'Q 0']);
  });

  test('3.4: an order seen under way that ends the next day is on the side of that midnight where the books have it', async () => {
    withdrawal('W1', 500n, '2026-03-03 20:00:00');
    withdrawal('W2', 700n, '2026-03-04 01:00:00');
    trade.books('P withdrawal W1 -500 2026-03-03 20:05', 'P withdrawal W2 -700 2026-03-04 01:05');
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual(['in_flight P W1 0', 'in_flight P W2 0']);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual(['in_flight P W2 0']);
    expect(accountP(second)?.assumptions).toContain(
      'the side of the cut was assumed from the balance and the books for the orders (W1, W2)',
    );
    expect(closingsOf(second)).toEqual(['P 99500', 'Q 0']);
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual([]);
    expect(accountP(third)).toMatchObject({ movementsFen: -700n, platformFen: 98_800n, unexplainedFen: 0n });
  });
});
