/** The roll-up of a month that was signed off says whether its own runs are what was signed. */
import { afterEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { booked, februaryNight, nightOf, nightsOf, rollUp, sign } from './february.ts';

let night: Night;
afterEach(() => night.close());

/** The lines of the summary about the sign-off of the month, from its label on. */
async function aboutOwnSignOff(): Promise<unknown[]> {
  const { book } = await rollUp(night);
  const cells = [...book.sheet('Month').cells];
  const label = cells.find(([, { value }]) => value === 'Sign-off of the month')?.[0] ?? '';
  const from = Number(label.slice(1));
  return [0, 1, 2].map((more) => book.value('Month', `B${from + more}`));
}

test('what was proven anew since, and what had no proof then, is none of what was signed', async () => {
  night = await februaryNight();
  await nightsOf(night, '2026-02-01', '2026-02-08');
  await nightsOf(night, '2026-02-10', '2026-02-28');
  await sign(night, '2026-02', 'looked at');
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect(await aboutOwnSignOff()).toEqual(['2026-02, Li', digest, 'Asia/Shanghai']);
  await night.entries([booked('A2', 'F3', 4n, '2026-02-28 09:00:00')]);
  await nightOf(night, '2026-02-28');
  await nightOf(night, '2026-02-09');
  expect(await aboutOwnSignOff()).toEqual([
    '2026-02, Li',
    digest,
    'Note: what was signed off of 2026-02 does not hold nightly-2026-02-09-v1, nightly-2026-02-10-v2, nightly-2026-02-28-v2; recon verify tells whether it differs.',
  ]);
});
