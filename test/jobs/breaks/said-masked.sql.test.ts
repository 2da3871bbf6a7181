/** What people say is kept in full, and no command shows the personal numbers in it (S6). */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { findBreaks } from '../../../src/store/runs/breaks.ts';
import { Books } from '../../helpers/company/books.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, onDatabase, file } = commandBooks();

/** Of the company itself, and so no secret, though as long as the number of a card. */
const OWN = '6225760000000001';
const CARD = '6222021234567890123';
const MOBILE = '13812345678';
const REASON = `转 ${CARD}，电 ${MOBILE}，见 ${OWN}`;
const SHOWN = `转 ****0123，电 138****5678，见 ${OWN}`;
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];
const BY = ['--by', '李娜', ...CLOCK];
let id = '';

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    const opening = '2026-03-01 00:00:00';
    await books.account(OWN, { fen: 0n, at: opening });
    await books.entries(OWN, [{ id: 'O', kind: 'opening', amountFen: 0n, at: opening }]);
    await books.proven(OWN, '2026-02-20', '2026-03-02');
    // Nobody says anything of D2.
    const deposits = ['D1', 'D2'].map((orderNo) => ({ orderNo, at: '2026-03-01 10:00:00', amountFen: 500n }));
    await books.deposits(OWN, deposits);
    await books.balance(OWN, { at: '2026-03-02 00:00:05', fen: 1_000n });
    await books.night('2026-03-01');
    const breaks = await db.selectFrom('break').select('break_id').where('reference', '=', 'D1').execute();
    id = breaks[0]?.break_id ?? '';
  });
});

/** Runs it, and holds all of its output against the numbers. @returns what it printed */
async function masked(...args: string[]): Promise<string> {
  const { stdout, stderr } = await reconWith({}, ...args);
  for (const number of [CARD, MOBILE]) expect(`${stdout}${stderr}`).not.toContain(number);
  return stdout;
}

test('what is said of a break is shown masked by the command that says it and by each that shows it', async () => {
  expect(await masked('breaks', 'note', id, '--text', REASON, ...BY)).toContain(SHOWN);
  expect(await masked('breaks', 'explain', id, '--reason', REASON, ...BY, '--json')).toContain(SHOWN);
  expect(await masked('breaks', 'list', ...CLOCK)).toContain(SHOWN);
  expect(await masked('breaks', 'list', ...CLOCK, '--json')).toContain(SHOWN);
  expect(await masked('breaks', 'show', id, ...CLOCK)).toContain(SHOWN);
  expect(await masked('breaks', 'show', id, ...CLOCK, '--json')).toContain(SHOWN);
  expect(await masked('explain', id, ...CLOCK, '--json')).toContain(SHOWN);
  const entries = await file('entries.csv', '');
  await masked('breaks', 'entries', id, '--out', entries, ...CLOCK);
  expect(await readFile(entries, 'utf8')).toContain(`${id}: ${SHOWN}`);
  const writeOff = ['breaks', 'write-off', id, '--reason', REASON, '--expires', '2026-03-31', ...BY];
  expect(await masked(...writeOff)).toContain(SHOWN);
  expect(await masked('breaks', 'show', id, ...CLOCK)).toContain(`write-off   ${SHOWN}; until 2026-03-31`);
  await onDatabase(async (db) => {
    const events = await db.selectFrom('break_event').select('details').execute();
    expect(events.filter(({ details }) => JSON.stringify(details).includes(REASON))).toHaveLength(3);
  });
});

test('what a filled-in list changes is told masked', async () => {
  const list = await file('list.csv', '');
  await masked('breaks', 'export', list, ...CLOCK);
  const text = await readFile(list, 'utf8');
  expect(text).toContain(SHOWN);
  const filled = await file('filled.csv', text.replace(SHOWN, `${SHOWN}！`));
  expect(await masked('breaks', 'import', filled, ...BY, '--dry-run', '--json')).toContain(SHOWN);
});

test('who writes on in a text that is shown masked writes on in the text itself', async () => {
  const list = await file('on.csv', '');
  await masked('breaks', 'export', list, ...CLOCK);
  const text = await readFile(list, 'utf8');
  const on = `已核 ${SHOWN.replace('见', '另 ****9999 见')}！`;
  await masked('breaks', 'import', await file('written-on.csv', text.replace(SHOWN, on)), ...BY);
  await onDatabase(async (db) => {
    const [found] = await findBreaks(db, { breakIds: [id], withClosed: true }, '2026-03-02');
    expect(JSON.stringify(found?.work)).toContain(`已核 ${REASON.replace('见', '另 ****9999 见')}！`);
  });
});

test('a mask that stands for two numbers is written on by nobody: the cell is told', async () => {
  const other = '6222031234567890123';
  await masked('breaks', 'note', id, '--text', `甲 ${CARD} 乙 ${other}`, ...BY);
  const list = await file('two.csv', '');
  await masked('breaks', 'export', list, ...CLOCK);
  const text = await readFile(list, 'utf8');
  const filled = await file('two-filled.csv', text.replace('甲 ****0123', '核 甲 ****0123'));
  const { status, stderr } = await reconWith({}, 'breaks', 'import', filled, ...BY);
  expect([status, stderr]).toEqual([2, expect.stringContaining('****0123 stands for two numbers here')]);
  expect(stderr).not.toContain(other);
  await masked('breaks', 'note', id, '--text', REASON, ...BY);
});

test('who said something is told masked: where it is said, where it is in the way, and where others are needed', async () => {
  const named = ['--by', `王五 ${MOBILE}`, ...CLOCK];
  const list = await file('named.csv', '');
  await masked('breaks', 'export', list, ...CLOCK);
  const text = await readFile(list, 'utf8');
  expect(await masked('breaks', 'note', id, '--text', 'anders', ...named)).toContain('as 王五 138****5678');
  const filled = await file('in-the-way.csv', text.replace(`！,${SHOWN}`, `！,再 ${SHOWN}`));
  for (const how of [[], ['--json']])
    expect(await masked('breaks', 'import', filled, ...named, '--dry-run', ...how)).toContain(
      '王五 138****5678 said so',
    );
  const writeOff = ['breaks', 'write-off', id, '--reason', REASON, '--expires', '2026-03-31'];
  expect(await masked(...writeOff, ...named, '--json')).toContain('"by":"王五 138****5678"');
  await masked('breaks', 'approve', id, ...named);
  await masked('breaks', 'assign', id, '--to', `${MOBILE}、`.repeat(10), ...BY);
});

test('the reason of a sign-off and what stood of breaks when it was signed are shown masked', async () => {
  const day = ['sign-off', '--day', '2026-03-01'];
  await masked('breaks', 'resolve', id, '--reason', REASON, ...BY);
  expect(await masked(...day, '--reason', REASON, '--with-open', ...BY, '--json')).toContain(SHOWN);
  expect(await masked('sign-off', '--list', ...CLOCK)).toContain(SHOWN.slice(0, 20));
  expect(await masked('sign-off', '--list', ...CLOCK, '--json')).toContain(SHOWN);
  expect(await masked(...day, '--show', ...CLOCK, '--json')).toContain(SHOWN);
  await onDatabase(async (db) => {
    const signed = db.selectFrom('signed_row').select('figures').where('key', '=', id);
    expect(JSON.stringify(await signed.execute())).toContain(CARD);
    await sql`
      update signed_row set figures = jsonb_set(figures, '{said,reason}', to_jsonb(${`${REASON}?`}::text))
      where key = ${id}`.execute(db);
  });
  const platform = {
    PLATFORM_URL: 'http://127.0.0.1:1',
    PLATFORM_API_KEY: 'k',
    PLATFORM_SECRET: 'not-a-secret',
  };
  const { status, stdout } = await reconWith(platform, 'verify', '--json');
  expect(status).toBe(1);
  for (const number of [CARD, MOBILE]) expect(stdout).not.toContain(number);
  expect(stdout).toContain('****0123');
  expect(await masked(...day, '--withdraw', '--reason', REASON, ...BY)).toContain(SHOWN);
  await masked(...day, '--reason', REASON, '--with-open', '--by', `王五 ${MOBILE}`, ...CLOCK);
  await masked(...day, '--approve', ...BY);
});
