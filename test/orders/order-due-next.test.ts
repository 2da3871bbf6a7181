/** When what was answered is asked for again (docs/reconciliation.md 3.5, U49); days written out by hand. */
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/time.ts';
import { dueAfterFailure, dueAfterLook, dueAfterNotFound } from '../../src/orders/order-due-next.ts';
import type { DueTimes, UnitSeen } from '../../src/orders/order-due-next.ts';
import { RULES } from '../helpers/company/order-answers.ts';

const FINAL: UnitSeen = {
  isOpen: false,
  mayComeBack: false,
  hasNewMovement: false,
  needsRecheck: false,
  contradicts: false,
};
const DAY = '2026-03-02';

/** The ages in days at which it is asked when it is asked at every turn. */
function turns(kind: 'batch' | 'withdrawal', seen: Partial<UnitSeen> = {}, rules = RULES): number[] {
  const ages: number[] = [];
  let due = dueAfterLook(
    kind,
    { state: 'new', finalDay: null },
    { ...FINAL, ...seen },
    { today: DAY, rules },
  );
  for (let age = 1; age <= 120; age++) {
    const today = addDays(DAY, age);
    if (due.nextDay === null || due.nextDay > today) continue;
    ages.push(age);
    due = dueAfterLook(kind, due, { ...FINAL, ...seen }, { today, rules });
  }
  expect(due.finalDay).toBe(DAY);
  return ages;
}

test('a final batch is asked for at its ages, and then no more', () => {
  expect(turns('batch')).toEqual([1, 2, 3, 5, 8, 13, 21, 34, 55, 90]);
  expect(turns('batch', {}, { ...RULES, batchDays: 30 })).toEqual([1, 2, 3, 5, 8, 13, 21]);
});

test('a batch with a settlement that may come back is asked for every day as well, for ten days', () => {
  expect(turns('batch', { mayComeBack: true })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 21, 34, 55, 90]);
});

test('a final withdrawal is asked for every day for ten days', () => {
  expect(turns('withdrawal')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(turns('withdrawal', {}, { ...RULES, withdrawDays: 0 })).toEqual([]);
});

test('what a later look may cure is asked for every day', () => {
  expect(turns('batch', { needsRecheck: true })).toHaveLength(90);
});

test('a contradiction, which the company may put right at any time, is asked for every day without an end', () => {
  expect(turns('batch', { contradicts: true })).toHaveLength(120);
});

test('what is open is asked for at every opportunity; ages count from the day it is final again', () => {
  const at = (today: string) => ({ today, rules: RULES });
  const open = dueAfterLook(
    'batch',
    { state: 'final', finalDay: DAY },
    { ...FINAL, isOpen: true },
    at('2026-03-05'),
  );
  expect(open).toEqual({ state: 'open', finalDay: null, nextDay: '' });
  expect(dueAfterLook('batch', open, FINAL, at('2026-03-09'))).toEqual({
    state: 'final',
    finalDay: '2026-03-09',
    nextDay: '2026-03-10',
  });
});

test('a turn that was missed is taken at the next opportunity', () => {
  const due: DueTimes = { state: 'final', finalDay: DAY, nextDay: '2026-03-04' };
  expect(dueAfterLook('batch', due, FINAL, { today: '2026-03-12', rules: RULES }).nextDay).toBe('2026-03-15');
});

test('a settlement that moved or came back just now begins the bank’s time anew', () => {
  const due: DueTimes = { state: 'final', finalDay: DAY, nextDay: '2026-03-15' };
  const seen = { ...FINAL, mayComeBack: true, hasNewMovement: true };
  expect(dueAfterLook('batch', due, seen, { today: '2026-03-15', rules: RULES })).toEqual({
    state: 'final',
    finalDay: '2026-03-15',
    nextDay: '2026-03-16',
  });
});

test('not found: every night for ninety days after submission; refused by the company: never again', () => {
  const at = (today: string) => ({ today, rules: RULES });
  const former = { state: 'new', finalDay: null } as const;
  const seen = { submittedDay: '2026-03-01', isRefused: false };
  expect(dueAfterNotFound(former, seen, at('2026-05-29'))).toEqual({
    state: 'not_found',
    finalDay: null,
    nextDay: '',
  });
  expect(dueAfterNotFound(former, seen, at('2026-05-30')).nextDay).toBeNull();
  expect(dueAfterNotFound(former, { ...seen, isRefused: true }, at(DAY))).toEqual({
    state: 'refused',
    finalDay: null,
    nextDay: null,
  });
  // What was shown before has no end.
  const shown = { state: 'final', finalDay: '2026-03-03' } as const;
  expect(dueAfterNotFound(shown, seen, at('2026-06-30'))).toEqual({ ...shown, nextDay: '' });
  // It was there before: the company's word does not make it vanish.
  expect(dueAfterNotFound({ state: 'open', finalDay: null }, { ...seen, isRefused: true }, at(DAY))).toEqual({
    state: 'open',
    finalDay: null,
    nextDay: '',
  });
});

test('what is never shown is given up when its time is over, sooner where it is nobody’s or was refused to us', () => {
  const after = (
    former: Partial<Parameters<typeof dueAfterFailure>[0]>,
    seen: Partial<Parameters<typeof dueAfterFailure>[1]>,
    today = DAY,
  ) => {
    const { state, nextDay, givenUpDay } = dueAfterFailure(
      { state: 'new', finalDay: null, givenUpDay: null, ...former },
      {
        submittedDay: DAY,
        failingSince: DAY,
        how: 'refused',
        isRefused: false,
        isNobodys: false,
        ...seen,
      },
      { day: addDays(today, -1), today, rules: RULES },
    );
    return [state, nextDay, givenUpDay];
  };
  expect(after({}, {})).toEqual(['new', '', null]);
  expect(after({ state: 'final', finalDay: DAY }, {}, '2026-05-30')).toEqual(['final', '', null]);
  expect(after({}, {}, '2026-05-31')).toEqual(['new', '', '2026-05-30']);
  expect(after({ givenUpDay: '2026-05-30' }, {}, '2026-09-20')).toEqual(['new', '', '2026-05-30']);
  expect(after({}, { isNobodys: true })).toEqual(['new', '', '2026-03-01']);
  // Named since: it stays what it was.
  expect(after({ givenUpDay: '2026-03-01' }, {})).toEqual(['new', '', '2026-03-01']);
  expect(after({}, { isRefused: true })).toEqual(['refused', null, '2026-03-01']);
  expect(after({ state: 'open' }, { isRefused: true })).toEqual(['open', '', null]);
  for (const how of ['unread', 'about_us'] as const) {
    expect(after({}, { how, isRefused: true })).toEqual(['new', '', null]);
    expect(after({}, { how, isNobodys: true }, '2026-03-05')).toEqual(['new', '', null]);
    expect(after({}, { how, isNobodys: true }, '2026-03-06')).toEqual(['new', '', '2026-03-05']);
    expect(after({}, { how }, '2026-05-30')).toEqual(['new', '', null]);
    expect(after({}, { how }, '2026-05-31')).toEqual(['new', '', '2026-05-30']);
  }
  const long = { how: 'unread', submittedDay: '2025-12-01' } as const;
  expect(after({ state: 'final', finalDay: '2025-12-01' }, long)).toEqual(['final', '', null]);
});
