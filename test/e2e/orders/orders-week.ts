/**
 * Five days of a company with five accounts: transfers with fees inside and beside them, settlements, refunds,
 * withdrawals and deposits, some under way over midnight; and the books a careful accountant keeps of them.
 */
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

const OPENINGS = { P: 500_000n, Q: 50_000n, R: 20_000n, S: 300_000n, V: 1_000n };

/** Q settles automatically. */
export async function openWeek(): Promise<{ night: Night; trade: Trade }> {
  const { night, trade } = await openTrade('2026-03-02', OPENINGS, { autoSettle: ['Q'] });
  tradeOfTheWeek(night, trade);
  return { night, trade };
}

function tradeOfTheWeek(night: Night, trade: Trade): void {
  night.deposits(
    { payeeAcctNo: 'P', orderNo: 'D1', amountFen: 100_000n, depositTime: '2026-03-02 10:00:00' },
    { payeeAcctNo: 'V', orderNo: 'D2', amountFen: 8_000n, feeFen: 8n, depositTime: '2026-03-02 11:00:00' },
    {
      payeeAcctNo: 'V',
      orderNo: 'D3',
      amountFen: 3_000n,
      feeFen: 3n,
      feeType: 'ACCOUNT',
      depositTime: '2026-03-03 15:00:00',
    },
  );
  trade.transfers(
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 09:00:00',
      orders: [
        { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 30_000n, feeFen: 30n },
        { outOrderNo: 'T2', payeeAcctNo: 'R', amountFen: 20_000n, feeFen: 20n, feeType: 'ACCOUNT' },
        { outOrderNo: 'T3', payeeAcctNo: 'R', amountFen: 5_000n, state: 'FAIL' },
      ],
      refunds: [{ outOrderNo: 'T2', amountFen: 4_000n, at: '2026-03-04 15:00:00' }],
    },
    {
      outBatchNo: 'B2',
      payerAcctNo: 'P',
      submittedAt: '2026-03-03 23:50:00',
      orders: [{ outOrderNo: 'T4', payeeAcctNo: 'R', amountFen: 7_000n, finalAt: '2026-03-04 09:00:00' }],
    },
    {
      outBatchNo: 'B3',
      payerAcctNo: 'S',
      submittedAt: '2026-03-04 10:00:00',
      orders: [
        { outOrderNo: 'T5', payeeAcctNo: 'Q', amountFen: 10_000n, feeFen: 10n, settle: { state: 'FAIL' } },
        { outOrderNo: 'T6', payeeAcctNo: 'R', amountFen: 6_000n, feeFen: 6n, feeType: 'ACCOUNT' },
      ],
      refunds: [{ outOrderNo: 'T6', at: '2026-03-05 16:00:00' }],
    },
    {
      outBatchNo: 'B4',
      payerAcctNo: 'P',
      submittedAt: '2026-03-05 14:00:00',
      orders: [
        {
          outOrderNo: 'T7',
          payeeAcctNo: 'Q',
          amountFen: 12_000n,
          feeFen: 12n,
          feeType: 'ACCOUNT',
          // Done at ten the next morning.
          settle: { delayMs: 20 * 3_600_000 },
        },
      ],
    },
  );
  trade.withdrawals(
    {
      outOrderNo: 'W1',
      acctNo: 'S',
      amountFen: 50_000n,
      feeFen: 50n,
      feeType: 'ACCOUNT',
      submittedAt: '2026-03-03 11:00:00',
    },
    { outOrderNo: 'W2', acctNo: 'R', amountFen: 4_000n, feeFen: 10n, submittedAt: '2026-03-03 12:00:00' },
    {
      outOrderNo: 'W3',
      acctNo: 'P',
      amountFen: 9_000n,
      submittedAt: '2026-03-05 09:00:00',
      finalAt: '2026-03-05 10:00:00',
      state: 'FAIL',
    },
    { outOrderNo: 'W4', acctNo: 'S', amountFen: 1_000n, submittedAt: '2026-03-06 12:00:00' },
  );
}

/** Booked once it is final; fees inside and beside amounts, netted here and apart there. */
export const RIGHT_BOOKS: readonly string[] = [
  'P transfer_out T1 -30000 2026-03-02 09:05',
  'Q transfer_in T1 29970 2026-03-02 09:05',
  'Q settlement T1 -29970 2026-03-02 09:05',
  'P transfer_out T2 -20000 2026-03-02 09:05',
  'P fee T2 -20 2026-03-02 09:05',
  'R transfer_in T2 20000 2026-03-02 09:05',
  'P deposit D1 100000 2026-03-02 10:00',
  'V deposit D2 8000 2026-03-02 11:00',
  'V fee D2 -8 2026-03-02 11:00',
  'S withdrawal W1 -50000 2026-03-03 11:05',
  'S fee W1 -50 2026-03-03 11:05',
  'R withdrawal W2 -4000 2026-03-03 12:05',
  'V deposit D3 3000 2026-03-03 15:00',
  'V fee D3 -3 2026-03-03 15:00',
  'P transfer_out T4 -7000 2026-03-04 09:05',
  'R transfer_in T4 7000 2026-03-04 09:05',
  'S transfer_out T5 -10000 2026-03-04 10:05',
  'Q transfer_in T5 10000 2026-03-04 10:05',
  'Q fee T5 -10 2026-03-04 10:05',
  'S transfer_out T6 -6000 2026-03-04 10:05',
  'S fee T6 -6 2026-03-04 10:05',
  'R transfer_in T6 6000 2026-03-04 10:05',
  'P refund_in T2 4000 2026-03-04 15:05',
  'R refund_out T2 -4000 2026-03-04 15:05',
  'P transfer_out T7 -12012 2026-03-05 14:05',
  'Q transfer_in T7 12000 2026-03-05 14:05',
  'S refund_in T6 6000 2026-03-05 16:05',
  'R refund_out T6 -6000 2026-03-05 16:05',
  'Q settlement T7 -12000 2026-03-06 10:05',
  'S withdrawal W4 -1000 2026-03-06 12:05',
];

/** The right books, with some entries kept otherwise or not at all; each is named by what comes before its amount. */
export function booksBut(changes: Readonly<Record<string, string | undefined>>): string[] {
  const unknown = Object.keys(changes).filter(
    (name) => !RIGHT_BOOKS.some((line) => line.startsWith(`${name} `)),
  );
  if (unknown.length > 0) throw new Error(`the right books have no ${unknown.join(', ')}`);
  return RIGHT_BOOKS.flatMap((line) => {
    const name = line.split(' ').slice(0, 3).join(' ');
    if (!(name in changes)) return [line];
    const rest = changes[name];
    return rest === undefined ? [] : [`${name} ${rest}`];
  });
}
