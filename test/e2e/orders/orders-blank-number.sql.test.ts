/** A number of nothing but blanks, which no request can carry, keeps nothing else of the night from being done. */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { register } from '../../helpers/company/order-registering.ts';
import { closingsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const SUBMITTED = '2026-03-02T01:00:00.000Z';

test.each([
  ['batch', ' '],
  ['batch', '\u3000'],
  ['withdrawal', '\u3000'],
] as const)(
  'DIV-29, WDR-13, N7: a registered %s %j is not asked for, named, and alone incomplete',
  async (kind, no) => {
    ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 0n, R: 5_000n }));
    trade.transfers({
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 09:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n }],
    });
    trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
    await register(
      night.db,
      kind === 'batch'
        ? {
            kind: 'transfer',
            out_batch_no: no,
            out_order_no: 'T9',
            payer_account_no: 'R',
            submitted_at: SUBMITTED,
          }
        : { kind: 'withdrawal', out_order_no: no, payer_account_no: 'R', submitted_at: SUBMITTED },
    );
    const outcome = await trade.night(DAY);
    expect(outcome.result.run.verdict).toBe('incomplete');
    expect(outcome.result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
      'P reconciled',
      'Q reconciled',
      'R incomplete',
    ]);
    expect(findingsOf(outcome)).toEqual([]);
    expect(closingsOf(outcome).slice(0, 2)).toEqual(['P 90000', 'Q 10000']);
    const failures = await night.db
      .selectFrom('order_due')
      .select(['number', 'failure'])
      .where('failure', '<>', '')
      .execute();
    const [member, requirement] = kind === 'batch' ? ['outBatchNo', 'DIV-29'] : ['outOrderNo', 'WDR-13'];
    expect(failures).toEqual([
      { number: no, failure: `"${no}" cannot be asked for: ${member} is empty (${requirement})` },
    ]);
  },
);
