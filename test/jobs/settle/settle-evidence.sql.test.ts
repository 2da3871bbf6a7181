/** What a person is told about the money before ending an attempt that awaits one (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moneyLeft } from '../../../jobs/night/settle/settle-awaiting.ts';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { at, zone } from '../../helpers/night.ts';
import { SettleWorld } from './settle-world.ts';

describe('what left the account', () => {
  const attempt = { amountFen: 10_000n, feeFen: undefined, plannedAt: at('2026-03-02 02:00:00') };
  const fell = (fen: bigint, readAt: string) =>
    moneyLeft({ ...attempt, usualFeeFen: 20n }, [
      { at: at('2026-03-02 01:00:00'), balanceFen: fen },
      { at: at(`2026-03-02 ${readAt}`), balanceFen: 0n },
    ]).map(({ fen: left, isExact }) => [left, isExact]);

  test('is its amount, with the fee as it is known or else as it usually is; more may be it, less is not', () => {
    expect(fell(10_000n, '03:00:00')).toEqual([[10_000n, true]]);
    expect(fell(10_020n, '03:00:00')).toEqual([[10_020n, true]]);
    expect(fell(10_030n, '03:00:00')).toEqual([[10_030n, false]]);
    expect(fell(9_999n, '03:00:00')).toEqual([]);
    const [known] = moneyLeft({ ...attempt, feeFen: 30n, usualFeeFen: 20n }, [
      { at: at('2026-03-02 01:00:00'), balanceFen: 10_030n },
      { at: at('2026-03-02 03:00:00'), balanceFen: 0n },
    ]);
    expect(known?.isExact).toBe(true);
  });

  test('counts from when it was planned, by clocks that are twenty seconds apart', () => {
    expect(fell(10_000n, '01:59:40')).toEqual([[10_000n, true]]);
    expect(fell(10_000n, '01:59:39')).toEqual([]);
  });
});

describe('before a person', () => {
  let world: SettleWorld;
  beforeEach(async () => {
    world = await SettleWorld.open();
    world.sandbox.setSwitches({ settleGuard: false });
  });
  afterEach(() => world.close());

  /** Sent and paid, and shown as failed for ever. */
  const paidUnseen = async (): Promise<void> => {
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
    world.moveTo('02 02:00:00');
    await world.step();
    expect(world.paid('B1-1')).toBe(1);
  };

  const balance = async (time: string, balanceFen: bigint): Promise<void> => {
    const taken_at = at(`2026-03-${time}`);
    const read = { taken_at, closed_at: taken_at, run_id: `at-${time}`, purpose: 'bracket' as const };
    const said = { balance_fen: balanceFen, frozen_fen: 0n, available_fen: balanceFen, account_state: '1' };
    const kept = {
      state: 'stable' as const,
      tries: 1,
      spread_fen: 0n,
      signed: true,
      answer_sha256: 'f'.repeat(64),
    };
    await world.db
      .insertInto('balance_snapshot')
      .values({ account_no: 'Q', ...read, ...said, ...kept })
      .execute();
  };

  const stepsAt = async (...times: readonly string[]): Promise<SettleOutcome> => {
    let last: SettleOutcome | undefined;
    for (const time of times) {
      world.moveTo(time);
      last = await world.step({ runId: `at-${time}` });
    }
    if (last === undefined) throw new Error('no step');
    return last;
  };

  test('what left after the send is named also where a restore has forgotten when it was sent', async () => {
    await world.failed('B1', {});
    await balance('02 01:00:00', 10_000n);
    await paidUnseen();
    // The backup was taken between the plan and the send; the night reads the balances before it finds the restore.
    await world.db.deleteFrom('settle_event').where('state', '<>', 'PLANNED').execute();
    const forgotten = { outcome: null, closed_at: null, req_time: null, sent_at: null, answered_at: null };
    await world.db
      .updateTable('settle_attempt')
      .set({ state: 'PLANNED', ...forgotten })
      .execute();
    await setGuardBack(world.db, { sequence: 1n, database_identity: 'restored' });
    await balance('03 02:00:00', 0n);
    const shown = await stepsAt('03 02:00:10', '03 04:00:00', '03 04:01:00');
    expect(shown.settlements).toMatchObject([
      { outcome: 'AWAITING', awaiting: { isComparable: true, left: [{ fen: 10_000n, isExact: true }] } },
    ]);
    expect(settleText(shown, zone)).toContain('exactly 100.00 yuan left it: it looks as if it was paid');
  });

  test('without a balance from before the send nobody says that nothing left', async () => {
    await world.failed('B1', {});
    await paidUnseen();
    const text = settleText(await stepsAt('02 03:30:00', '02 03:31:00'), zone);
    expect(text).toContain('whether it left is not known');
    expect(text).not.toContain('between no two readings');
  });

  test('where it did not leave, that is said', async () => {
    await world.failed('B1', {});
    await balance('02 01:00:00', 10_000n);
    await paidUnseen();
    world.sandbox.addFault({
      kind: 'record',
      path: 'acct/queryInfo',
      times: 100,
      set: { balance: 10_000, availableBalance: 10_000 },
    });
    const text = settleText(await stepsAt('02 03:30:00', '02 03:31:00'), zone);
    expect(text).toContain('between no two readings did its amount or more leave');
  });
});
