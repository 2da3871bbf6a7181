/**
 * Balances bracketed with open orders: what a look within the bracket says belongs to the balance
 * (docs/reconciliation.md 3.4).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bracketAccounts } from '../../../jobs/night/collect/bracket.ts';
import { askOpenOrders } from '../../../jobs/night/collect/ask-open-orders.ts';
import { collectOrders } from '../../../jobs/night/collect/collect-orders.ts';
import { OWN_WORK } from '../../../jobs/units/unit.ts';
import { oneAtATime } from '../../../jobs/night/collect/one-at-a-time.ts';
import { takeSnapshots } from '../../../jobs/commands/snapshot.ts';
import type { Process } from '../../helpers/night.ts';
import { Night, at } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';

let night: Night;
let job: Process;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-02 02:00:00' });
  await night.accounts({ no: 'P', heldFen: 1_000_000n }, { no: 'Q', heldFen: 0n });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
});

const RUN = { runId: 'night-1', toDay: '2026-03-01', today: '2026-03-02' };
const BRACKET = {
  runId: 'night-1',
  purpose: 'bracket',
  claim: OWN_WORK,
  toDay: '2026-03-01',
  fromDay: '2026-03-02',
} as const;

/** One batch of one order, under way until then, and one withdrawal; both registered. */
async function open(finalAt: string): Promise<void> {
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-01 09:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, finalAt }],
    },
  ]);
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: '2026-03-01 10:00:00', finalAt },
  ]);
  await register(
    night.db,
    {
      kind: 'transfer',
      out_batch_no: 'B1',
      out_order_no: 'T1',
      payer_account_no: 'P',
      payee_account_no: 'Q',
    },
    { kind: 'withdrawal', out_order_no: 'W1', payer_account_no: 'P' },
  );
}

const balances = () =>
  night.db.selectFrom('balance_snapshot').selectAll().orderBy('account_no').orderBy('taken_at').execute();
const changes = () => night.db.selectFrom('order_state_seen').selectAll().orderBy('out_order_no').execute();
/** Whether these instants follow each other. */
const order = (...instants: readonly (string | null)[]): boolean =>
  instants.every((instant, at) => instant !== null && (at === 0 || instant >= (instants[at - 1] ?? '')));
const calls = () => night.sandbox.requests().map(({ path }) => path.split('/').slice(-2).join('/'));

test('what was open within the bracket was open after the balance was read, what was final is in it', async () => {
  await open('2026-03-02 02:30:00');
  await collectOrders(job, RUN);
  await bracketAccounts(job, BRACKET, [{ accountNo: 'P', eleAcctNo: undefined }]);
  const [first] = await balances();
  if (first === undefined) throw new Error('no balance was stored');
  expect(order(first.opened_at, first.taken_at)).toBe(true);
  for (const change of await changes()) {
    expect(change.state).toBe('open');
    expect(order(first.taken_at, change.last_open_at, first.closed_at), 'after the balance').toBe(true);
  }

  night.moveTo('2026-03-02 03:00:00');
  await bracketAccounts(job, { ...BRACKET, runId: 'night-2' }, [{ accountNo: 'P', eleAcctNo: undefined }]);
  const [, second] = await balances();
  if (second === undefined) throw new Error('no second balance was stored');
  expect([first.balance_fen, second.balance_fen]).toEqual([1_000_000n, 989_500n]);
  for (const change of await changes()) {
    expect(change.state).toBe('moved');
    expect(order(change.last_open_at, second.opened_at)).toBe(true);
    expect(order(change.first_final_at, second.closed_at), 'within the balance').toBe(true);
  }
});

test('between the two readings the open orders are asked before the newest deposits, by payer and by payee', async () => {
  await open('2026-03-09 00:00:00');
  await collectOrders(job, RUN);
  for (const accountNo of ['P', 'Q']) {
    const before = calls().length;
    await bracketAccounts(job, BRACKET, [{ accountNo, eleAcctNo: undefined }]);
    const asked = calls().slice(before);
    expect([asked.at(0), asked.at(-2), asked.at(-1)]).toEqual([
      'acct/queryInfo',
      'query/deposit',
      'acct/queryInfo',
    ]);
    expect(asked.filter((path) => path === 'division/query')).toHaveLength(1);
    expect(asked.filter((path) => path === 'account/queryWithdraw')).toHaveLength(accountNo === 'P' ? 1 : 0);
  }
});

test('an account that moves is read again with its orders; what is final by then is not asked any more', async () => {
  await night.accounts({ no: 'M', heldFen: 100n, drift: { fen: 1n, queries: 3 } });
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W9', acctNo: 'M', amountFen: 5n, submittedAt: '2026-03-01 10:00:00', state: 'PROCESSING' },
  ]);
  await register(night.db, { kind: 'withdrawal', out_order_no: 'W9', payer_account_no: 'M' });
  await collectOrders(job, RUN);
  const before = calls().length;
  const [bracketed] = await bracketAccounts(job, BRACKET, [{ accountNo: 'M', eleAcctNo: undefined }]);
  expect(bracketed?.snapshot).toMatchObject({ state: 'stable', tries: 3 });
  const asked = calls().slice(before);
  expect(asked.filter((path) => path === 'account/queryWithdraw')).toHaveLength(3);
});

test('a balance cannot be placed when an open order cannot be read', async () => {
  await open('2026-03-09 00:00:00');
  night.sandbox.addFault({ kind: 'unmapped_code', path: 'division/query', skip: 1, times: null });
  await collectOrders(job, RUN);
  const bracketed = await bracketAccounts(job, BRACKET, [
    { accountNo: 'P', eleAcctNo: undefined },
    { accountNo: 'Q', eleAcctNo: undefined },
  ]);
  expect(bracketed.map(({ snapshot }) => snapshot)).toEqual([undefined, undefined]);
  expect(bracketed[0]?.reason).toBe(
    'the open orders could not be read, so the balance cannot be placed among them',
  );
  expect(await balances()).toEqual([]);
  expect(await lines(night.db, 'order_due', ['number', 'asked_run', 'failure'])).toEqual([
    'B1 night-1 the platform refused: E77777 系统繁忙',
    'W1 night-1 ',
  ]);
});

test('a snapshot enrols and asks what is open, and leaves the list of the night alone', async () => {
  await open('2026-03-02 02:30:00');
  await collectOrders(job, RUN);
  night.moveTo('2026-03-02 03:00:00');
  await register(night.db, { kind: 'withdrawal', out_order_no: 'W2', payer_account_no: 'P' });
  const { bracketed } = await takeSnapshots(job);
  expect(bracketed.map(({ accountNo, snapshot }) => `${accountNo} ${snapshot?.balance_fen}`)).toEqual([
    'P 989500',
    'Q 10000',
  ]);
  expect(await lines(night.db, 'order_due', ['number', 'state', 'asked_run'])).toEqual([
    'B1 final night-1',
    'W1 final night-1',
    'W2 not_found ',
  ]);
});

test('asking again within a bracket counts failures only', async () => {
  await open('2026-03-09 00:00:00');
  await collectOrders(job, RUN);
  const asking = { notBefore: at('2026-03-02 02:00:00'), claim: OWN_WORK };
  for (const accountNo of ['P', 'nobody']) {
    expect(await askOpenOrders(job, RUN, { ...asking, accountNo })).toEqual({ failed: 0 });
  }
});

test('N11: two looks at one order never overlap within a process, and nobody waits in a circle', async () => {
  const seen: string[] = [];
  const work = (name: string, keys: string[]) =>
    oneAtATime(job.clock, keys, async () => {
      seen.push(`${name} begins`);
      await pause(5);
      seen.push(`${name} ends`);
    });
  await Promise.all([work('a', ['1', '2']), work('b', ['2', '1']), work('c', ['3']), work('d', ['2', '3'])]);
  for (const [one, other] of [
    ['a', 'b'],
    ['b', 'd'],
    ['a', 'd'],
    ['c', 'd'],
  ] as const) {
    const own = seen.filter((line) => line.startsWith(one) || line.startsWith(other));
    expect(own[0]?.slice(0, 1), 'one after the other').toBe(own[1]?.slice(0, 1));
  }
  expect(seen).toHaveLength(8);
  await expect(oneAtATime(job.clock, ['1'], () => Promise.reject(new Error('odd')))).rejects.toThrow('odd');
  expect(await oneAtATime(job.clock, ['1'], () => Promise.resolve('free again'))).toBe('free again');
});
