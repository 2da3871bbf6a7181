/**
 * H18 within a run: a process that stood still holds its lease again once the database was set back, by whoever started
 * its server, to when it held it. What another machine sent meanwhile is forgotten there, and the mark of this machine
 * never knew of it (docs/reliability.md 2.3 c).
 */
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import type { MarkState, SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, settleViewLagMs: 3_600_000 });
});
afterEach(() => world.close());

/** The start of the server before it was started for the restore. */
const BEFORE = '1.5/2/3';

const only = { outOrderNo: 'B1-1' };

/** The mark of another machine. */
function markOf(state: MarkState): SettleMark {
  let kept = state;
  return {
    read: () => Promise.resolve(kept),
    write: (written) => Promise.resolve(void (kept = written)),
  };
}

/** All of the database as it was, the lease too, and its server was started for that. */
async function setBackTo(lease: { fence: bigint; holder: string }): Promise<void> {
  const { db } = world;
  await db.deleteFrom('settle_event').execute();
  await db.deleteFrom('settle_attempt').execute();
  await setGuardBack(db, { sequence: 0n });
  await db.updateTable('lease').set(lease).where('name', '=', 'settle').execute();
}

/** Another machine takes over, sends B1-1, which is paid, and the database is set back to before that. */
async function sentElsewhere(): Promise<void> {
  const lease = await world.db
    .selectFrom('lease')
    .selectAll()
    .where('name', '=', 'settle')
    .executeTakeFirstOrThrow();
  const mark = markOf(await world.sure());
  await world.restart();
  expect(settledLines(await world.step({ runId: 'run-b', only }, { mark }))).toEqual(['B1-1 1 PROCESSING']);
  await setBackTo({ fence: lease.fence, holder: lease.holder });
}

test('nothing is sent on the word of a database whose server was started since the memory was judged', async () => {
  // Of the other one the payee has the money to be paid out twice.
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  const stood = await standing();
  await expect(world.step({ runId: 'run-a', only }, stood)).rejects.toThrow(
    'the database server was started',
  );
  expect([world.sends(), world.paid('B1-1'), await world.attempts()]).toEqual([1, 1, []]);
});

/** The ports of a process that has judged its memory, and stands still then while all of that happens. */
async function standing(): Promise<Pick<SettlePorts, 'book' | 'mark'>> {
  const { book } = await world.ports({}, 'run-a');
  let start = BEFORE;
  return {
    mark: markOf(await world.sure({ server: BEFORE })),
    book: {
      ...book,
      serverStart: () => (start === BEFORE ? Promise.resolve(start) : book.serverStart()),
      listOpen: async () => {
        await sentElsewhere();
        start = '';
        return book.listOpen();
      },
    },
  };
}

test('nor does a refund by hand leave, of what was settled elsewhere and is forgotten', async () => {
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  const { job } = world.orders;
  const starting = new Starting();
  const biz = { outBatchNo: 'B1', outOrderNos: 'B1-1', channelExtra: '{"smsCode":"1","smsFlowNo":"1"}' };
  const client = await job.platform();
  const callRaw = client.callRaw.bind(client);
  client.callRaw = async (...given) => {
    client.callRaw = callRaw;
    await sentElsewhere();
    starting.isStarted = true;
    return callRaw(...given);
  };
  const plain = { isUnchecked: true, said: [], warnings: [], lookUp: undefined, approve: undefined };
  const call = { endpoint: 'division/refund', biz, ...plain } as const;
  const calling = makeCall({ ...job, db: job.db.withPlugin(starting) }, call, () => undefined);
  await expect(calling).rejects.toThrow('the database server was started');
  expect(world.orders.asked('/division/refund')).toBe(0);
});

/** Until it is started the server says that it was started at another time. */
class Starting implements KyselyPlugin {
  isStarted = false;

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return node;
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    const rows = result.rows.map((row) => {
      const isStart = !this.isStarted && /^[0-9]+\.[0-9]+$/.test(String(row['identity']));
      return isStart ? { ...row, identity: '1.5' } : row;
    });
    return Promise.resolve({ ...result, rows });
  }
}
