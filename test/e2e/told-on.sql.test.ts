/** What is wrong with an order is told on an account of the company, whoever of its parties is one; else by the run. */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';
import { Trade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const AT = '2026-03-02 00:00:00';
const SENT = '2026-03-02 09:00:00';

test('a contradiction, an untrue fee and an order that is not found are told, whoever of them is listed', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([
    { accountNo: 'X', balanceFen: 100_000n },
    { accountNo: 'Y', balanceFen: 0n },
  ]);
  await night.accounts(
    { no: 'P', opening: { fen: 0n, at: AT } },
    { no: 'Q', opening: { fen: 0n, at: AT } },
    { no: 'R', opening: { fen: 0n, at: AT } },
  );
  const batch = (outBatchNo: string, payeeAcctNo: string, realAmount?: number) => ({
    outBatchNo,
    payerAcctNo: 'X',
    submittedAt: SENT,
    orders: [
      {
        outOrderNo: `T-${outBatchNo}`,
        payeeAcctNo,
        amountFen: 10_000n,
        ...(realAmount !== undefined && { feeFen: 30n, listed: { set: { realAmount } } }),
      },
    ],
  });
  night.sandbox.seedTransfers([
    batch('B1', 'Q'),
    batch('B2', 'Q'),
    batch('B3', 'Y'),
    batch('B4', 'Q', 9_000),
  ]);
  const registered = (no: string, payer: string, payee: string, fen = 10_000n) =>
    ({
      kind: 'transfer',
      outBatchNo: no,
      outOrderNo: `T-${no}`,
      payer,
      payee,
      fen,
      submittedAt: SENT,
    }) as const;
  trade.registers(
    registered('B1', 'P', 'Q'),
    registered('B2', 'X', 'R'),
    registered('B3', 'X', 'Y', 5_000n),
    registered('B4', 'X', 'Q'),
    registered('B5', 'X', 'Q', 700n),
  );
  trade.books(
    ...['B1 10000', 'B2 10000', 'B4 9970'].map((of) => {
      const [no = '', fen = ''] = of.split(' ');
      return `Q transfer_in T-${no} ${fen} 2026-03-02 09:05`;
    }),
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first).toSorted()).toEqual([
    'batch_children  B3 0',
    'batch_children P B1 0',
    'batch_children R B2 0',
    'fee_invariant Q T-B4 0',
    'unknown_not_found Q T-B5 0',
  ]);
  const ids = ({ result: { breaks } }: typeof first): string[] => breaks.map(({ id }) => id).toSorted();
  expect(ids(await trade.night('2026-03-03'))).toEqual(ids(first));
});
