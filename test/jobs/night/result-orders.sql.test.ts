import { afterAll, beforeAll, expect, test } from 'vitest';
import { headOf, storedResult, wholeResult, withLists } from '../../../jobs/night/publish/result.ts';
import type { WholeResult } from '../../../jobs/night/publish/result.ts';
import { jsonText } from '../../../src/core/json.ts';
import { saveResult } from '../../../src/store/runs/published-runs.ts';
import { findRun } from '../../../src/store/runs/runs.ts';
import { testDatabase } from '../../helpers/database.ts';
import { terminalText } from '../../helpers/findings.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { ORDER_ACCOUNTS } from '../../reports/sample-order-run.ts';
import { aSampleOfOrders } from '../../reports/sample-orders.ts';

const [B1, B2, B3] = ORDER_ACCOUNTS;
let database: TestDatabase;
let runId: string;
let result: WholeResult;

beforeAll(async () => {
  database = await testDatabase();
  runId = await aSampleOfOrders(database.db);
  result = await resultAgain();
});
afterAll(() => database.close());

const of = () => ({ db: database.db, home: '/srv/recon' });

async function resultAgain(): Promise<WholeResult> {
  const run = await findRun(database.db, runId);
  if (run === undefined) throw new Error('no run');
  return wholeResult(withLists(database.db, await headOf(of(), run, []), 'zh-CN'));
}

const textOf = (of: WholeResult): Promise<string> => terminalText(database.db, of);

test('the result counts the orders the run asked for, as it recorded them', async () => {
  expect(result.collected).toEqual({
    deposits: 4,
    windows: 4,
    batches: 3,
    transferOrders: 6,
    withdrawals: 6,
  });
  await database.db.updateTable('run').set({ facts: '{}' }).execute();
  expect((await resultAgain()).collected).toMatchObject({ batches: 0, transferOrders: 0, withdrawals: 0 });
});

test('what is in flight has what it will do to the account, and no difference', () => {
  expect(
    result.timing.map((item) => [item.class, item.reference, item.amountFen, item.differenceFen]),
  ).toEqual([
    ['in_flight', 'T3', -50_000n, 0n],
    ['in_flight', 'W5', -20_000n, 0n],
    ['pending', 'W3', -400_000n, 400_000n],
    ['unknown_not_found', 'W6', -600n, 600n],
  ]);
});

test('an amount that nobody stated is not shown as zero', async () => {
  const ofW6 = database.db.updateTable('finding').where('reference', '=', 'W6');
  const rows = () => database.db.selectFrom('finding').selectAll().where('reference', '=', 'W6');
  const { platform_fen, ledger_fen } = await rows().executeTakeFirstOrThrow();
  await ofW6.set({ platform_fen: null, ledger_fen: null }).execute();
  const again = await resultAgain();
  const text = await textOf(again);
  await ofW6.set({ platform_fen, ledger_fen }).execute();
  expect(again.timing.at(-1)).toMatchObject({ reference: 'W6', amountFen: null });
  expect(text).toMatch(/\nunknown_not_found +\S+ +W6 +\? +6\.00 /);
});

test('candidates are amounts in fen, also in the stored result', async () => {
  const expected = [
    { assume: 'withdrawal W5 before the cut', differenceFen: 680_600n },
    { assume: 'withdrawal W5 after the cut', differenceFen: 700_600n },
  ];
  const candidates = (of: WholeResult) => of.accounts.find(({ accountNo }) => accountNo === B3)?.candidates;
  expect(candidates(result)).toEqual(expected);
  await saveResult(database.db, runId, jsonText(result));
  expect(candidates(await wholeResult(await storedResult(of(), runId, 'zh-CN')))).toEqual(expected);
});

test('a result that was stored before there was an audit trail says so', async () => {
  const { auditTrail: _, ...older } = result;
  await saveResult(database.db, runId, jsonText(older));
  expect(await wholeResult(await storedResult(of(), runId, 'zh-CN'))).toEqual({
    ...result,
    auditTrail: null,
  });
});

test('the terminal shows orders asked for, what is in flight, breaks, attention and timing by class', async () => {
  const lines = (await textOf(result)).split('\n');
  expect(lines[1]).toBe(
    'nightly 2026-03-05, version 1 · 4 accounts · 4 deposits in 4 windows · 6 transfer orders in 3 batches · 6 withdrawals',
  );
  const cells = (start: string) =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.split(/ {2,}/));
  expect(cells(B3)).toEqual([[B3, 'breaks', '103,000.00', '95,994.00', '7,006.00', '0.00', '4,200.00']]);
  expect(lines).toContain(`  ${B3}: difference 6,806.00 if withdrawal W5 before the cut`);
  expect(lines).toContain(
    '7 breaks (difference = platform − ledger): platform_only 2 · amount 1 · batch_children 1 · fee 1 · state 1 · state_regression 1',
  );
  expect(lines).toContain('1 for attention, without effect on the balance: settle_failed 1');
  expect(cells('settle_failed')).toEqual([['settle_failed', B2, 'T2', '–', '2026-03-05', 'O-settle']]);
  expect(lines).toContain('4 items still on their way: in_flight 2 · pending 1 · unknown_not_found 1');
  expect(cells('in_flight')[0]).toEqual(['in_flight', B1, 'T3', '-500.00', '0.00', '2026-03-05 23:00']);
});
