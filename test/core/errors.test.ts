/** What is said of what was thrown. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { messageOf } from '../../src/core/errors.ts';

test('a database whose disk is full says whose disk that is', () => {
  const error = new pg.DatabaseError(
    'could not extend file "base/1/2": No space left on device',
    60,
    'error',
  );
  error.code = '53100';
  expect(messageOf(error)).toBe(`the disk of the database is full: ${error.message}`);
  error.code = '53200';
  expect(messageOf(error)).toBe(error.message);
});
