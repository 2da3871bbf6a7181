/** What people say and sign is said whole or not at all, whenever the process that says it is killed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { ended, startCli } from '../../helpers/cli.ts';
import type { CliOutcome } from '../../helpers/cli.ts';
import { onPostgres } from '../../helpers/database.ts';
import { untilWaiting } from '../../helpers/until-waiting.ts';
import { commandBooks } from '../command-books.ts';
import { nightOfBreaks } from '../night-of-breaks.ts';
import { FilledBook } from './work-list.ts';

const { reconWith, environment, onDatabase, file } = commandBooks();

const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];
const BREAKS = 40;
const references = Array.from({ length: BREAKS }, (_, n) => `D${n + 1}`);

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase((db) => nightOfBreaks(db, references));
});

/** What people said and signed; the trail is whole. */
async function state(): Promise<Record<string, number>> {
  let found: Record<string, number> = {};
  await onDatabase(async (db) => {
    expect((await verifyTrail(db)).faults).toEqual([]);
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::integer from break_event where work is not null) as said,
        (select count(*)::integer from break_event where period is not null) as signed,
        (select count(distinct trail_no)::integer from signed_row) as kept`.execute(db);
    found = rows[0] ?? {};
  });
  return found;
}

/** A process that waits to write to the trail, with everything else of its transaction done, and what happens then. */
async function atTheTrail(
  args: readonly string[],
  happens: (child: ChildProcess) => unknown,
): Promise<CliOutcome> {
  let outcome: Promise<CliOutcome> | undefined;
  await onDatabase((db) =>
    db.transaction().execute(async (trx) => {
      await sql`lock table break_event in share mode`.execute(trx);
      const child = startCli(args, { env: environment() });
      outcome = ended(child);
      await untilWaiting(db, 1);
      await happens(child);
    }),
  );
  if (outcome === undefined) throw new Error('nothing was started');
  return outcome;
}

/** Its death is waited for while the lock is still held: nothing of it is written afterwards. */
async function killedAtTheTrail(...args: string[]): Promise<void> {
  const { signal } = await atTheTrail(args, async (child) => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  expect(signal).toBe('SIGKILL');
}

const signOff = (by: string, reason: string): string[] => [
  'sign-off',
  '--day',
  '2026-03-01',
  '--by',
  by,
  '--with-open',
  '--reason',
  reason,
  ...CLOCK,
];

describe.runIf(onPostgres)('a process that is killed before its last statement', () => {
  test('has signed nothing of a day, and the next one signs it', async () => {
    await killedAtTheTrail(...signOff('李娜', 'with the platform'));
    expect(await state()).toEqual({ said: 0, signed: 0, kept: 0 });
    // Another one is at work: who comes second is told so, and signs nothing.
    const first = await atTheTrail(signOff('李娜', 'with the platform'), async () => {
      const { status, stderr } = await reconWith({}, ...signOff('赵敏', 'seen'));
      expect([status, stderr]).toEqual([4, expect.stringContaining('another run holds the lock')]);
    });
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(await state()).toEqual({ said: 0, signed: 1, kept: 1 });
  });

  test('has said nothing of a list, which is read whole by the next one', async () => {
    const list = await file('list.xlsx', '');
    await reconWith({}, 'breaks', 'export', list, ...CLOCK);
    const book = await FilledBook.open(list);
    const filled = await book.fill(
      list.replace('list', 'filled'),
      Object.fromEntries(
        references.map((of) => [of, { 负责人: '赵敏', 处理状态: '已说明', 原因: `补记 ${of}` }]),
      ),
    );
    const args = ['breaks', 'import', filled, '--by', '李娜', ...CLOCK];
    await killedAtTheTrail(...args);
    expect(await state()).toMatchObject({ said: 0 });
    const again = await reconWith({}, ...args);
    expect([again.status, again.stderr]).toEqual([0, '']);
    expect(await state()).toMatchObject({ said: 2 * BREAKS });
  });
});
