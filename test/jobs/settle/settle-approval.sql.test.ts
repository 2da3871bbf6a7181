/**
 * What a person approves who ends an attempt is what was shown: it holds for that reading of the balance and for that
 * day, and not once money may have left since (docs/reliability.md 2.3 a, docs/settlements.md).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { zone } from '../../helpers/night.ts';
import { at, leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

/** What the platform says of the payee's account from now on. */
function balanceIs(balance: number): void {
  world.sandbox.liftFaults();
  stuck();
  world.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    times: 100,
    set: { balance, availableBalance: balance },
  });
}

/** Queries that go on showing the failure. */
function stuck(): void {
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
}

let runs = 0;
function stepAt(time: string, digest?: string): Promise<SettleOutcome> {
  world.moveTo(time);
  const approve = digest === undefined ? undefined : { digest, by: 'Li' };
  return world.step({ runId: `run-${++runs}`, approve });
}

/** B1-1 of 100 yuan was sent, and is shown as failed by every query; its payee had 300 yuan when that was shown. */
async function shown(): Promise<string> {
  await world.failed('B1', {});
  stuck();
  await stepAt('02 02:00:00');
  balanceIs(30_000);
  await stepAt('02 03:30:00');
  return digestOf(await stepAt('02 03:31:00'));
}

function digestOf({ settlements: [one] }: SettleOutcome): string {
  expect(one?.outcome).toBe('AWAITING');
  return one?.awaiting?.digest ?? '';
}

const closings = () => lines(world.db, 'settle_attempt', ['state', 'outcome', 'note']);

describe('the approval of an attempt that awaits a person', () => {
  test('names what was shown, however often it is shown again; it ends it', async () => {
    const digest = await shown();
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(digestOf(await stepAt('02 04:00:00'))).toBe(digest);
    const ended = await stepAt('02 04:05:00', digest);
    expect(settledLines(ended)).toEqual(['B1-1 1 FAIL']);
    expect(await lines(world.db, 'settle_approval', ['plan_digest', 'approved_by'])).toEqual([
      `${digest} Li`,
    ]);
  });

  test('names what was shown also where something had left before that, however often it is shown', async () => {
    await shown();
    balanceIs(20_000);
    const looksPaid = await stepAt('02 04:00:00');
    expect(looksPaid.settlements).toMatchObject([{ awaiting: { left: [{ fen: 10_000n }] } }]);
    const digest = digestOf(looksPaid);
    expect(digestOf(await stepAt('02 04:10:00'))).toBe(digest);
    expect(settledLines(await stepAt('02 04:20:00', digest))).toEqual(['B1-1 1 FAIL']);
  });

  test('is refused when the balance fell by the amount since, and says from what to what', async () => {
    const digest = await shown();
    balanceIs(20_000);
    const refused = await stepAt('02 04:00:00', digest);
    expect(settledLines(refused)).toEqual(['B1-1 1 AWAITING']);
    const text = settleText(refused, zone);
    expect(text).toContain(
      'NOT APPROVED: the balance of Q was 300.00 yuan when this was shown, on 2026-03-02 03:30:00, and was 200.00 ' +
        'yuan on 2026-03-02 04:00:00: 100.00 yuan left it, so it may have been paid. Ask the platform',
    );
    expect(digestOf(refused)).not.toBe(digest);
    expect(await lines(world.db, 'settle_approval', ['plan_digest'])).toEqual([]);
    // Who has seen that as well may say that it was something else.
    expect(settledLines(await stepAt('02 04:05:00', digestOf(refused)))).toEqual(['B1-1 1 FAIL']);
  });

  test('is refused also when what left was covered by what came in before anybody asked again', async () => {
    const digest = await shown();
    balanceIs(20_000);
    await stepAt('02 04:00:00');
    balanceIs(30_000);
    const refused = await stepAt('02 04:10:00', digest);
    expect(settledLines(refused)).toEqual(['B1-1 1 AWAITING']);
    expect(settleText(refused, zone)).toContain('NOT APPROVED');
  });

  test('is refused also when what came in before it left hides it from the reading that was shown', async () => {
    const digest = await shown();
    balanceIs(40_000);
    await stepAt('02 04:00:00');
    balanceIs(30_000);
    expect(settledLines(await stepAt('02 04:10:00', digest))).toEqual(['B1-1 1 AWAITING']);
  });

  test('stands when less than the amount left, or when something came in', async () => {
    const digest = await shown();
    balanceIs(20_001);
    expect(settledLines(await stepAt('02 04:00:00', digest))).toEqual(['B1-1 1 FAIL']);
  });

  test('is refused when the balance cannot be read then: it has to be read again', async () => {
    const digest = await shown();
    world.sandbox.liftFaults();
    stuck();
    const refusal = { kind: 'unmapped_code', path: 'acct/queryInfo', msg: '系统繁忙' } as const;
    world.sandbox.addFault({ ...refusal, times: 100 });
    const refused = await stepAt('02 04:00:00', digest);
    expect(settledLines(refused)).toEqual(['B1-1 1 AWAITING']);
    expect(settleText(refused, zone)).toContain('NOT APPROVED: the balance of Q cannot be read now');
    expect(await closings()).toEqual([expect.stringContaining('ACK_SUCCESS')]);
    balanceIs(30_000);
    expect(settledLines(await stepAt('02 04:10:00', digest))).toEqual(['B1-1 1 FAIL']);
  });

  test('cannot be given where no balance could be shown', async () => {
    await world.failed('B1', {});
    stuck();
    await stepAt('02 02:00:00');
    const refusal = { kind: 'unmapped_code', path: 'acct/queryInfo', msg: '系统繁忙' } as const;
    world.sandbox.addFault({ ...refusal, times: 100 });
    await stepAt('02 03:30:00');
    const unread = await stepAt('02 03:31:00');
    expect(digestOf(unread)).toBe('');
    expect(settleText(unread, zone)).toContain(
      'Nothing can be approved now: the balance of Q cannot be read now, so nobody can say',
    );
    expect(settleText(unread, zone)).not.toContain('--approve');
  });

  test('holds on the day on which it was shown only', async () => {
    const digest = await shown();
    balanceIs(30_000);
    const refused = await stepAt('03 00:00:01', digest);
    expect(settledLines(refused)).toEqual(['B1-1 1 AWAITING']);
    expect(settleText(refused, zone)).toContain('NOT APPROVED: it was shown on 2026-03-02');
    expect(settledLines(await stepAt('03 00:01:00', digestOf(refused)))).toEqual(['B1-1 1 FAIL']);
  });

  test('is refused before a second query has shown the failure', async () => {
    await world.failed('B1', {});
    stuck();
    await stepAt('02 02:00:00');
    balanceIs(30_000);
    const digest = digestOf(await stepAt('02 03:30:00'));
    world.sandbox.liftFaults();
    const query = { kind: 'record', path: 'division/query' } as const;
    world.sandbox.addFault({ ...query, times: 1, set: { settleState: 'ODD' } });
    world.sandbox.addFault({ ...query, skip: 1, times: 100, set: { settleState: 'FAIL' } });
    world.sandbox.addFault({
      kind: 'record',
      path: 'acct/queryInfo',
      times: 100,
      set: { balance: 30_000, availableBalance: 30_000 },
    });
    const other = await stepAt('02 03:31:00', digest);
    expect(settleText(other, zone)).toContain('NOT APPROVED: queries show something else by now');
    // No view of before that is shown any more.
    const since = await stepAt('02 04:32:00', digest);
    expect(settleText(since, zone)).toContain('NOT APPROVED: something else is known of it by now');
    expect(settledLines(await stepAt('02 04:33:00', digestOf(since)))).toEqual(['B1-1 1 FAIL']);
  });

  test('is refused where a query that was refused begins the count of the failure anew', async () => {
    await world.failed('B1', {});
    stuck();
    await stepAt('02 02:00:00');
    balanceIs(30_000);
    const digest = digestOf(await stepAt('02 03:30:00'));
    const refusal = { kind: 'unmapped_code', path: 'division/query', msg: '系统繁忙' } as const;
    world.sandbox.liftFaults();
    world.sandbox.addFault({ ...refusal, times: 1 });
    world.sandbox.addFault({
      kind: 'record',
      path: 'acct/queryInfo',
      times: 100,
      set: { balance: 30_000, availableBalance: 30_000 },
    });
    await stepAt('02 03:31:00');
    balanceIs(30_000);
    const early = await stepAt('02 03:32:00', digest);
    expect(settleText(early, zone)).toContain('NOT APPROVED: queries have shown this only once');
    expect(settledLines(await stepAt('02 03:33:00', digest))).toEqual(['B1-1 1 FAIL']);
  });

  test('sends nothing in the same call, also where no cool-down is waited for', async () => {
    const digest = await shown();
    await world.orders.profile({ settle: { coolDownMinutes: 0 } });
    world.moveTo('02 04:00:00');
    const { clock } = world.orders.night;
    const even = {
      wall: () => clock.wall(),
      monoMs: () => performance.now(),
      sleep: clock.sleep.bind(clock),
    };
    const ended = await world.step({ runId: 'run-even', approve: { digest, by: 'Li' } }, { clock: even });
    expect(settledLines(ended)).toEqual(['B1-1 1 FAIL']);
    expect([leftLines(ended), world.sends()]).toEqual([['B1-1 left_over'], 1]);
  });

  test('is refused as long as a database that was restored is held', async () => {
    const digest = await shown();
    await (await world.ports()).book.hold(at('2026-03-02 05:00:00'));
    const refused = await stepAt('02 04:00:00', digest);
    expect(settledLines(refused)).toEqual(['B1-1 1 AWAITING']);
    expect(settleText(refused, zone)).toContain('NOT APPROVED: the database was restored');
    expect(settledLines(await stepAt('02 05:01:00', digest))).toEqual(['B1-1 1 FAIL']);
  });
});
