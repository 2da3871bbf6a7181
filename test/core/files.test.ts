import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Stopped } from '../../src/core/errors.ts';
import { diskFiles } from '../../src/core/files.ts';

const files = diskFiles();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recon-files-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a file that is new', () => {
  test('is written for its owner only; what bears its name already stays, a link that leads nowhere too', async () => {
    const [path, link] = [join(folder, 'a.csv'), join(folder, 'b.csv')];
    expect(await files.writeNew(path, 'first')).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await files.writeNew(path, 'second')).toBe(false);
    expect(await readFile(path, 'utf8')).toBe('first');
    await symlink(join(folder, 'elsewhere'), link);
    expect(await files.writeNew(link, 'third')).toBe(false);
    expect(await readdir(folder)).toEqual(['a.csv', 'b.csv']);
  });

  test('that cannot be written is said with its path, and leaves nothing', async () => {
    const path = join(folder, 'none', 'a.csv');
    await expect(files.writeNew(path, 'x')).rejects.toThrow(
      `cannot write ${path} (1 bytes): there is no such file or folder`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a file is written whole', () => {
  test('with the bytes or the text that was given, for its owner only', async () => {
    const path = join(folder, 'a.json');
    await files.writeWhole(path, '{"名":1}');
    expect(await readFile(path, 'utf8')).toBe('{"名":1}');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await files.writeWhole(path, new Uint8Array([1, 2, 3]));
    expect([...(await files.read(path))]).toEqual([1, 2, 3]);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  test('by a producer that writes by itself and finds the same ending', async () => {
    const path = join(folder, 'a.xlsx');
    await files.writeWholeWith(path, async (temporary) => {
      expect(temporary).toMatch(/\.xlsx$/);
      await writeFile(temporary, 'one');
      await appendFile(temporary, 'two');
    });
    expect(await readFile(path, 'utf8')).toBe('onetwo');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('H4: over a symbolic link, whose target stays as it is', async () => {
    const [target, path] = [join(folder, 'target'), join(folder, 'link')];
    await writeFile(target, 'theirs');
    await symlink(target, path);
    await files.writeWhole(path, 'ours');
    expect(await readFile(target, 'utf8')).toBe('theirs');
    expect(await readFile(path, 'utf8')).toBe('ours');
  });
});

describe('a file is not written at all', () => {
  test('H3: when the disk is full, which is said with path and bytes; the old file stays', async () => {
    const path = join(folder, 'report.xlsx');
    await files.writeWhole(path, 'last night');
    const writing = files.writeWholeWith(path, async (temporary) => {
      await writeFile(temporary, 'half a report');
      await appendFile('/dev/full', 'the other half');
    });
    await expect(writing).rejects.toThrow(Stopped);
    await expect(writing).rejects.toThrow(`cannot write ${path} (13 bytes): no space is left on the disk`);
    expect(await readFile(path, 'utf8')).toBe('last night');
    expect(await readdir(folder)).toEqual(['report.xlsx']);
  });

  test('when its producer fails, whose error comes through as it is', async () => {
    const path = join(folder, 'a');
    const fault = new Error('Bug: no sheet');
    await expect(files.writeWholeWith(path, () => Promise.reject(fault))).rejects.toBe(fault);
    expect(await readdir(folder)).toEqual([]);
  });

  test('H4: when a folder has its name', async () => {
    const path = join(folder, 'taken');
    await mkdir(path);
    await expect(files.writeWhole(path, 'x')).rejects.toThrow(`cannot write ${path} (1 bytes)`);
    expect(await readdir(folder)).toEqual(['taken']);
  });

  test('when its folder is not there', async () => {
    const path = join(folder, 'nowhere', 'a');
    await expect(files.writeWhole(path, 'x')).rejects.toThrow('there is no such file or folder');
  });

  test.runIf(canMount())('H3: on a real disk of 64 KB that fills up', async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    try {
      const path = join(disk, 'a');
      await files.writeWhole(path, 'old');
      const writing = files.writeWhole(path, new Uint8Array(1_000_000));
      await expect(writing).rejects.toThrow(
        `cannot write ${path} (1000000 bytes): no space is left on the disk`,
      );
      expect(await readFile(path, 'utf8')).toBe('old');
      expect(await readdir(disk)).toEqual(['a']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('files are looked at', () => {
  test('the size of what is not there is undefined', async () => {
    await writeFile(join(folder, 'a'), 'abc');
    expect(await files.size(join(folder, 'a'))).toBe(3);
    expect(await files.size(join(folder, 'b'))).toBeUndefined();
    expect(await files.size(join(folder, 'a', 'b'))).toBeUndefined();
  });

  test('the digest is that of the bytes', async () => {
    const bytes = Buffer.alloc(300_000, 7);
    await files.writeWhole(join(folder, 'a'), bytes);
    expect(await files.sha256(join(folder, 'a'))).toBe(createHash('sha256').update(bytes).digest('hex'));
    await files.writeWhole(join(folder, 'empty'), '');
    expect(await files.sha256(join(folder, 'empty'))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('reading what is not there says so', async () => {
    const path = join(folder, 'nothing');
    await expect(files.read(path)).rejects.toThrow(`cannot read ${path}: there is no such file or folder`);
    await expect(files.sha256(path)).rejects.toThrow(Stopped);
  });

  test('folders are made down to the last, for their owner only, and twice is once', async () => {
    const path = join(folder, 'reports', '2026-03-01', 'v1');
    await files.makeFolder(path);
    await files.makeFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'reports'))).mode & 0o777).toBe(0o700);
    await writeFile(join(folder, 'file'), '');
    await expect(files.makeFolder(join(folder, 'file', 'x'))).rejects.toThrow(Stopped);
  });
});

/** Only root may mount, and not in every container. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const probe = `dir=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs "$dir" && umount "$dir" && rmdir "$dir"`;
  return spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
}
