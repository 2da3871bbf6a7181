/**
 * README, "What the sandbox is true to": every open question of the document (U1–U60) stands there once, and what
 * is named to play it otherwise exists.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

import { profileAssumptions, readProfile } from '../../src/core/profile.ts';
import { controlTable } from '../../src/sandbox/control.ts';
import { faultTable } from '../../src/sandbox/control-routes.ts';
import { FAULT_NOTES } from '../../src/sandbox/fault-schema.ts';
import { switchesSchema } from '../../src/sandbox/switches.ts';
import { voucherTable } from '../../src/sandbox/vouchers/voucher-schema.ts';
import { sectionOf } from '../intake/readme-section.ts';

const readme = await readFile(path.join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
const section = sectionOf(readme, '## The sandbox');
const rows = section.split('\n').flatMap((line) => {
  const [, u = '', , byDefault = '', otherwise = ''] = line.split(/ ?\| ?/);
  return /^U\d+$/.test(u) ? [{ u, byDefault, otherwise }] : [];
});

function wordsOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

const switches = Object.keys(switchesSchema.shape);

test('U1–U60 stand in the table once each, in their order, with what is played by default', () => {
  expect(rows.map(({ u }) => u)).toEqual(Array.from({ length: 60 }, (_, place) => `U${place + 1}`));
  for (const { u, byDefault, otherwise } of rows) expect([u, byDefault, otherwise]).not.toContain('');
});

test('what plays it otherwise exists: switches, keys of the profile, faults, paths of /control and their members', () => {
  const keys = profileAssumptions(readProfile(undefined, 'defaults')).map(({ key }) => key);
  const known = new Set([...switches, ...keys, ...Object.keys(FAULT_NOTES), ...wordsOf(controlTable())]);
  const unknown = rows.flatMap(({ u, otherwise }) =>
    wordsOf(otherwise)
      .filter((word) => !known.has(word))
      .map((word) => `${u} ${word}`),
  );
  expect(unknown).toEqual([]);
});

test('a row that names none says so, and those are few', () => {
  const none = rows.filter(({ otherwise }) => wordsOf(otherwise).length === 0);
  expect(none.map(({ u, otherwise }) => [u, otherwise.slice(0, 4)])).toEqual([
    ['U3', 'none'],
    ['U50', 'none'],
  ]);
});

test('every switch is explained beside the table of the control surface', () => {
  const explained = sectionOf(readme, '### What the sandbox is true to').split('\n## ', 1)[0] ?? '';
  const named = new Set(wordsOf(explained));
  expect(switches.filter((name) => !named.has(name))).toEqual([]);
});

test('the tables of README are those of the code', () => {
  for (const table of [controlTable(), faultTable(), voucherTable()]) expect(section).toContain(table);
});
