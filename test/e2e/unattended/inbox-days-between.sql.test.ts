/** Books of several days that come in one file: what is refused or withdrawn of them holds all of these days. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { FIRST, NOTHING, WRONG, openInbox, said, verdicts } from './inbox-world.ts';
import type { InboxWorld } from './inbox-world.ts';
import { withdraw } from '../../intake/books.ts';

let world: InboxWorld;
let night: Night;
let deliver: InboxWorld['deliver'];

beforeEach(async () => {
  world = await openInbox();
  ({ night, deliver } = world);
  await deliver('ledger/erp/2026-03-10.csv', FIRST);
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
  night.moveTo('2026-03-14 02:00:00');
});
afterEach(() => world.close());

const REFUSED = WRONG.replace('A1,', 'nobody,');
const held = (of: string): string =>
  `A1 incomplete the ledger is complete only to an instant before the cut (${of}: a file of 2026-03-12 failed, waits or was withdrawn)`;
const HELD = held('erp to 2026-03-11 00:00:00');

test('that are refused after a later file had stated these days whole', async () => {
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-13'))).toEqual(['A1 reconciled']);
  await deliver('ledger/erp/2026-03-11_2026-03-12.csv', REFUSED);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
  await deliver('ledger/erp/2026-03-11_2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-13'))).toEqual(['breaks']);
});

test('of which another file of their last day was taken in', async () => {
  await deliver('ledger/erp/cash-2026-03-12.csv', NOTHING);
  await deliver('ledger/erp/bank-2026-03-12.csv', REFUSED);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
  await deliver('ledger/erp/bank-2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-13'))).toEqual(['breaks']);
});

test('that are withdrawn while another file of their last day stands', async () => {
  await deliver('ledger/erp/cash-2026-03-12.csv', NOTHING);
  await deliver('ledger/erp/bank-2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-12'))).toEqual(['breaks']);
  await withdraw(night.db, { file: 'bank-2026-03-12.csv' });
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
});

test('that are withdrawn and had entries of the last of them alone', async () => {
  const ofLast = WRONG.replace('2026-03-11', '2026-03-12');
  await deliver('ledger/erp/2026-03-12.csv', ofLast);
  expect(verdicts(await night.settlingNight('2026-03-12'))).toEqual(['breaks']);
  await withdraw(night.db, { file: '2026-03-12.csv' });
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([HELD]);
  await deliver('ledger/erp/2026-03-12.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-12'))).toEqual(['A1 reconciled']);
});

test('with which another ledger begins, and of whose last day another file was taken in', async () => {
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  await deliver('ledger/pos/cash-2026-03-12.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-12'))).toEqual(['A1 reconciled']);
  await deliver('ledger/pos/bank-2026-03-12.csv', REFUSED);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('pos is whole to no day')]);
  await deliver('ledger/pos/bank-2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['breaks']);
});

test('with which another ledger begins, and of which a later file was taken in', async () => {
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  await deliver('ledger/pos/2026-03-11_2026-03-12.csv', REFUSED);
  await deliver('ledger/pos/2026-03-13.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('pos is whole to no day')]);
  await deliver('ledger/pos/2026-03-11_2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['breaks']);
});

test('with which another ledger begins, and which are refused after a later file was taken in', async () => {
  await deliver('ledger/erp/2026-03-13.csv', NOTHING);
  await deliver('ledger/pos/2026-03-13.csv', NOTHING);
  expect(said(await night.settlingNight('2026-03-13'))).toEqual(['A1 reconciled']);
  await deliver('ledger/pos/2026-03-11_2026-03-12.csv', REFUSED);
  expect(said(await night.settlingNight('2026-03-11'))).toEqual([held('pos is whole to no day')]);
  await deliver('ledger/pos/2026-03-11_2026-03-12.csv', WRONG);
  expect(verdicts(await night.settlingNight('2026-03-11'))).toEqual(['breaks']);
});
