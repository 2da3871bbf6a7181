/** What is moved aside is kept as well, also where somebody has gone on with it under the name that it got. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { neverOver } from '../../../jobs/night/publish/published-files.ts';
import { diskFiles } from '../../../src/core/files.ts';
import { quietLog } from '../../helpers/log.ts';

test('what somebody wrote into a list that was moved aside stays when one of the same content follows it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recon-aside-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { files, movedAside } = neverOver(diskFiles(), quietLog);
  const write = (text: string) => files.writeWhole(path.join(folder, 'list.csv'), Buffer.from(text));
  await write('of A1');
  await write('of A2');
  await writeFile(movedAside[0]?.to ?? '', 'of A1, explained by 李娜');
  await write('of A1');
  await write('of A2');
  const kept = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  expect(kept.toSorted()).toEqual(['of A1', 'of A1, explained by 李娜', 'of A2', 'of A2']);
});
