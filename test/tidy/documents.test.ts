/** The tables in docs/ say what the code says, and the open questions name what is there. */
import { describe, expect, test } from 'vitest';

import { profileAssumptions, readProfile } from '../../src/core/profile/profile.ts';
import { controlTable } from '../../src/sandbox/control/control.ts';
import { FAULT_NOTES } from '../../src/sandbox/faults/fault-schema.ts';
import { switchesSchema } from '../../src/sandbox/control/switches.ts';
import { readDocuments, REWRITE, TABLES } from '../docs/documents.ts';
import { placesOf } from '../docs/markdown.ts';
import { OPEN_QUESTIONS } from '../docs/open-questions.ts';

const documents = readDocuments();
const named = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

describe('a document', () => {
  test.each(documents)('$path has the tables that the code has', ({ path, text, asItShouldBe }) => {
    expect(text === asItShouldBe, `${path} differs from the code: run \`${REWRITE}\``).toBe(true);
  });
});

test('every table that the code can fill has one place', () => {
  const places = documents.flatMap(({ text }) => placesOf(text));
  expect(places.toSorted()).toEqual(Object.keys(TABLES).toSorted());
});

describe('the open questions', () => {
  const rows = Object.entries(OPEN_QUESTIONS);

  test('U1–U60 are there, in their order', () => {
    expect(rows.map(([u]) => u)).toEqual(Array.from({ length: 60 }, (_, place) => `U${place + 1}`));
  });

  test('each says what is played by default, and what plays it otherwise or that nothing does', () => {
    for (const [u, { question, byDefault, otherwise }] of rows) {
      expect([u, question, byDefault, otherwise]).not.toContain('');
    }
  });

  test('what plays one otherwise exists: a switch, a key, a fault, a control path or its member', () => {
    const keys = profileAssumptions(readProfile(undefined, 'defaults')).map(({ key }) => key);
    const switches = Object.keys(switchesSchema.shape);
    const known = new Set([...switches, ...keys, ...Object.keys(FAULT_NOTES), ...named(controlTable())]);
    const unknown = rows.flatMap(([u, { otherwise }]) =>
      named(otherwise)
        .filter((word) => !known.has(word))
        .map((word) => `${u} ${word}`),
    );
    expect(unknown).toEqual([]);
  });

  test('those that nothing plays otherwise say so', () => {
    const none = rows.filter(([, { otherwise }]) => named(otherwise).length === 0);
    expect(none.map(([u, { otherwise }]) => [u, otherwise.slice(0, 4)])).toEqual([
      ['U3', 'none'],
      ['U50', 'none'],
    ]);
  });
});
