/** The mark outside the database (H3, H18). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileMark } from '../../../jobs/night/settle/high-water-mark.ts';
import { diskFiles } from '../../../src/core/files.ts';

describe('H18: the mark', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'recon-mark-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('is nothing before it was written, and then what was written last', async () => {
    const mark = fileMark(diskFiles(), path.join(folder, 'settle', 'mark'));
    expect(await mark.read()).toBeUndefined();
    const nothing = { books: '', reqId: '', boot: '', server: '', heldUntil: undefined };
    const sent = {
      books: '2026-01-01T00:00:00.000Z',
      sequence: 9_007_199_254_740_993n,
      reqId: 'ab12',
      boot: 'c0ffee-1',
      server: '1763872920.123456/16384/16500',
      heldUntil: '2026-03-02T03:10:00.000Z',
      isDoubtful: false,
    };
    for (const state of [{ ...nothing, sequence: 12n, isDoubtful: true }, sent, { ...sent, sequence: 3n }]) {
      await mark.write(state);
      expect(await mark.read()).toEqual(state);
    }
  });

  test('one that was written before it named server, hold and books is read, and names none', async () => {
    const file = path.join(folder, 'mark');
    await writeFile(file, '12 ab12 c0ffee-1 sure\n');
    const known = { sequence: 12n, reqId: 'ab12', boot: 'c0ffee-1', isDoubtful: false };
    expect(await fileMark(diskFiles(), file).read()).toEqual({
      ...known,
      books: '',
      server: '',
      heldUntil: undefined,
    });
  });

  test.each(['', '12\n', '12 - - sure', '-1 - - sure\n', '1 - - maybe\n', '1 - - sure\n2 - - sure\n'])(
    '%j is no mark, and is said',
    async (text) => {
      const file = path.join(folder, 'mark');
      await writeFile(file, text);
      await expect(fileMark(diskFiles(), file).read()).rejects.toThrow(
        `${file} does not hold what was written there`,
      );
    },
  );
});
