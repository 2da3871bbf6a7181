/** `recon breaks …` by the executable: who may say what, of which breaks, and what is shown of it. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { faultsOf } from '../../helpers/cli.ts';
import { commandBooks } from '../command-books.ts';
import { nightOfBreaks } from '../night-of-breaks.ts';

const { reconWith, onDatabase, file } = commandBooks();

const PEOPLE = { RECON_PEOPLE: '李娜:preparer, Wang Wei:approver, Zhao:preparer+approver' };
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];

interface Shown {
  id: string;
  reference: string;
  status: string;
  workStatus: string;
  owner: string;
  reason: string;
  proposed: boolean;
}

const ids: Record<string, string> = {};

/** The embedded database is made by the first command. */
beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase(async (db) => {
    await nightOfBreaks(db, ['D1', 'D2', 'D3']);
    for (const row of await db.selectFrom('break').selectAll().execute()) ids[row.reference] = row.break_id;
  });
});

async function list(...filter: string[]): Promise<string[]> {
  const { stdout } = await reconWith({}, 'breaks', 'list', ...filter, ...CLOCK, '--json');
  const { breaks } = JSON.parse(stdout) as { breaks: Shown[] };
  return breaks.map((found) =>
    `${found.reference} ${found.status} ${found.workStatus} ${found.owner} ${found.reason}`.trim(),
  );
}

/** What a command refuses, sentence by sentence. */
async function refused(env: Record<string, string>, ...args: string[]): Promise<string[]> {
  const { status, stderr } = await reconWith(env, 'breaks', ...args, ...CLOCK);
  expect(status).toBe(2);
  return faultsOf(stderr);
}

test('a dry run shows what would change and changes nothing; done, it is listed, by status, owner and age', async () => {
  const say = ['breaks', 'assign', '--class', 'platform_only', '--to', 'wang  wei', '--by', '李娜', ...CLOCK];
  const dry = await reconWith(PEOPLE, ...say, '--dry-run');
  expect(dry.stdout).toContain('would change 3 (15.00 net) as 李娜; nothing was written');
  expect(await list('--status', 'open')).toHaveLength(3);
  const done = await reconWith(PEOPLE, ...say);
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toContain('changed 3 (15.00 net) as 李娜');
  expect((await reconWith(PEOPLE, ...say)).stdout).toBe('nothing to change; 3 are so already\n');
  for (const owner of ['WANG WEI', 'wangwei', 'Ｗａｎｇ　Ｗｅｉ', 'Wang-Wei', 'wang. wei']) {
    expect([owner, ...(await list('--owner', owner, '--age-min', '0'))]).toEqual([
      owner,
      'D1 open assigned Wang Wei',
      'D2 open assigned Wang Wei',
      'D3 open assigned Wang Wei',
    ]);
  }
  expect(await list('--owner', 'Wang W')).toEqual([]);
  expect(await list('--age-min', '1')).toEqual([]);
  // What it probably is stands in the language of the reports, in the table and in the document.
  const probably = '没有同额的已过账分录待匹配，疑似漏记 5.00';
  expect((await reconWith({}, 'breaks', 'list', ...CLOCK)).stdout).toContain(probably);
  const { stdout } = await reconWith({}, 'breaks', 'show', ids['D1'] ?? '', ...CLOCK, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ break: { reference: 'D1', suggestion: probably } });
  const english = await reconWith({ REPORT_LOCALE: 'en' }, 'breaks', 'show', ids['D1'] ?? '', ...CLOCK);
  expect(english.stdout).toContain(
    'probably    no posted entry of that amount is unmatched: 5.00 probably not booked',
  );
});

test('maker is not checker, whoever may be both; and each does what the list lets them', async () => {
  const { D1 = '', D2 = '' } = ids;
  const reason = ['--reason', '尾差', '--expires', '2026-03-31'];
  expect(await refused(PEOPLE, 'write-off', D1, ...reason, '--by', 'Wang Wei')).toEqual([
    'Wang Wei is approver in RECON_PEOPLE: this takes a preparer',
  ]);
  expect(await refused(PEOPLE, 'write-off', D1, ...reason, '--by', 'Wang Wie')).toEqual([
    '--by "Wang Wie" is none of RECON_PEOPLE (did you mean Wang Wei?): 李娜, Wang Wei, Zhao',
  ]);
  const zhao = { ...PEOPLE, RECON_USER: 'zhao' };
  const proposed = await reconWith(zhao, 'breaks', 'write-off', D1, D2, ...reason, ...CLOCK);
  expect(proposed.status).toBe(0);
  expect(proposed.stdout).toMatch(
    / assigned +assigned, write-off proposed +Wang Wei +尾差; until 2026-03-31$/m,
  );
  expect(await list('--proposed')).toEqual(['D1 open assigned Wang Wei', 'D2 open assigned Wang Wei']);
  expect(await refused(zhao, 'approve', '--proposed')).toEqual([
    `${D1} was proposed by Zhao: another person approves it`,
    `${D2} was proposed by Zhao: another person approves it`,
  ]);
  expect(await refused(PEOPLE, 'approve', D1)).toEqual([
    'nobody says this: give who does with --by NAME or RECON_USER',
  ]);
  // What is approved is what was looked at, also where a filter chose it.
  const approve = ['breaks', 'approve', '--proposed', '--by', 'Wang Wei', ...CLOCK];
  const digestOf = async (until: string): Promise<string> => {
    const looked = await reconWith(PEOPLE, ...approve, '--dry-run', '--json');
    const { digest } = JSON.parse(looked.stdout) as { digest: string };
    const text = await reconWith(PEOPLE, ...approve, '--dry-run');
    expect(text.stdout).toContain(`\nto approve these and nothing else: --shown ${digest}\n`);
    expect(text.stdout).toContain(` 尾差; until ${until}; proposed by Zhao\n`);
    return digest;
  };
  const listed = await reconWith({}, 'breaks', 'list', '--proposed', ...CLOCK);
  expect(listed.stdout).toMatch(/ assigned, write-off proposed +Wang Wei +尾差 /);
  const seen = await digestOf('2026-03-31');
  const longer = [D2, '--reason', '尾差', '--expires', '2030-12-31'];
  expect((await reconWith(zhao, 'breaks', 'write-off', ...longer, ...CLOCK)).status).toBe(0);
  expect(await digestOf('2030-12-31')).not.toBe(seen);
  expect(await refused(PEOPLE, 'approve', '--proposed', '--by', 'Wang Wei', '--shown', seen)).toEqual([
    `nothing was changed: what awaits approval is not what --dry-run showed as ${seen}; look at it again`,
  ]);
  expect(await refused(PEOPLE, 'approve', D1, '--by', 'Wang Wei', '--shown', 'abc')).toEqual([
    '--shown "abc" is no digest: 12 digits or letters a to f, as --dry-run prints them',
  ]);
  expect((await reconWith(zhao, 'breaks', 'write-off', D1, D2, ...reason, ...CLOCK)).status).toBe(0);
  expect(await digestOf('2026-03-31')).toBe(seen);
  const one = ['breaks', 'approve', D1, '--by', 'Wang Wei', ...CLOCK];
  const looked = JSON.parse((await reconWith(PEOPLE, ...one, '--dry-run', '--json')).stdout) as object;
  const { digest = '' } = looked as { digest?: string };
  expect((await reconWith(PEOPLE, ...one, '--shown', digest)).status).toBe(0);
  expect(await list('--status', 'written-off')).toEqual(['D1 open written_off Wang Wei 尾差']);
  const shown = await reconWith({}, 'breaks', 'show', D1, ...CLOCK);
  expect(shown.stdout).toContain('status      written off');
  expect(shown.stdout).toContain(
    'write-off   尾差; until 2026-03-31; proposed by Zhao, approved by Wang Wei',
  );
  expect(shown.stdout).toMatch(/ opened +recon .* class: platform_only; difference, yuan: 5\.00$/m);
  expect(shown.stdout).toMatch(
    / written_off +Wang Wei +reason: 尾差; expires: 2026-03-31; proposed by: Zhao$/m,
  );
  const after = await reconWith({}, 'breaks', 'show', D1, '--clock', '2026-04-01T02:00:00Z');
  expect(after.stdout).toContain('status      expired');
  expect(after.stdout).toContain('approved by Wang Wei, no longer in force');
});

test('what is wrong with a call is named at once, and nothing is said', async () => {
  expect(await refused({}, 'explain', '--by', 'x', '--reason', 'y')).toEqual([
    'name the breaks: by their ids, or by --account, --class, --status, --owner, --age-min, --proposed',
  ]);
  expect(await refused({}, 'explain', 'B1', '--class', 'fee', '--by', 'x', '--reason', 'y')).toEqual([
    'name breaks by their ids or by a filter, not by both',
  ]);
  expect(await refused({}, 'explain', 'B1', 'B2', '--by', 'x', '--reason', 'y')).toEqual([
    'there is no break "B1"',
    'there is no break "B2"',
  ]);
  expect(
    await refused({}, 'write-off', 'B1', '--by', 'x', '--reason', 'y', '--expires', '2026-03-01'),
  ).toEqual(['--expires 2026-03-01 is over already (today is 2026-03-02)']);
  expect(await refused({}, 'action', 'B1', '--by', 'x', '--take', 'revers')).toEqual([
    '--take "revers" is no action (did you mean reverse?): book, reverse, correct_amount, correct_account, ask_platform, wait, none',
  ]);
  expect(await refused({}, 'list', '--status', 'assinged')).toEqual([
    '--status "assinged" is no status (did you mean assigned?): open, assigned, explained, resolved, written_off, expired',
  ]);
  const settings = { RECON_PEOPLE: 'Li Na:boss,Wang:approver,wang:preparer,李娜:preparer,李 娜:approver' };
  expect(await refused(settings, 'list')).toEqual([
    'RECON_PEOPLE takes NAME:ROLE by commas (李娜:preparer,王伟:approver; roles preparer, approver, both with +): "Li Na:boss"',
    'RECON_PEOPLE names "wang" more than once',
    'RECON_PEOPLE names "李 娜" more than once',
  ]);
});

test('an export is filled in and read back, as a workbook or as CSV; who may not say so is refused', async () => {
  const { D2 = '' } = ids;
  const path = await file('list.csv', '');
  const exported = await reconWith({}, 'breaks', 'export', path, '--owner', 'Wang Wei', ...CLOCK, '--json');
  expect(exported.stderr).toBe('');
  expect(JSON.parse(exported.stdout)).toMatchObject({ file: path, run: 'nightly-2026-03-01-v1', rows: 3 });
  const lines = (await readFile(path, 'utf8')).trim().split('\r\n');
  const [header = '', ...rows] = lines.map((line) => line.replace('\ufeff', ''));
  const remark = header.split(',').indexOf('备注');
  const filled = rows.map((row) => {
    const cells = row.split(',');
    if (cells.includes(D2)) cells[remark] = "'=1+1 asked the platform";
    return cells.join(',');
  });
  const back = await file('back.csv', ['\ufeff' + header, ...filled].join('\n'));
  const dry = await reconWith(PEOPLE, 'breaks', 'import', back, '--by', 'zhao', '--dry-run', ...CLOCK);
  expect([dry.status, dry.stderr]).toEqual([0, '']);
  expect(dry.stdout).toMatch(/ +备注 +=1\+1 asked the platform$/m);
  expect(dry.stdout).toContain('would change 1 of 3 breaks, 1 cell, as Zhao; nothing was written');
  expect(await refused(PEOPLE, 'import', back, '--by', 'Wang Wei')).toEqual([
    'Wang Wei is approver in RECON_PEOPLE: this takes a preparer',
  ]);
  const book = path.replace('.csv', '.xlsx');
  await reconWith({ REPORT_LOCALE: 'en' }, 'breaks', 'export', book, '--class', 'platform_only', ...CLOCK);
  const nothing = await reconWith({}, 'breaks', 'import', book, '--by', 'x', ...CLOCK, '--json');
  expect(JSON.parse(nothing.stdout)).toMatchObject({ changed: 0, unchanged: 0, conflicts: [], rows: 3 });
  expect(await refused({}, 'export', 'list.txt')).toEqual(['"list.txt" must end in .xlsx or .csv']);
});

test('verify reads every word of it again: what is altered is named, and a paper is held against it', async () => {
  const platform = {
    PLATFORM_URL: 'http://127.0.0.1:1',
    PLATFORM_API_KEY: 'k',
    PLATFORM_SECRET: 'not-a-secret',
  };
  const verify = (...args: string[]) => reconWith(platform, 'verify', ...args);
  let head = '';
  let third = '';
  await onDatabase(async (db) => {
    const trail = await verifyTrail(db);
    expect([trail.faults, trail.events]).toEqual([[], 11n]);
    head = trail.head;
    const rows = await db.selectFrom('break_event').select('digest').where('trail_no', '=', 3n).execute();
    third = rows[0]?.digest ?? '';
  });
  const whole = await verify('--trail', `3:${third.slice(0, 16)}`, '--trail', head);
  expect(whole.status).toBe(0);
  expect(whole.stdout).toMatch(
    /^audit trail: 11 events read, up to 11:[0-9a-f]{64}; \d+ digests .*; it is as it was written$/m,
  );
  expect(await wrongHead(verify)).toEqual([
    '--trail takes NUMBER:DIGEST as a workbook\'s summary states it, at least 16 digits of it: "3:abc"',
  ]);
  await onDatabase(async (db) => {
    await db.updateTable('break_event').set({ actor: 'Zhao' }).where('trail_no', '=', 4n).execute();
  });
  const altered = await verify('--trail', `3:${'0'.repeat(16)}`);
  expect(altered.status).toBe(1);
  expect(altered.stdout).toMatch(
    /^ +3 +head +event 3 has the digest [0-9a-f]{64}; --trail 3:0{16} kept 0{16}/m,
  );
  expect(altered.stdout).toMatch(
    /^ +4 +altered +event 4 \(assigned of B[0-9a-f]{15} by Zhao at .*\) is not as it was written$/m,
  );
});

async function wrongHead(verify: (...args: string[]) => ReturnType<typeof reconWith>): Promise<string[]> {
  const { status, stderr } = await verify('--trail', '3:abc');
  expect(status).toBe(2);
  return faultsOf(stderr);
}
