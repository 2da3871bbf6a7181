/** `orders import` and `orders list`, by the real executable on one set of books. */
import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, runCli } from '../helpers/cli.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { commandBooks } from './command-books.ts';

const { recon, file, onDatabase } = commandBooks();

const ORDERS = `kind,out_batch_no,out_order_no,payer_account_no,payee_account_no,amount_yuan,submitted_at,outcome
transfer,B1,T1,100001,100002,100.00,2026-03-01 09:00:00,accepted
transfer,B1,T2,100001,100003,50.00,2026-03-01 09:00:00,accepted
transfer,B2,T3,100001,100002,10.00,2026-03-01 10:00:00,sent
transfer,B3,,100001,,30.00,2026-03-01 11:00:00,accepted
withdrawal,,W1,100001,,5.00,2026-03-01 12:00:00,accepted
withdrawal,,W2,999999,,6.00,,refused
`;

describe('orders import', () => {
  test('takes a file in, says what came of it and who is not in the account list', async () => {
    await recon('accounts', 'import', await file('accounts.csv', 'account_no\n100001\n100002\n'));
    const ordersPath = await file('orders.csv', ORDERS);
    const first = await recon('orders', 'import', ordersPath);
    expect(first.status).toBe(0);
    expect(first.stdout).toBe(
      'orders: 6 rows, 6 added, 0 changed, 0 unchanged\n' +
        '1 order names a payer that is not in the account list: no balance is proven with it\n',
    );
    const again = await recon('orders', 'import', ordersPath, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      schema: 1,
      file: ordersPath,
      stored: true,
      rows: 6,
      added: 0,
      unchanged: 6,
      replaced: 0,
      faults: [],
      unlistedPayers: 1,
    });
  });

  test('a faulty file is refused with every fault, exit status 2 and nothing kept', async () => {
    const bad = await file(
      'bad.csv',
      'kind,out_batch_no,out_order_no,amount_yuan,outcome\n' +
        'transfer,B9,T9,1.00,sent\ntransfer,,T8,1.00,\nrefund,B9,T7,1,\ntransfer,B9,T9,2.00,\n',
    );
    const said = await recon('orders', 'import', bad);
    expect(said.status).toBe(2);
    expect(faultsOf(said.stderr)).toEqual([
      'row 3, out_batch_no: a transfer needs out_batch_no or batch_no; without it nothing can be asked',
      'row 4, kind "refund": must be one of transfer, withdrawal',
      'row 4, amount_yuan "1": must be yuan with two decimals, such as -12.50, of at most 10^13',
      'row 5, amount_yuan "2.00": row 2 says "1.00" of the same order',
    ]);
    const listed = await recon('orders', 'list', '--json');
    expect((JSON.parse(listed.stdout) as { orders: unknown[] }).orders).toHaveLength(6);
  });

  test('--replace puts right what is registered otherwise, says so, and the list keeps what it was', async () => {
    const header = 'kind,out_order_no,payer_account_no,amount_yuan,submitted_at,outcome\n';
    const right = await file('right.csv', `${header}withdrawal,W1,100001,5.50,,\n`);
    const refused = await recon('orders', 'import', right);
    expect([refused.status, faultsOf(refused.stderr)]).toEqual([
      2,
      ['row 2, amount_yuan "5.50": "5.00" is registered of the same order'],
    ]);
    const said = await recon('orders', 'import', right, '--replace');
    expect([said.status, said.stdout]).toEqual([
      0,
      'orders: 1 row, 0 added, 1 changed, 0 unchanged\n- row 2, W1: amount_yuan 5.50 instead of 5.00\n',
    ]);
    const again = await recon('orders', 'import', right, '--replace', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 1, corrections: [], correctionCount: 0 });
    const { stdout } = await recon('orders', 'list', '--json', '--account', '100001');
    const listedOrders = (JSON.parse(stdout) as { orders: { outOrderNo: string; changes: unknown[] }[] })
      .orders;
    expect(listedOrders.find(({ outOrderNo }) => outOrderNo === 'W1')?.changes).toEqual([
      expect.objectContaining({ member: 'amount_fen', before: '500', after: '550', file: 'right.csv' }),
    ]);
    expect((await recon('orders', 'list')).stdout).toMatch(
      /\nW1: amount_fen was 500, changed to 550 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d by right\.csv\n$/,
    );
    await recon('orders', 'import', await file('orders.csv', ORDERS), '--replace');
    await onDatabase(async (db) => void (await db.deleteFrom('registration_change').execute()));
  });

  test('wrong calls are refused with exit status 2, each with its reason', async () => {
    const calls: [string, string][] = [
      ['orders import', "missing required argument 'file' (--help shows what there is)"],
      ['orders', 'a command is missing (--help shows what there is)'],
      ['orders imprt x.csv', "unknown command 'imprt' (Did you mean import?) (--help shows what there is)"],
      ['orders import nothing.csv', 'cannot read nothing.csv: there is no such file'],
      ['orders list --opn', "unknown option '--opn' (Did you mean --open?) (--help shows what there is)"],
    ];
    const all = await Promise.all(calls.map(([call]) => recon(...call.split(' '))));
    expect(all.map((said) => [said.status, faultsOf(said.stderr), said.stdout])).toEqual(
      calls.map(([, fault]) => [2, [fault], '']),
    );
    const unknown = await recon('orders', 'list', '--account', '7');
    expect([unknown.status, faultsOf(unknown.stderr)]).toEqual([2, ['account 7 is not in the account list']]);
  });

  test('columns that are missing or unknown are named', async () => {
    const said = await recon(
      'orders',
      'import',
      await file('columns.csv', 'out_order_no,payer\nW1,100001\n'),
    );
    expect([said.status, faultsOf(said.stderr)]).toEqual([
      2,
      ['unknown column "payer"', 'column "kind" is missing'],
    ]);
  });
});

interface Listed {
  orders: { outOrderNo: string; outBatchNo: string; asked: string | null; state: string | null }[];
}

async function listed(...args: readonly string[]): Promise<string[]> {
  const { status, stdout } = await recon('orders', 'list', '--json', ...args);
  expect(status).toBe(0);
  const { orders } = JSON.parse(stdout) as Listed;
  return orders.map(
    (order) =>
      `${order.outOrderNo || order.outBatchNo}: ${order.asked ?? 'not asked'}, ${order.state ?? '?'}`,
  );
}

describe('orders list', () => {
  beforeAll(() =>
    onDatabase(async (db) => {
      const orders = new OrderBooks(db);
      const both = { payer: '100001', payee: '100002', feeFen: 0n };
      await orders.transfer({
        out: 'T1',
        batch: 'B1',
        amountFen: 10_000n,
        ...both,
        settle: { state: 'open' },
      });
      await orders.transfer({
        out: 'T2',
        batch: 'B1',
        amountFen: 5_000n,
        ...both,
        refunds: [{ amountFen: 2_000n, finalAt: '2026-03-02 12:00:00' }],
      });
      await orders.transfer({ out: 'X1', batch: 'B3', amountFen: 1_000n, ...both });
      await orders.transfer({ out: 'X2', batch: 'B3', amountFen: 2_000n, ...both, state: 'failed' });
      await orders.withdrawal({
        out: 'W1',
        account: '100001',
        amountFen: 500n,
        returned: { finalAt: '2026-03-03 09:00:00' },
      });
      await orders.due({ number: 'B1', account: '100001', state: 'open' });
      await orders.due({ number: 'B2', account: '100001', state: 'not_found', failure: 'no answer in 30 s' });
      await orders.due({ number: 'B3', account: '100001', state: 'final' });
      await orders.due({ kind: 'withdrawal', number: 'W1', account: '100001', state: 'final' });
      await orders.due({ kind: 'withdrawal', number: 'W2', state: 'refused' });
    }),
  );

  test('shows what is registered, the latest first, and what is known of it', async () => {
    expect(await listed()).toEqual([
      'W1: final, returned',
      'B3: final, mixed',
      'T3: not_found, ?',
      'T1: open, moved',
      'T2: open, moved',
      'W2: refused, ?',
    ]);
    const { stdout } = await recon('orders', 'list');
    expect(stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'kind | batch | order | payer | payee | amount | submitted | outcome | asked | state',
      expect.stringContaining('─'),
      'withdrawal | W1 | 100001 | 5.00 | 2026-03-01 12:00:00 | accepted | final | returned',
      'transfer | B3 | 100001 | 30.00 | 2026-03-01 11:00:00 | accepted | final | mixed',
      'transfer | B2 | T3 | 100001 | 100002 | 10.00 | 2026-03-01 10:00:00 | sent | not_found, failed: no answer in 30 s',
      'transfer | B1 | T1 | 100001 | 100002 | 100.00 | 2026-03-01 09:00:00 | accepted | open | moved, settlement open',
      'transfer | B1 | T2 | 100001 | 100003 | 50.00 | 2026-03-01 09:00:00 | accepted | open | moved, refunded 20.00',
      'withdrawal | W2 | 999999 | 6.00 | refused | refused',
      '',
    ]);
  });

  test('--open leaves out what has come to its end, --account what is of others', async () => {
    expect(await listed('--open')).toEqual(['T3: not_found, ?', 'T1: open, moved']);
    expect(await listed('--account', '100003')).toEqual(['T2: open, moved']);
    expect(await listed('--account', '999999')).toEqual(['W2: refused, ?']);
    expect(await listed('--account', '100002', '--open')).toEqual(['T3: not_found, ?', 'T1: open, moved']);
  });

  test('every member of an order in the document', async () => {
    const { stdout } = await recon('orders', 'list', '--json', '--account', '100003');
    expect(JSON.parse(stdout)).toEqual({
      schema: 1,
      orders: [
        {
          kind: 'transfer',
          outBatchNo: 'B1',
          outOrderNo: 'T2',
          batchNo: '',
          orderNo: '',
          payerAccountNo: '100001',
          payeeAccountNo: '100003',
          amountFen: 5_000,
          submittedAt: '2026-03-01T01:00:00.000Z',
          outcome: 'accepted',
          registeredBy: 'file',
          asked: 'open',
          failure: '',
          state: 'moved',
          settlement: 'none',
          refundFen: 2_000,
          changes: [],
          contradictions: [],
        },
      ],
    });
  });

  test('the latest 200 are shown, --all shows every one', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `withdrawal,M${at},100002,1\n`).join('');
    await recon(
      'orders',
      'import',
      await file('many.csv', `kind,out_order_no,payer_account_no,amount_fen\n${rows}`),
    );
    expect(await listed('--account', '100002', '--open')).toHaveLength(200);
    expect(await listed('--account', '100002', '--open', '--all')).toHaveLength(302);
    expect((await recon('orders', 'list')).stdout).toMatch(/\nthe latest 200; --all lists every one\n$/);
  });
});

test('each of them has help with an example', async () => {
  const commands = ['orders import', 'orders list'];
  const helps = await Promise.all(commands.map((command) => runCli([...command.split(' '), '--help'])));
  const told = helps.map(({ status, stdout }) => [status, /Example:\n {2}recon (.*)/.exec(stdout)?.[1]]);
  expect(told).toEqual([
    [0, 'orders import orders.csv'],
    [0, 'orders list --open'],
  ]);
});
