/** A ledger file that is taken in after the matching and before the proof is matched before it is reckoned with. */
import { afterEach, expect, test } from 'vitest';
import { proveRun, RUN_LEASE } from '../../jobs/night/prove/prove-run.ts';
import { underLease } from '../../jobs/context/under-lease.ts';
import { listAccounts } from '../../src/store/intake/accounts.ts';
import { Night } from '../helpers/night.ts';

let night: Night;
afterEach(() => night.close());

test('an entry that came between matching and proof is in the figures and in the lines, and they add up', async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 1_000n, at: '2026-03-10 00:00:00' } });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 40n, depositTime: '2026-03-10 10:00:00' });
  const first = await night.night('2026-03-10');
  expect(first.result.run.verdict).toBe('breaks');
  await night.entries([{ id: 'E1', account: 'A1', fen: 40n, at: '2026-03-10 10:00:00', reference: 'D1' }]);
  const process = await night.process();
  try {
    const proof = await underLease(process, RUN_LEASE, async (held, lease) => {
      const run = await held.db
        .updateTable('run')
        .set({ fence: lease.fence })
        .where('run_id', '=', first.result.run.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return proveRun(held, run, {
        accounts: await listAccounts(held.db),
        knownDigest: undefined,
      });
    });
    expect(proof.accounts).toMatchObject([
      {
        verdict: 'reconciled',
        reason: '',
        differenceFen: 0n,
        lineDifferenceFen: 0n,
        numbers: { ledgerFen: 1_040n },
      },
    ]);
  } finally {
    await process.close();
  }
});
