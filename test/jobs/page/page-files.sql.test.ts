/** Downloads: what a run's list names, as it was published, inside the folder of reports; nothing else of the disk. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aPublishedFile, manyNights, nightId } from './page-rows.ts';
import { openPageStand } from './page-stand.ts';
import type { PageStand } from './page-stand.ts';

const DAY = '2026-02-28';
const RUN = nightId(DAY);
const NAME = `reconciliation-${DAY}.xlsx`;

let stand: PageStand;
beforeEach(async () => {
  stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 2, accounts: 1, last: DAY });
});
afterEach(() => stand[Symbol.asyncDispose]());

const publish = (name = NAME, content = 'PK of a workbook'): Promise<string> =>
  aPublishedFile(stand.database.db, { home: stand.home, runId: RUN, name, content });

test('a workbook and a result are handed out as they were published, by their type, to be saved', async () => {
  await publish();
  await publish('result.json', '{"schema":1}');
  const book = await stand.get(`/files/${RUN}/${NAME}`);
  expect([book.status, await book.text()]).toEqual([200, 'PK of a workbook']);
  expect(book.headers.get('content-type')).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  );
  expect(book.headers.get('content-disposition')).toBe(`attachment; filename="${NAME}"`);
  expect(book.headers.get('content-length')).toBe('16');
  expect(book.headers.get('cache-control')).toBe('no-store');
  const result = await stand.get(`/files/${RUN}/result.json`);
  expect(result.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await result.json()).toEqual({ schema: 1 });
  expect(stand.log.lines).toContainEqual(expect.objectContaining({ event: 'page.file_sent', name: NAME }));
});

test('the page offers the files of the latest runs, and those of the day that is chosen', async () => {
  await publish();
  const link = `href="/files/${RUN}/${NAME}"`;
  expect(await (await stand.get('/')).text()).toContain(link);
  expect(await (await stand.get(`/?day=${DAY}`)).text()).toContain(link);
  expect(await (await stand.get('/?day=2026-02-27')).text()).not.toContain(link);
});

test.each([
  ['a file of another run', '/files/nightly-2026-02-27-v1/', NAME],
  ['a file that is not on the list', `/files/${RUN}/`, 'other.xlsx'],
  ['a way out', `/files/${RUN}/`, '..%2f..%2f..%2fsecret.xlsx'],
  ['a way out by another sign', `/files/${RUN}/`, '..%5c..%5csecret.xlsx'],
  ['an absolute path', `/files/${RUN}/`, '%2fetc%2fpasswd'],
  ['a run that is a way', '/files/..%2f..%2fx/', NAME],
  ['a name that ends early', `/files/${RUN}/`, `${NAME}%00.json`],
])('%s is not there', async (_name, folder, name) => {
  await publish();
  expect((await stand.get(`${folder}${name}`)).status).toBe(404);
});

test('a file that the list names outside the reports is not handed out, nor one of another kind', async () => {
  const outside = path.join(stand.home, 'secret.json');
  await writeFile(outside, '{}');
  const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
  const row = { run_id: RUN, sha256, bytes: 2n };
  const others = [outside, `${stand.home}/reports/../secret2.json`, '/etc/hostname.json'];
  for (const file of others) {
    await stand.database.db
      .insertInto('run_file')
      .values({ ...row, path: file })
      .execute();
    expect((await stand.get(`/files/${RUN}/${path.basename(file)}`)).status, file).toBe(404);
  }
  await publish('notes.html', '<script>alert(1)</script>');
  expect((await stand.get(`/files/${RUN}/notes.html`)).status).toBe(404);
});

test('a link in place of the file, or of a folder above it, is refused even where it leads to the same bytes', async () => {
  const file = await publish();
  const elsewhere = path.join(stand.home, 'elsewhere');
  await rename(file, `${elsewhere}.xlsx`);
  await symlink(`${elsewhere}.xlsx`, file);
  expect((await stand.get(`/files/${RUN}/${NAME}`)).status).toBe(404);
  await rm(file);
  await rename(`${elsewhere}.xlsx`, file);
  expect((await stand.get(`/files/${RUN}/${NAME}`)).status).toBe(200);
  const folder = path.dirname(path.dirname(file));
  await rename(folder, elsewhere);
  await symlink(elsewhere, folder);
  expect((await stand.get(`/files/${RUN}/${NAME}`)).status).toBe(404);
  expect(stand.log.lines).toContainEqual(
    expect.objectContaining({ event: 'page.file_refused', why: 'gone' }),
  );
});

test('what is gone, or a folder in its place, is said to be gone', async () => {
  const file = await publish();
  await rm(file);
  const response = await stand.get(`/files/${RUN}/${NAME}`, { 'accept-language': 'en' });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('recon report writes it again');
  await mkdir(file);
  expect((await stand.get(`/files/${RUN}/${NAME}`)).status).toBe(404);
});

test.each([
  ['longer', 'PK of a workbook, and more'],
  ['as long', 'PK of a w0rkbook'],
])('a file that was changed since and is %s is not what was published', async (_name, content) => {
  const file = await publish();
  await writeFile(file, content);
  const response = await stand.get(`/files/${RUN}/${NAME}`, { 'accept-language': 'en' });
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('not what was published');
});
