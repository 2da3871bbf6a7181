/** One process at a time has the embedded database, wherever the others run and however the last one ended. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LockHeld } from '../../src/core/errors.ts';
import { lockFolder } from '../../src/store/database/folder-lock.ts';

const LOCK = new URL('../../src/store/database/folder-lock.ts', import.meta.url).href;

let home: string;
let folder: string;
const children: Child[] = [];
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'recon-lock-'));
  folder = path.join(home, 'db');
  await mkdir(folder);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(home, { recursive: true });
});

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Takes the lock when it is told a line, says whether it has it, and keeps it. */
function contender(...prefix: string[]): Child {
  return contenderFor(folder, prefix);
}

function contenderFor(place: string, prefix: string[] = []): Child {
  return scripted(`import { lockFolder } from '${LOCK}';`, `lockFolder(${JSON.stringify(place)})`, prefix);
}

/** As versions took it that knew only the file beside the folder. */
function olderVersion(): Child {
  const file = JSON.stringify(`${folder}.lock.sqlite`);
  const taking = `globalThis.lock = new DatabaseSync(${file}); lock.exec('begin exclusive')`;
  return scripted(`import { DatabaseSync } from 'node:sqlite';`, taking, []);
}

function scripted(imports: string, taking: string, prefix: string[]): Child {
  const script = `
    ${imports}
    import { createInterface } from 'node:readline';
    for await (const _ of createInterface({ input: process.stdin })) {
      try { ${taking}; console.log('has it'); } catch (error) { console.log(error.message); }
    }`;
  const [command = '', ...args] = [...prefix, process.execPath, '--input-type=module', '-e', script];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function answerOf(child: Child): Promise<string> {
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return said.toString('utf8').trim();
}

async function take(child: Child): Promise<string> {
  const answer = answerOf(child);
  child.stdin.write('take it\n');
  return answer;
}

test('of many that start at once exactly one has it', async () => {
  const all = Array.from({ length: 6 }, () => contender());
  const answers = await Promise.all(all.map(take));
  expect(answers.filter((answer) => answer === 'has it')).toHaveLength(1);
  expect(answers.filter((answer) => answer.startsWith('another recon process uses'))).toHaveLength(5);
});

test('what a killed process held is free at once, and what it left is no lock', async () => {
  const first = contender();
  expect(await take(first)).toBe('has it');
  expect(() => lockFolder(folder)).toThrow(LockHeld);
  first.kill('SIGKILL');
  await once(first, 'close');
  const next = lockFolder(folder);
  next.release();
  lockFolder(folder).release();
});

test('a process of another container, whose number says nothing here, keeps it', async () => {
  const apart = ['unshare', '--pid', '--fork', '--mount-proc'];
  const canPartNumbers = spawnSync(apart[0] ?? '', [...apart.slice(1), 'true']).status === 0;
  const first = contender(...(canPartNumbers ? apart : []));
  const second = contender(...(canPartNumbers ? apart : []));
  expect(await take(first)).toBe('has it');
  expect(await take(second)).toContain('another recon process uses this embedded database');
});

test('all paths to the folder meet in it: a symbolic link, and the folder under another name', async () => {
  const [link, moved] = [path.join(home, 'link'), path.join(home, 'moved')];
  await symlink(folder, link);
  expect(await take(contender())).toBe('has it');
  expect(() => lockFolder(link)).toThrow(LockHeld);
  await rename(folder, moved);
  expect(() => lockFolder(moved)).toThrow(LockHeld);
});

test('an older version, which knows only the one beside the folder, and this one keep each other out', async () => {
  const older = olderVersion();
  expect(await take(older)).toBe('has it');
  expect(() => lockFolder(folder)).toThrow(LockHeld);
  older.kill('SIGKILL');
  await once(older, 'close');
  const mine = lockFolder(folder);
  expect(await take(olderVersion())).toContain('locked');
  mine.release();
});

test.each(['db.lock.sqlite', 'db/recon.lock.sqlite'])(
  'a file that cannot be written is no lock: nobody has it, let alone two (%s)',
  async (name) => {
    const file = path.join(home, name);
    await writeFile(file, '');
    await chmod(file, 0o444);
    await chmod(home, 0o777);
    await chmod(folder, 0o777);
    // Root writes it all the same.
    const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
    const answers = [];
    for (const child of [contender(...asNobody), contender(...asNobody)]) answers.push(await take(child));
    expect(answers).toEqual(Array(2).fill(`the lock of the embedded database cannot be written: ${file}`));
  },
);
