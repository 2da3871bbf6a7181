/** Books of several days that come in one file: what is refused or withdrawn of them holds all of these days. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night } from '../../helpers/night.ts';
import type { NightOutcome } from '../../helpers/findings.ts';
import { withdraw } from '../../intake/books.ts';
import { accountsCsv, ledgerCsv } from '../../helpers/company/company-files.ts';

let night: Night;
let inbox: string;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  inbox = await mkdtemp(path.join(os.tmpdir(), 'recon-inbox-'));
  night.settings['INTAKE_INBOX'] = inbox;
  night.sandbox.seedAccounts([{ accountNo: 'A1', balanceFen: 1_000n }]);
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  await deliver(
    'accounts/list.csv',
    accountsCsv([{ no: 'A1', opening: { fen: 1_000n, at: '2026-03-08 00:00:00' } }]),
  );
  await deliver('ledger/erp/2026-03-10.csv', FIRST);
  expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
  night.moveTo('2026-03-14 02:00:00');
});
afterEach(async () => {
  await night.close();
  await rm(inbox, { recursive: true, force: true });
});

async function deliver(name: string, text: string): Promise<void> {
  const to = path.join(inbox, name);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, text);
  const longAgo = new Date('2026-01-01T00:00:00Z');
  await utimes(to, longAgo, longAgo);
}

const said = ({ result }: NightOutcome): string[] =>
  result.accounts.map(({ accountNo, verdict, reason }) => `${accountNo} ${verdict} ${reason}`.trim());
const verdicts = (one: NightOutcome): string[] => one.result.accounts.map(({ verdict }) => verdict);

const FIRST = ledgerCsv([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
const NOTHING = ledgerCsv([]);
/** Nothing moved on the first of these days, and the books say that it did. */
const WRONG = ledgerCsv([{ id: 'E2', account: 'A1', fen: 7n, at: '2026-03-11 09:00:00', reference: 'D9' }]);
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
