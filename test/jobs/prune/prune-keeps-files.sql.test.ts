/** Which files and alerts `recon prune` never removes, because somebody would miss them. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { LATER, isThere, oldBooks, pruneOf, sign, toldOf, verified } from './old-books.ts';

let night: Night;
afterEach(() => night.close());

test('a version that found what is open still keeps its files', async () => {
  night = await oldBooks({ unbooked: true });
  await night.db.updateTable('break').set({ first_run: 'nightly-2026-03-01-v1' }).execute();
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'versions')).toBe('goes 0 · open_break 3');
  expect(await isThere(night, 'reports', '2026-03-01', 'v1', 'result.json')).toBe(true);
});

test('a version that was signed stays although it was restated since', async () => {
  night = await oldBooks();
  await sign(night, '2026-03-02');
  await sql`
    update break_event set details = jsonb_set(details, '{runs}', '["nightly-2026-03-01-v1"]') where period is not null`.execute(
    night.db,
  );
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'versions')).toBe('goes 0 · signed_period 3');
});

test('the newest version that people can read stays while the one that stands was not published', async () => {
  night = await oldBooks();
  await night.db.deleteFrom('run_file').where('run_id', '=', 'nightly-2026-03-01-v2').execute();
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'versions')).toBe('goes 0 · latest 3');
});

test('a file that is not as it was recorded stays and is still named by verify', async () => {
  night = await oldBooks();
  const file = path.join(night.home, 'reports', '2026-03-01', 'v1', 'result.json');
  await writeFile(file, 'made better');
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'versions')).toBe('goes 2 · changed 1');
  expect(await verified(night)).toEqual({
    pruned: 2,
    faults: [`changed ${path.join('reports', '2026-03-01', 'v1', 'result.json')}`],
  });
});

test('a workbook that was moved aside goes, but for one that was signed and one of a run with an open break', async () => {
  night = await oldBooks({ unbooked: true });
  const aside = async (day: string, name: string): Promise<void> => {
    const folder = path.join(night.home, 'reports', day, 'v1');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `reconciliation-${day}.aside-${name}.xlsx`), name);
  };
  await aside('2026-03-03', '000000000001');
  await aside('2026-02-01', '000000000002');
  await aside('2026-02-02', '000000000003');
  const context = await night.process();
  const signed = await context.files.sha256(
    path.join(night.home, 'reports', '2026-02-01', 'v1', 'reconciliation-2026-02-01.aside-000000000002.xlsx'),
  );
  await night.db
    .insertInto('signed_row')
    .values({
      trail_no: 1n,
      kind: 'file',
      day: '2026-02-01',
      key: 'x',
      figures: JSON.stringify({ sha256: signed }),
    })
    .execute();
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night, { kinds: ['aside'] }), 'aside')).toBe(
    'goes 1 · open_break 1 · signed_period 1',
  );
});

test('of the inbox nothing goes that an open break or the account list in force came from', async () => {
  night = await oldBooks({ unbooked: true });
  const inbox = path.join(night.home, 'inbox');
  const put = async (name: string, text: string): Promise<string> => {
    await mkdir(path.dirname(path.join(inbox, name)), { recursive: true });
    await writeFile(path.join(inbox, name), text);
    return (await night.process()).files.sha256(path.join(inbox, name));
  };
  await mkdir(inbox);
  night.settings['INTAKE_INBOX'] = inbox;
  const ledger = await put('done/2026-03-02/ledger/erp.csv', 'ledger');
  const accounts = await put('done/2026-03-02/accounts/list.csv', 'accounts');
  await put('done/2026-03-02/ledger/other.csv', 'other');
  await put('failed/2026-03-02/ledger/bad.csv', 'bad');
  await put('failed/2029-05-30/ledger/bad.csv', 'young');
  await put('ledger/erp/2029-05-30.csv', 'delivered');
  await sql`update intake_file set sha256 = ${ledger} where kind = 'ledger'`.execute(night.db);
  await sql`update intake_file set sha256 = ${accounts} where kind = 'accounts'`.execute(night.db);
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night, { kinds: ['inbox'] }), 'inbox')).toBe(
    'goes 2 · in_force 1 · open_break 1',
  );
  expect(
    await Promise.all(
      [
        'done/2026-03-02/ledger/other.csv',
        'failed/2029-05-30/ledger/bad.csv',
        'ledger/erp/2029-05-30.csv',
      ].map((name) => isThere(night, 'inbox', name)),
    ),
  ).toEqual([false, true, true]);
});

test('an alert stays that somebody was not told of, and those of the last night', async () => {
  night = await oldBooks();
  const alert = async (id: string, day: string | null, state: string): Promise<void> => {
    await night.db
      .insertInto('alert')
      .values({
        alert_id: id,
        cause: id,
        kind: 'verdict',
        day,
        document: '{}',
        raised_at: '2026-03-05T00:00:00.000Z',
      })
      .execute();
    await night.db
      .insertInto('alert_delivery')
      .values({ alert_id: id, channel: 'mail', state: state as never, next_at: '2026-03-05T00:00:00.000Z' })
      .execute();
  };
  await alert('sent', '2026-03-01', 'sent');
  await alert('due', '2026-03-01', 'due');
  await alert('given-up', '2026-03-01', 'given_up');
  await alert('last', '2026-03-03', 'sent');
  night.moveTo(LATER);
  expect(toldOf(await pruneOf(night), 'alerts')).toBe('goes 1 · latest 1 · not_told 2');
  const left = await night.db.selectFrom('alert').select('alert_id').orderBy('alert_id').execute();
  expect(left.map((row) => row.alert_id)).toEqual(['due', 'given-up', 'last']);
});
