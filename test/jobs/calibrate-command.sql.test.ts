/** `calibrate`, by the real executable: its table, its last line, its document. */
import { expect, test } from 'vitest';
import { readProfile } from '../../src/core/profile/profile.ts';
import { Books } from '../helpers/company/books.ts';
import { faultsOf } from '../helpers/cli.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { recordProfile } from '../reconcile/record-profile.ts';
import { commandBooks } from './command-books.ts';

const { recon, reconWith, file, onDatabase } = commandBooks();

test('before the first proof there is nothing to explain', async () => {
  const said = await recon('calibrate');
  expect([said.status, said.stdout]).toEqual([
    0,
    'no account has a finished proof yet: recon nightly comes first\n',
  ]);
});

test('says account by account, and for all at once, which keys explain the residuals', async () => {
  await onDatabase(async (db) => {
    const [books, orders] = [new Books(db), new OrderBooks(db)];
    for (const no of ['200001', '200002', '200003']) {
      await books.account(no, { fen: 1_000_000n, at: '2026-03-05 00:00:00' });
      await books.proven(no, '2026-03-05', '2026-03-05');
    }
    await orders.transfer({
      out: 'C1',
      batch: 'C',
      amountFen: 10_000n,
      feeFen: 30n,
      feeType: 'ACCOUNT',
      payer: '200001',
      payee: '200002',
      submittedAt: '2026-03-05 09:00:00',
    });
    for (const [no, fen] of [
      ['200001', 990_000n],
      ['200002', 1_009_970n],
      ['200003', 1_000_000n],
    ] as const) {
      await books.balance(no, { at: '2026-03-06 00:00:00', fen });
    }
    const { runId } = await books.night('2026-03-05', { accounts: ['200001', '200002', '200003'] });
    await recordProfile(db, runId, readProfile(undefined, 'the defaults'));
  });
  const text = await recon('calibrate');
  expect(text.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'account | residual | explained by',
    expect.stringContaining('─'),
    '200001 | 0.30 | fees.bearer.transfer = payee or external',
    '200002 | -0.30 | fees.bearer.transfer = payee',
    '1 other account has none',
    'makes all 2 residuals zero at once: fees.bearer.transfer = payee',
    '',
  ]);
  const json = await recon('calibrate', '--json');
  expect([json.status, JSON.parse(json.stdout)]).toEqual([
    0,
    {
      schema: 1,
      accounts: [
        {
          accountNo: '200001',
          residualFen: 30,
          explainedBy: [
            { key: 'fees.bearer.transfer', value: 'payee' },
            { key: 'fees.bearer.transfer', value: 'external' },
          ],
        },
        {
          accountNo: '200002',
          residualFen: -30,
          explainedBy: [{ key: 'fees.bearer.transfer', value: 'payee' }],
        },
        { accountNo: '200003', residualFen: 0, explainedBy: [] },
      ],
      unproven: [],
      overall: { accountsOff: 2, explainedBy: [{ key: 'fees.bearer.transfer', value: 'payee' }] },
    },
  ]);
  const profile = await file('profile.json', '{"fees": {"bearer": {"transfer": "payee"}}}');
  const changed = await reconWith({ PLATFORM_PROFILE: profile }, 'calibrate');
  expect(changed.stdout).toBe('the profile in force explains every balance: all 3 residuals are zero\n');
});

test('what was not proven is named as such and never told as explained', async () => {
  const accounts = ['200001', '200002', '200003', '200004'];
  await onDatabase(async (db) => {
    const books = new Books(db);
    await books.account('200004');
    for (const no of accounts) await books.proven(no, '2026-03-05', '2026-03-06');
    // One without an opening, one whose balance was not read: neither has a residual of that night.
    await books.balance('200004', { at: '2026-03-07 00:00:00', fen: 5n });
    for (const [no, fen] of [
      ['200001', 990_000n],
      ['200002', 1_009_970n],
    ] as const) {
      await books.balance(no, { at: '2026-03-07 00:00:00', fen });
    }
    const { runId } = await books.night('2026-03-06', { accounts });
    await recordProfile(db, runId, readProfile(undefined, 'the defaults'));
  });
  const profile = await file('profile.json', '{"fees": {"bearer": {"transfer": "payee"}}}');
  const said = await reconWith({ PLATFORM_PROFILE: profile }, 'calibrate');
  expect(said.stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'the profile in force explains what is proven: all 3 residuals are zero',
    '',
    'not proven | verdict | why',
    expect.stringContaining('─'),
    expect.stringMatching(/^200003 \| incomplete \| the balance could not be read/),
    expect.stringMatching(/^200004 \| unverified \| there is no earlier balance/),
    '',
  ]);
  const json = await reconWith({ PLATFORM_PROFILE: profile }, 'calibrate', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    unproven: [
      { accountNo: '200003', verdict: 'incomplete' },
      { accountNo: '200004', verdict: 'unverified' },
    ],
  });
});

test('it takes no arguments, and its help has an example', async () => {
  const [wrong, help] = await Promise.all([recon('calibrate', 'now'), recon('calibrate', '--help')]);
  expect([wrong.status, faultsOf(wrong.stderr)]).toEqual([
    2,
    ["too many arguments for 'calibrate'. Expected 0 arguments but got 1: now. (--help shows what there is)"],
  ]);
  expect(help.stdout).toContain('Example:\n  recon calibrate --json');
});
