/** The demo's check of itself: what a night should have found against what it found. */
import { expect, test } from 'vitest';

import { checkNight, checkText, isAsPlanted, wasFound } from '../../jobs/demo/demo-check.ts';
import type { PlantedFinding } from '../../jobs/demo/demo-check.ts';
import type { BreakResult, TimingResult } from '../../jobs/night/publish/result-lists.ts';
import type { SettlementResult } from '../../jobs/night/publish/result-settlements.ts';

const DAY = '2026-03-31';

function planted(over: Partial<PlantedFinding> = {}): PlantedFinding {
  return { class: 'amount', accountNo: 'A1', reference: 'PO1', differenceFen: 500n, foundBy: DAY, ...over };
}

function aBreak(over: Partial<BreakResult> = {}): BreakResult {
  const amounts = { platformFen: 0n, ledgerFen: 0n, differenceFen: 500n };
  const known = { id: 'B1', severity: 'break', firstSeen: DAY, ageDays: 0, suggestion: '' };
  return { ...known, class: 'amount', accountNo: 'A1', reference: 'PO1', ...amounts, ...over };
}

function aTiming(over: Partial<TimingResult> = {}): TimingResult {
  const amounts = { amountFen: -900n, differenceFen: 0n };
  return { class: 'in_flight', accountNo: 'A1', reference: 'PO2', ...amounts, since: '', ...over };
}

function check(
  plants: readonly PlantedFinding[],
  found: {
    breaks?: BreakResult[];
    timing?: TimingResult[];
    settlements?: SettlementResult[];
    day?: string;
    version?: number;
  },
) {
  const { breaks = [], timing = [], settlements = [], day = DAY, version = 1 } = found;
  return checkNight({ run: { to: day, version }, breaks, timing, settlements }, plants);
}

test('a night that found what is planted, breaks and timing alike, is as planted', () => {
  const plants = [planted(), planted({ class: 'in_flight', reference: 'PO2', differenceFen: 0n })];
  const checked = check(plants, { breaks: [aBreak()], timing: [aTiming()] });
  expect(isAsPlanted(checked)).toBe(true);
  expect(checkText(checked)).toBe(
    'The night of 2026-03-31: all 2 planted findings were found, and nothing else.',
  );
});

test.each([
  ['class', { class: 'fee' }, 'fee A1 PO1 500'],
  ['account', { accountNo: 'A2' }, 'amount A2 PO1 500'],
  ['reference', { reference: 'PO9' }, 'amount A1 PO9 500'],
  ['difference', { differenceFen: -500n }, 'amount A1 PO1 -500'],
])('a finding of another %s is another one: the planted one is missed', (_what, over, surplus) => {
  const checked = check([planted()], { breaks: [aBreak(over)] });
  expect([checked.missed, checked.surplus]).toEqual([['amount A1 PO1 500'], [surplus]]);
  expect([isAsPlanted(checked), wasFound(planted(), checked)]).toEqual([false, false]);
});

test('the same finding twice is once too often', () => {
  const checked = check([planted()], { breaks: [aBreak(), aBreak({ id: 'B2' })] });
  expect([checked.missed, checked.surplus]).toEqual([[], ['amount A1 PO1 500']]);
});

test('the candidates of a tie count together', () => {
  const tie = planted({ class: 'ambiguous', differenceFen: 60_000n });
  const candidates = [
    { reference: 'DP1', differenceFen: 60_000n },
    { reference: 'DP2', differenceFen: 60_000n },
    { reference: 'E1', differenceFen: -60_000n },
  ].map((over) => aBreak({ ...over, class: 'ambiguous' }));
  const checked = check([tie], { breaks: candidates });
  expect([isAsPlanted(checked), wasFound(tie, checked)]).toEqual([true, true]);
});

test('a night is held against what is planted for it: nothing of the day after, nothing that is over', () => {
  const plants = [planted(), planted({ reference: 'PO7', foundBy: '2026-03-30', until: '2026-03-30' })];
  const first = check(plants, { day: '2026-03-30', breaks: [aBreak({ reference: 'PO7' })] });
  expect([first.expected, isAsPlanted(first)]).toEqual([['amount A1 PO7 500'], true]);
  const second = check(plants, { breaks: [aBreak()] });
  expect([second.expected, isAsPlanted(second)]).toEqual([['amount A1 PO1 500'], true]);
});

function aRetry(over: Partial<SettlementResult> = {}): SettlementResult {
  return { reference: 'PO1', attempt: 1, reqId: 'R1', outcome: 'FAIL', note: '', ...over };
}

const failed = { class: 'settle_failed', differenceFen: 0n };

test('STL-15: a settlement whose retry fails is found, and so is its retry', () => {
  const plants = [planted({ ...failed, retried: 'FAIL' })];
  const found = { breaks: [aBreak(failed)], settlements: [aRetry()] };
  expect(isAsPlanted(check(plants, found))).toBe(true);
  const untried = check(plants, { breaks: [aBreak(failed)] });
  expect([untried.missed, untried.surplus]).toEqual([['retry PO1 FAIL'], []]);
});

test('STL-14: a settlement whose retry succeeds is found by its retry alone', () => {
  const plant = planted({ ...failed, retried: 'SUCCESS' });
  const settled = check([plant], { settlements: [aRetry({ outcome: 'SUCCESS' })] });
  expect([isAsPlanted(settled), wasFound(plant, settled)]).toEqual([true, true]);
  const stuck = check([plant], { breaks: [aBreak(failed)], settlements: [aRetry()] });
  expect([stuck.missed, stuck.surplus]).toEqual([
    ['retry PO1 SUCCESS'],
    ['settle_failed A1 PO1 0', 'retry PO1 FAIL'],
  ]);
  expect(wasFound(plant, stuck)).toBe(false);
});

test('what is missed and what is found besides is named, with the version of the night', () => {
  const checked = check([planted()], { version: 2, timing: [aTiming()] });
  expect(checkText(checked)).toBe(
    'The night of 2026-03-31, version 2: NOT AS PLANTED: missed amount A1 PO1 500; found besides in_flight A1 PO2 0',
  );
});
