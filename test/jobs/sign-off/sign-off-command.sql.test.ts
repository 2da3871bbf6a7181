/** `recon sign-off` by the executable: who may do what, what is refused, and what verify prints of it. */
import { beforeAll, expect, test } from 'vitest';
import { takeLease } from '../../../src/store/database/leases.ts';
import { faultsOf } from '../../helpers/cli.ts';
import { commandBooks } from '../command-books.ts';
import { nightOfBreaks } from '../night-of-breaks.ts';
import { faultsOfAnswer } from '../../schemas/validator.ts';

const { reconWith, onDatabase } = commandBooks();

const PEOPLE = { RECON_PEOPLE: '李娜:preparer, 王伟:approver' };
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];
const DAY = ['--day', '2026-03-01'];

/** The embedded database is made by the first command. */
beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase((db) => nightOfBreaks(db));
});

const signOff = (...args: string[]) => reconWith(PEOPLE, 'sign-off', ...args, ...CLOCK);

async function refused(...args: string[]): Promise<string[]> {
  const { status, stderr } = await signOff(...args);
  expect(status).toBe(2);
  return faultsOf(stderr);
}

test('what is wrong with a call is named before anything is opened', async () => {
  expect(await refused('--by', '李娜')).toEqual([
    'name the period by one of --day yyyy-MM-dd and --month yyyy-MM',
  ]);
  expect(await refused('--month', '2026-13')).toEqual([
    '--month "2026-13" is not a month; write yyyy-MM, such as 2026-03',
  ]);
  expect(await refused('--month', '2026-03')).toEqual([
    '--month 2026-03 is not over yet (today is 2026-03-02); the latest month is 2026-02',
  ]);
  expect(await refused(...DAY, '--with-open')).toEqual([
    '--reason is missing: it says why it is signed with what stands open',
  ]);
  expect(await refused(...DAY, '--approve', '--withdraw')).toEqual([
    '--approve and --withdraw do not go together',
  ]);
});

test('each does what the list lets them, and verify tells Recorded, Actual and Difference of what changed since', async () => {
  expect(await refused(...DAY, '--by', '王伟')).toEqual([
    '王伟 is approver in RECON_PEOPLE: this takes a preparer',
  ]);
  const dry = await signOff(...DAY, '--by', '李娜', '--dry-run');
  expect(dry.stdout).toMatch(/^2026-03-01 would be signed as follows; nothing was written\n/);
  expect((await signOff('--list')).stdout).toBe('no day or month was signed off yet\n');
  const open = ['--with-open', '--reason', '待补记'];
  const prepared = await signOff(...DAY, '--by', '李娜', ...open);
  expect(prepared.stdout).toMatch(
    /^2026-03-01 prepared by 李娜 at 2026-03-02 10:00:\d\d; another person approves it: recon sign-off --day 2026-03-01 --approve --by NAME\n/,
  );
  const approved = await signOff(...DAY, '--by', '王伟', '--approve', '--json');
  expect(JSON.parse(approved.stdout)).toMatchObject({
    period: '2026-03-01',
    done: 'signed_off',
    signOff: { by: '王伟', preparedBy: '李娜', open: 1, reason: '待补记', verdict: 'breaks' },
  });
  expect(await faultsOfAnswer('sign-off', JSON.parse(approved.stdout))).toEqual([]);
  for (const asked of [['--list'], [...DAY, '--show']]) {
    const { stdout } = await signOff(...asked, '--json');
    const answer = `sign-off ${asked.at(-1)}`;
    expect([answer, ...(await faultsOfAnswer(answer, JSON.parse(stdout)))]).toEqual([answer]);
  }
  const platform = {
    PLATFORM_URL: 'http://127.0.0.1:1',
    PLATFORM_API_KEY: 'k',
    PLATFORM_SECRET: 'not-a-secret',
  };
  const same = await reconWith(platform, 'verify');
  expect([same.status, same.stdout]).toEqual([
    0,
    expect.stringContaining('signed periods: 1 read, 0 not as signed'),
  ]);
  await onDatabase(async (db) => {
    await db.updateTable('run_account').set({ in_fen: 600n }).execute();
  });
  const altered = await reconWith(platform, 'verify');
  expect(altered.status).toBe(1);
  expect(altered.stdout).toContain('signed periods: 1 read, 1 not as signed');
  expect(altered.stdout).toMatch(/^2026-03-01 +not as signed +account A1 +in, yuan +5\.00 +6\.00 +1\.00$/m);
});

test('nobody signs while a night is at work', async () => {
  await onDatabase(async (db) => {
    await takeLease(db, { name: 'run', holder: 'a night' });
  });
  const held = await reconWith({}, 'sign-off', ...DAY, '--by', 'Li', ...CLOCK);
  expect([held.status, held.stderr]).toEqual([4, expect.stringContaining('another run holds the lock run')]);
});
