/** A short share of `npm run live`: real processes on a real server, raced and killed. */
import { describe, expect, test } from 'vitest';
import { onPostgres } from '../helpers/database.ts';
import { runKills } from './kills.ts';
import { runRaces } from './races.ts';

const SILENT = (): void => undefined;

/** The embedded database belongs to one process at a time; there two can never meet. */
describe.runIf(onPostgres)('on a server', () => {
  test(
    'M3: two processes that retry at once, four times: no order is paid twice, one ends with 0 and the other with 0 or 4',
    { timeout: 180_000 },
    async () => {
      const { rounds, violations } = await runRaces({ rounds: 4, seed: 20_260_302, print: SILENT });
      expect(violations).toEqual([]);
      expect(rounds).toBe(4);
    },
  );

  test(
    'H1: killed with -9 six times and started again, over a bad network: no order is paid twice, all become certain',
    { timeout: 180_000 },
    async () => {
      const { rounds, violations } = await runKills({ rounds: 6, seed: 20_260_303, print: SILENT });
      expect(violations).toEqual([]);
      expect(rounds).toBe(6);
    },
  );
});
