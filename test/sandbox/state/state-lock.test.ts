/** The lock beside a state file (CTL): whole from the moment it is there, one starter's at a time, gone when released. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { LockHeld } from '../../../src/core/errors.ts';
import { lockState } from '../../../src/sandbox/state/state-lock.ts';
import { aFolder } from './state-twins.ts';

let folder: Awaited<ReturnType<typeof aFolder>>;
let file: string;
beforeEach(async () => {
  folder = await aFolder();
  file = path.join(folder.path, 'state.jsonl');
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Reads the lock again and again as another starter does, and counts how often it was there and empty. */
const READER = `
const { workerData, parentPort } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const [stopped, reads, empty] = [0, 1, 2];
const shared = new Int32Array(workerData.shared);
parentPort.postMessage('ready');
while (Atomics.load(shared, stopped) === 0) {
  try {
    const text = readFileSync(workerData.lock, 'utf8');
    shared[reads] += 1;
    if (text === '') shared[empty] += 1;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
`;

const STARTS = 3_000;

test('CTL: nobody ever reads it empty, and takes its holder for dead', async () => {
  const shared = new SharedArrayBuffer(12);
  const counts = new Int32Array(shared);
  const reader = new Worker(READER, { eval: true, workerData: { shared, lock: `${file}.lock` } });
  const gone = new Promise((resolve, reject) => {
    reader.once('error', reject);
    reader.once('exit', resolve);
  });
  await new Promise((resolve) => reader.once('message', resolve));
  for (let start = 0; start < STARTS; start++) lockState(file).release();
  Atomics.store(counts, 0, 1);
  await gone;
  const [, reads = 0, empty] = counts;
  expect(reads).toBeGreaterThan(0);
  expect(empty).toBe(0);
});

test('CTL: it names its process, is refused to a second one, and leaves nothing beside the state', async () => {
  const lock = lockState(file);
  expect(await readFile(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} \\d*$`));
  expect(() => lockState(file)).toThrow(LockHeld);
  expect(await readdir(folder.path)).toEqual(['state.jsonl.lock']);
  lock.release();
  expect(await readdir(folder.path)).toEqual([]);
});

test('CTL: the lock of a process that was killed while it started is taken over', async () => {
  const lock = lockState(file);
  const mine = await readFile(`${file}.lock`, 'utf8');
  lock.release();
  await writeFile(`${file}.lock`, '999999999 1');
  await writeFile(`${file}.lock.${mine.replace(' ', '-')}`, 'half');
  lockState(file).release();
  expect(await readdir(folder.path)).toEqual([]);
});
