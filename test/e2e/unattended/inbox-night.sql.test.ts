/** A night that takes its files from the inbox: without the ledger of its day it says so and is not green. */
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { INCOMPLETE, openInbox, said } from './inbox-world.ts';
import type { InboxWorld } from './inbox-world.ts';
import { withdraw } from '../../intake/books.ts';
import { ledgerCsv } from '../../helpers/company/company-files.ts';

let world: InboxWorld;
let night: Night;
let inbox: string;
let deliver: InboxWorld['deliver'];

beforeEach(async () => {
  world = await openInbox();
  ({ night, inbox, deliver } = world);
});
afterEach(() => world.close());

test('no ledger has ever come; then it comes; then the next one does not', async () => {
  expect(said(await night.settlingNight('2026-03-10'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (no ledger has come yet)`,
  ]);
  const entries = [{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }];
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv(entries));
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00)`,
  ]);
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(['A1 reconciled']);
});

test('a ledger that came and says of no day that it is whole is not called none', async () => {
  await night.settlingNight('2026-03-10');
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
  expect(said(await night.settlingNight('2026-03-10'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (no ledger says until when it is whole)`,
  ]);
});

test('what the books of a day that failed would have had is no difference of the next night, which says so', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await night.settlingNight('2026-03-10');
  night.moveTo('2026-03-13 02:00:00');
  // Nothing moved on that day, and the books say that it did.
  const wrong = { id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' };
  const faulty = ledgerCsv([wrong]).replace('A1,', 'nobody,');
  await deliver('ledger/erp/2026-03-11.csv', faulty);
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([wrong]));
  expect(said(await night.settlingNight('2026-03-12')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
});

test('books of several days that failed hold all days since the file before, which no later file has', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await night.settlingNight('2026-03-10');
  night.moveTo('2026-03-15 02:00:00');
  // Of a weekend, by the last day it is complete for. Nothing moved on the first one, and the books say that it did.
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-12.csv', wrong.replace('A1,', 'nobody,'));
  await deliver('ledger/erp/2026-03-13.csv', ledgerCsv([]));
  const missing = [
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-12 failed, waits or was withdrawn)`,
  ];
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(missing);
  await deliver('ledger/erp/2026-03-14.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(missing);
  await deliver('ledger/erp/2026-03-12.csv', wrong);
  for (const day of ['2026-03-11', '2026-03-14'])
    expect(said(await night.settlingNight(day)).map((text) => text.split(' ')[1])).toEqual(['breaks']);
  await withdraw(night.db, { file: '2026-03-12.csv' });
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(missing);
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
});

test('books that begin with a file that failed are whole to no day because a later one came', async () => {
  await night.settlingNight('2026-03-10');
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
  night.moveTo('2026-03-15 02:00:00');
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-12.csv', wrong.replace('A1,', 'nobody,'));
  await deliver('ledger/erp/2026-03-13.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp is whole to no day: a file of 2026-03-12 failed, waits or was withdrawn)`,
  ]);
  await deliver('ledger/erp/2026-03-12.csv', wrong);
  expect(said(await night.settlingNight('2026-03-13')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
});

test('books that whoever delivers never finished writing are missing too, until those of their day are taken in', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await night.settlingNight('2026-03-10');
  night.moveTo('2026-03-13 02:00:00');
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-11.csv.part', wrong);
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
  // What lies there unfinished beside it, and stays, is what was left behind.
  await deliver('ledger/erp/2026-03-11.csv', wrong);
  expect(said(await night.settlingNight('2026-03-12')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
  night.moveTo('2026-03-14 02:00:00');
  await deliver('ledger/erp/2026-03-13.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-13')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
});

test('the first file of another ledger is refused: the night does not pass for whole without it', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  const wrong = ledgerCsv([{ id: 'P1', account: 'A1', fen: 7n, at: '2026-03-11 10:00:00', reference: 'D9' }]);
  await deliver('ledger/pos/2026-03-11.csv', wrong.replace('A1,', 'nobody,'));
  const refused = [
    `A1 incomplete ${INCOMPLETE} (pos has not come yet: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ];
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([]));
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(refused);
  // It began only then.
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
  await deliver('ledger/pos/2026-03-11.csv', wrong);
  expect(said(await night.settlingNight('2026-03-11')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
});

test('an inbox that is not there keeps no night from being proven, and the command fails with it', async () => {
  await night.settlingNight('2026-03-10');
  await rm(inbox, { recursive: true });
  await expect(night.settlingNight('2026-03-10')).rejects.toThrow('the inbox cannot be read');
  const runs = await night.db.selectFrom('run').select('verdict').execute();
  expect(runs.map(({ verdict }) => verdict)).toEqual(['incomplete']);
});

test('books that come late for a day that later files stated whole, and are refused, are missing too', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  night.moveTo('2026-03-13 02:00:00');
  expect(said(await night.settlingNight('2026-03-12'))).toEqual(['A1 reconciled']);
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-11.csv', wrong.replace('A1,', 'nobody,'));
  await deliver('ledger/erp/2026-03-13.csv', ledgerCsv([]));
  night.moveTo('2026-03-14 02:00:00');
  expect(said(await night.settlingNight('2026-03-13'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
  await deliver('ledger/erp/2026-03-11.csv', wrong);
  expect(said(await night.settlingNight('2026-03-13')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
});

test('a second file of a day that is still written, or refused after the first was taken in, is missing too', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-10 19:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/am-2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await deliver('ledger/erp/pm-2026-03-10.csv.part', wrong);
  const missing = [
    `A1 incomplete ${INCOMPLETE} (erp is whole to no day: a file of 2026-03-10 failed, waits or was withdrawn)`,
  ];
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(missing);
  await rm(path.join(inbox, 'ledger/erp/pm-2026-03-10.csv.part'));
  await deliver('ledger/erp/am-2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
  await deliver('ledger/erp/pm-2026-03-10.csv', wrong.replace('A1,', 'nobody,'));
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(missing);
});

test('what lies in the folder of a ledger and is no regular file holds its day', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  await symlink('/var/erp/2026-03-11.csv', path.join(inbox, 'ledger/erp/2026-03-11.csv'));
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  night.moveTo('2026-03-13 02:00:00');
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
});

test('a file of the inbox that a person withdraws states its day no more', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-11.csv', wrong);
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  night.moveTo('2026-03-13 02:00:00');
  expect(said(await night.settlingNight('2026-03-12')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
  await withdraw(night.db, { file: '2026-03-11.csv' });
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-12'))).toEqual(['A1 reconciled']);
});

test('a file that was delivered under the name of another day, withdrawn and delivered anew states its own', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/2026-03-12.csv', wrong);
  night.moveTo('2026-03-13 02:00:00');
  await night.settlingNight('2026-03-12');
  await withdraw(night.db, { file: '2026-03-12.csv' });
  await deliver('ledger/erp/2026-03-11.csv', wrong);
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-12')).map((text) => text.split(' ')[1])).toEqual(['breaks']);
  await withdraw(night.db, { file: path.join(inbox, 'done/2026-03-13/ledger/erp/2026-03-11.csv') });
  expect(said(await night.settlingNight('2026-03-12'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
});

test('of days without entries the file of one is withdrawn, and those before it stay whole', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13'])
    await deliver(`ledger/erp/${day}.csv`, ledgerCsv([]));
  night.moveTo('2026-03-14 02:00:00');
  expect(said(await night.settlingNight('2026-03-13'))).toEqual(['A1 reconciled']);
  await withdraw(night.db, { file: '2026-03-12.csv' });
  expect(said(await night.settlingNight('2026-03-13'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-12 00:00:00: a file of 2026-03-12 failed, waits or was withdrawn)`,
  ]);
  await deliver('ledger/erp/2026-03-12.csv', ledgerCsv([]));
  expect(said(await night.settlingNight('2026-03-13'))).toEqual(['A1 reconciled']);
});

test('what was left behind beside a file that is in the books holds its day no more than before', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  const first = ledgerCsv([{ id: 'E1', ...entry }]);
  await deliver('ledger/erp/2026-03-10.csv', first.replace('A1,', 'nobody,'));
  await deliver('ledger/erp/2026-03-11.csv.part', ledgerCsv([]));
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([]));
  night.moveTo('2026-03-12 02:00:00');
  await night.settlingNight('2026-03-11');
  // Day 10 is held still, and nothing has reached day 11.
  await night.settlingNight('2026-03-11');
  await deliver('ledger/erp/2026-03-10.csv', first);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual(['A1 reconciled']);
});

test('a ledger file that lies too deep is in no books, and its day is not whole', async () => {
  const entry = { account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await deliver('ledger/erp/2026-03-10.csv', ledgerCsv([{ id: 'E1', ...entry }]));
  const wrong = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
  await deliver('ledger/erp/shop/2026-03-11.csv', wrong);
  await deliver('ledger/erp/2026-03-11.csv', ledgerCsv([]));
  night.moveTo('2026-03-12 02:00:00');
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([
    `A1 incomplete ${INCOMPLETE} (erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn)`,
  ]);
});
