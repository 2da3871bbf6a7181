/** RECON_HOME is moved, or restored elsewhere, years later: its files are found where they lie now, and no period has changed. */
import { cp, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workbookAt } from '../../../jobs/alerts/raise.ts';
import { placesOfRun } from '../../../jobs/explain/run-places.ts';
import { storedResult } from '../../../jobs/night/publish/result.ts';
import { openPublished } from '../../../jobs/page/page-files.ts';
import { verifyPeriods } from '../../../jobs/sign-off/verify-periods.ts';
import { listWorkbooks } from '../../../src/store/alerts/night-facts.ts';
import type { Night } from '../../helpers/night.ts';
import { oldBooks, sign, verified } from '../../jobs/prune/old-books.ts';

const DAY = '2026-03-02';
const RUN = `nightly-${DAY}-v1`;
const PLACE = `reports/${DAY}/v1/reconciliation-${DAY}.xlsx`;

let night: Night;
let moved: string;
beforeEach(async () => {
  night = await oldBooks();
  await sign(night, DAY);
  // Under a name that is one of its own folders too.
  moved = path.join(night.home, 'reports-of-old', 'reports', 'home');
  await cp(path.join(night.home, 'reports'), path.join(moved, 'reports'), { recursive: true });
  await rename(path.join(night.home, 'reports'), path.join(night.home, 'gone'));
  night.settings['RECON_HOME'] = moved;
});
afterEach(() => night.close());

test('what was published is found below the new place, and nothing of a signed period has changed', async () => {
  const { db } = night;
  expect(await verified(night)).toEqual({ pruned: 0, faults: [] });
  const [fromDay, toDay] = ['2026-03-01', '2026-03-03'];
  expect(await verifyPeriods(await night.process(), { fromDay, toDay })).toEqual({ periods: 1, changes: [] });
  const { files } = await storedResult({ db, home: moved }, RUN, 'en');
  expect(files).toEqual([
    {
      path: path.join(moved, PLACE),
      relativePath: PLACE,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    },
  ]);
  const book = await openPublished({ db, home: moved }, { runId: RUN, name: path.basename(PLACE) });
  expect(book).toMatchObject({ name: path.basename(PLACE) });
  if (typeof book !== 'string') await book.handle.close();
});

test('an alert links, and explain names, what lies there now', async () => {
  const [file] = await listWorkbooks(night.db, RUN);
  const { settings } = await night.process();
  const alerts = { ...settings.alerts, filesUrl: 'https://files.example' };
  expect(workbookAt({ ...settings, alerts }, file)).toMatchObject({
    path: PLACE,
    url: `https://files.example/${PLACE}`,
  });
  const places = await placesOfRun({ db: night.db, locale: 'en' }, RUN);
  expect(places.ofMovement('deposit', 'D1')?.file).toBe(PLACE);
});
