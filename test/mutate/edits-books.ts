/** Edits of how far the books are whole. */
import type { Edit } from './edit.ts';

const COMPLETE = 'src/store/intake/ledger-complete.ts';
const between = ['e2e/unattended/inbox-days-between.sql.test.ts'];

export const BOOKS_EDITS: readonly Edit[] = [
  {
    folder: 'proof',
    rule: 'what a later file states says nothing of the days of one that is missing',
    file: COMPLETE,
    find: 'before?.of_day ? zone.dayStart(addDays(before.of_day, 1)) : null',
    put: 'before?.of_day ? zone.dayStart(day) : null',
    tests: ['e2e/unattended/inbox-night.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'another file of the last day of one that is missing says nothing of the days before',
    file: COMPLETE,
    find: ".where('of_day', '<', day)",
    put: ".where('of_day', '<=', day)",
    tests: between,
  },
  {
    folder: 'proof',
    rule: 'books that are refused late take back all days that they may have',
    file: COMPLETE,
    find: 'isStated ? await wholeWithout(trx, { source, day: first, zone }) : row.complete_to',
    put: 'isStated ? zone.dayStart(first) : row.complete_to',
    tests: between,
  },
  {
    folder: 'proof',
    rule: 'a ledger that begins with a file that is missing is whole to no day beside another one',
    file: COMPLETE,
    find: 'complete_to is not null or stated_to is not null or',
    put: 'complete_to is not null or',
    tests: between,
  },
  {
    folder: 'proof',
    rule: 'a day that the company has opened again is not whole',
    file: COMPLETE,
    find: ".where('complete_to', '>', closedTo)",
    put: ".where('complete_to', '<', closedTo)",
    tests: ['e2e/unattended/pull-night.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'no file of the inbox is taken away while it is written, also where it will be refused',
    file: 'jobs/inbox/inbox-place.ts',
    find: "told.left === null || told.left.as === 'failed'",
    put: 'told.left === null',
    tests: ['jobs/inbox/inbox-place.test.ts'],
  },
];
