/** A night whose inbox holds what nobody meant: files of two days, of no day, twice, or under names that nobody can read. */
import { readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { FIRST, INCOMPLETE, NOTHING, WRONG, openInbox, said, verdicts } from './inbox-world.ts';
import type { InboxWorld } from './inbox-world.ts';
import { withdraw } from '../../intake/books.ts';

let world: InboxWorld;
let night: Night;
let inbox: string;
let deliver: InboxWorld['deliver'];

beforeEach(async () => {
  world = await openInbox();
  ({ night, inbox, deliver } = world);
  await deliver('ledger/erp/2026-03-10.csv', FIRST);
});
afterEach(() => world.close());

const held = (day: string): string =>
  `A1 incomplete ${INCOMPLETE} (erp to ${day} 00:00:00: a file of ${day} failed, waits or was withdrawn)`;

test('of two days with the same file the one whose file is withdrawn is not whole, and the other one stays', async () => {
  await deliver('ledger/erp/2026-03-11.csv', WRONG);
  await deliver('ledger/erp/2026-03-12.csv', WRONG);
  night.moveTo('2026-03-13 02:00:00');
  expect(verdicts(await night.settlingNight('2026-03-12'))).toEqual(['breaks']);
  const done = (day: string): string => path.join(inbox, `done/2026-03-13/ledger/erp/${day}.csv`);
  expect(await withdraw(night.db, { file: done('2026-03-12') })).toMatchObject({
    file: { name: '2026-03-12.csv' },
  });
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([held('2026-03-12')]);
  await withdraw(night.db, { file: '2026-03-11.csv' });
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([held('2026-03-12')]);
  await deliver('ledger/erp/2026-03-12.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-12'))).toEqual(['A1 reconciled']);
});

test('what lies where a file that was taken in could not be moved, with its time and another content, is tried', async () => {
  await night.settlingNight('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  await deliver('done/2026-03-12', 'in the way');
  await expect(night.settlingNight('2026-03-11')).rejects.toThrow('cannot move');
  await rm(path.join(inbox, 'done/2026-03-12'));
  await deliver('ledger/erp/2026-03-11.csv', WRONG.replace('A1,', 'nobody,'));
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('2026-03-11')]);
});

test('a file under a name that is no UTF-8, as `银行` in GBK, is in no books, and its day is not whole', async () => {
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  const bank = Buffer.from([0xd2, 0xf8, 0xd0, 0xd0]);
  await deliver(Buffer.concat([Buffer.from('ledger/erp/'), bank, Buffer.from('-2026-03-11.csv')]), WRONG);
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('2026-03-11')]);
});

test.each([
  ['a file of no day', 'ledger/erp/bank.csv'],
  ['a file in a folder of its day', 'ledger/erp/2026-03-11/bank.csv'],
  ['a file of no day that lies too deep', 'ledger/erp/bank/latest.csv'],
] as const)('%s is in no books, and the last day that is over is not whole', async (_what, name) => {
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  await deliver(name, WRONG);
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('2026-03-11')]);
  await rm(path.join(inbox, name), { force: true });
  await deliver('ledger/erp/bank-2026-03-11.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['breaks']);
});

test('what is refused for its name takes back a day that was whole, and a folder that is a link holds one', async () => {
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  night.moveTo('2026-03-12 02:00:00');
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['reconciled']);
  await deliver('ledger/erp/bank.csv', WRONG);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('2026-03-11')]);
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['reconciled']);
  night.moveTo('2026-03-13 02:00:00');
  await symlink('/var/bank', path.join(inbox, 'ledger/erp/bank'));
  await deliver('ledger/erp/2026-03-12.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([held('2026-03-12')]);
});

test('what failed is delivered again with the list of its faults beside it, and the day is whole', async () => {
  await deliver('ledger/erp/2026-03-11.csv', WRONG.replace('A1,', 'nobody,'));
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('2026-03-11')]);
  const failed = path.join(inbox, 'failed/2026-03-12/ledger/erp/2026-03-11.csv.faults.txt');
  await deliver('ledger/erp/2026-03-11.csv.faults.txt', await readFile(failed, 'utf8'));
  await deliver('ledger/erp/2026-03-11.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(['A1 reconciled']);
});
