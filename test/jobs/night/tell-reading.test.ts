/** What a night says before it reads. */
import { expect, test } from 'vitest';
import { tellReading } from '../../../jobs/night/collect/tell-reading.ts';
import type { ToRead } from '../../../jobs/night/collect/tell-reading.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { recordingLog } from '../../helpers/log.ts';

function said(perSecond: number, toRead: ToRead) {
  const log = recordingLog();
  const told: string[] = [];
  const profile = readProfile(JSON.stringify({ http: { rate: { perSecond } } }), 'test');
  tellReading({ profile, log, tell: (line) => void told.push(line) }, toRead);
  return { told, logged: log.lines };
}

test('how long the reading takes at least at the rate in force, and what makes it shorter', () => {
  const { told, logged } = said(200, { windows: 1_000_000, orders: 32_000, balances: 1_000_000 });
  expect(told).toEqual([
    'reading takes 5:36:00 or more: 4032000 calls (1000000 windows of deposits, 32000 orders, 1000000 balances) ' +
      'at 200 a second; only a higher rate (http.rate.perSecond) makes that less',
  ]);
  expect(logged).toMatchObject([{ event: 'reading.planned', callsMin: 4_032_000, secondsMin: 20_160 }]);
});

test('nothing on a terminal where it is soon over', () => {
  const { told, logged } = said(10, { windows: 200, orders: 90, balances: 100 });
  expect({ told, logged }).toMatchObject({ told: [], logged: [{ secondsMin: 59 }] });
});
