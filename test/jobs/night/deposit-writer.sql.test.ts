/** What a window says when it is read again comes after what it said before, whatever the database does meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DepositWriter, WindowInFlight } from '../../../jobs/night/collect/deposit-writer.ts';
import { factOf } from '../../helpers/company/deposit-line.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database.db, 'all'));

const AGAIN = {
  'the same window': (window: WindowInFlight): WindowInFlight => Object.assign(window, { isReadAgain: true }),
  'a half of it': (window: WindowInFlight): WindowInFlight => new WindowInFlight(window),
};

test.for(Object.entries(AGAIN))(
  'a batch that is stored at the second try is not stored over what is read of %s',
  async ([, again]) => {
    let isLost = true;
    const claim = {
      unitId: undefined,
      isRepeated: false,
      keep: (): Promise<void> => {
        if (!isLost) return Promise.resolve();
        isLost = false;
        return Promise.reject(new Error('Connection terminated unexpectedly'));
      },
    };
    const writer = new DepositWriter(database.db, { runId: 'R1', day: '2026-03-01' }, claim);
    const window = new WindowInFlight();
    const pages = (amountFen: bigint) =>
      Array.from({ length: 5_000 }, (_, no) =>
        factOf('A', { orderNo: `D${no}`, amountFen, at: '2026-03-01 10:00:00' }),
      );
    await writer.add(window, pages(100n), []);
    await writer.add(again(window), pages(120n), []);
    await writer.close();
    const stored = database.db.selectFrom('deposit').select('amount_fen').distinct();
    expect(await stored.execute()).toEqual([{ amount_fen: 120n }]);
  },
);
