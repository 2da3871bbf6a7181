/**
 * Books whose entries have other ids by now, or another source, say the same: what was wrong with an entry that states no
 * reference stays the same break (3.11).
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskFiles } from '../../src/core/files.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import { withdrawLedger } from '../../src/intake/withdraw-ledger.ts';
import { ledgerCsv } from '../helpers/company/company-files.ts';
import type { BookLine } from '../helpers/company/company-files.ts';
import { Night, findingsOf, zone } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
});
afterEach(() => night.close());

const booked = (...ids: readonly string[]): BookLine[] =>
  ids.map((id) => ({ id, account: 'A1', fen: 500n, at: '2026-03-10 10:00:00' }));

/** Each with its id: `B1 item key, first day, status`. */
async function breaks(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('break')
    .selectAll()
    .orderBy('first_day')
    .orderBy('break_id')
    .execute();
  return rows.map((row) => `${row.break_id} ${row.item_key}, ${row.first_day}, ${row.status}`);
}

async function idsOf(status: 'open' | 'closed'): Promise<string[]> {
  const rows = await night.db.selectFrom('break').selectAll().where('status', '=', status).execute();
  return rows.map((row) => `${row.break_id} ${row.first_day}`).toSorted();
}

test('3.11 a booking too much keeps its break when the books give all their entries other ids', async () => {
  await night.entries(booked('E1', 'E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');
  expect(told).toHaveLength(1);

  night.moveTo('2026-03-12 02:00:00');
  await night.entries(booked('N1', 'N2'), { replace: true });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 N2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test.each([
  ['Y', 'Z'],
  ['Z', 'Y'],
])('3.11 of a booking that is parted into references %s and %s the first keeps the break', async (...to) => {
  const parted = (...references: readonly string[]): BookLine[] =>
    booked('E1', 'E2').map((entry, n) => ({ ...entry, reference: references[n] ?? '' }));
  await night.entries([...booked('E0'), ...parted('X', 'X')]);
  const [told] = (await night.night('2026-03-10')).result.breaks;

  night.moveTo('2026-03-12 02:00:00');
  await night.entries([...booked('E0'), ...parted(...to)], { replace: true });
  const { breaks: found } = (await night.night('2026-03-11')).result;
  expect(found).toMatchObject([{ id: told?.id, reference: 'Y' }, { reference: 'Z' }]);
});

test('3.11 of two bookings too much one ends where the books with other ids have one less', async () => {
  await night.entries(booked('E1', 'E2', 'E3'));
  await night.night('2026-03-10');
  const told = await idsOf('open');
  expect(told).toHaveLength(2);

  night.moveTo('2026-03-12 02:00:00');
  await night.entries(booked('N1', 'N2'), { replace: true });
  const { result } = await night.night('2026-03-11');
  expect(result.run.verdict).toBe('breaks');
  const [open, closed] = [await idsOf('open'), await idsOf('closed')];
  expect([open.length, closed.length]).toEqual([1, 1]);
  expect([...open, ...closed].toSorted()).toEqual(told);

  night.moveTo('2026-03-13 02:00:00');
  await night.entries(booked('N1'), { replace: true });
  expect((await night.night('2026-03-12')).result.run.verdict).toBe('reconciled');
  expect(await idsOf('closed')).toEqual(told);
  expect(await breaks()).toHaveLength(2);
});

test('3.11 a booking too much keeps its break when the one that is right has another id', async () => {
  await night.entries(booked('E1', 'E2'));
  expect(findingsOf(await night.night('2026-03-10'))).toEqual(['ledger_only A1 E2 -500']);
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  await night.entries(booked('N1', 'E2'), { replace: true });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 a booking too much that is changed keeps its break when the one that is right has another id', async () => {
  await night.entries(booked('E1', 'E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  const changed = booked('E2').map((line) => ({ ...line, at: '2026-03-10 10:05:00' }));
  await night.entries([...booked('N1'), ...changed], { replace: true });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 two bookings too much keep their breaks, whichever of them has another id first', async () => {
  await night.entries(booked('E1', 'E2', 'E3'));
  await night.night('2026-03-10');
  const told = await idsOf('open');
  const [first = ''] = (await breaks()).map((text) => text.replace(/^.*erp\/(E\d),.*$/, '$1'));

  night.moveTo('2026-03-12 02:00:00');
  await night.entries(booked('E1', 'N1', first), { replace: true });
  await night.entries(booked('E1', 'N1', 'N2'), { replace: true });
  await night.night('2026-03-11');
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 a booking too much keeps its break when the books are withdrawn and taken in as another source', async () => {
  await night.entries(booked('E1', 'E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  const { db, clock, log } = night;
  await withdrawLedger({ db, clock, log, zone, files: diskFiles(), source: 'erp', confirmed: true });
  const file = path.join(night.home, 'books.csv');
  await writeFile(file, ledgerCsv(booked('E1', 'E2')));
  await importLedger({ db, clock, log, zone, path: file, source: 'books', replace: false });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

/** Takes in a file of that name beside the others, and takes out another one. */
async function exchange(file: string, lines: readonly BookLine[], old: string): Promise<void> {
  const { db, clock, log } = night;
  await takeIn(file, lines);
  const path = inHome(old);
  await withdrawLedger({
    db,
    clock,
    log,
    zone,
    files: diskFiles(),
    source: 'erp',
    file: path,
    confirmed: true,
  });
}

async function takeIn(file: string, lines: readonly BookLine[]): Promise<void> {
  const { db, clock, log } = night;
  await writeFile(inHome(file), ledgerCsv(lines));
  await importLedger({ db, clock, log, zone, path: inHome(file), source: 'erp', replace: false });
}

const inHome = (file: string): string => path.join(night.home, file);

test('3.11 a booking too much keeps its break when a file with other ids is taken in before the old one is withdrawn', async () => {
  await takeIn('old.csv', booked('E1', 'E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  await exchange('new.csv', booked('N1', 'N2'), 'old.csv');
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 N2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 a booking too much keeps its break when the right one has another id before its file is withdrawn', async () => {
  await takeIn('old.csv', booked('E1'));
  await takeIn('other.csv', booked('E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  await exchange('new.csv', booked('N1'), 'old.csv');
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 a booking too much keeps its break when books with other ids state other times of its day', async () => {
  await night.entries(booked('E1', 'E2'));
  await night.night('2026-03-10');
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  const dated = booked('N1', 'N2').map((line) => ({ ...line, at: '2026-03-10 00:00:00' }));
  await night.entries(dated, { replace: true });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 N2 -500']);
  expect(await idsOf('open')).toEqual(told);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 a booking too much keeps its break when it has another id, as does one that is not posted yet', async () => {
  const [first, second] = booked('E1', 'E2') as [BookLine, BookLine];
  await night.entries([{ ...first, status: 'pending' }, second]);
  const told = ['ledger_only A1 E2 -500', 'pending A1 D1 500'];
  expect(findingsOf(await night.night('2026-03-10'))).toEqual(told);
  const ids = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  await night.entries(
    [
      { ...second, id: 'N1' },
      { ...first, id: 'N2', status: 'pending' },
    ],
    { replace: true },
  );
  expect(findingsOf(await night.night('2026-03-11'))).toEqual([
    'ledger_only A1 N1 -500',
    'pending A1 D1 500',
  ]);
  expect(await idsOf('open')).toEqual(ids);
  expect(await idsOf('closed')).toEqual([]);
});

test('3.11 an adjustment that clears nothing keeps its break under another id', async () => {
  const adjusted = (id: string): BookLine => ({
    id,
    account: 'A1',
    kind: 'adjustment',
    fen: 7n,
    at: '2026-03-10 11:00:00',
  });
  await night.entries([...booked('E1'), adjusted('J1')]);
  expect(findingsOf(await night.night('2026-03-10'))).toEqual(['ledger_only A1 J1 -7']);
  const told = await idsOf('open');

  night.moveTo('2026-03-12 02:00:00');
  await night.entries([...booked('E1'), adjusted('K1')], { replace: true });
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 K1 -7']);
  expect(await idsOf('open')).toEqual(told);
});
