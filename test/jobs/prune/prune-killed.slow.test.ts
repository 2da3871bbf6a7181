/** A prune that is killed at any call leaves no file that is gone without a word, and the next one ends what it began. */
import { afterEach, expect, test } from 'vitest';
import { prune } from '../../../jobs/prune/prune.ts';
import { RETAINED_KINDS } from '../../../src/core/config/config-retention.ts';
import { Death, Fate, mortal } from '../../helpers/mortal-process.ts';
import { KeptNight } from '../../helpers/kept-night.ts';
import type { Night } from '../../helpers/night.ts';
import { LATER, answersOf, isThere, oldBooks, pruneOf, verified } from './old-books.ts';

let night: Night;
afterEach(() => night.close());

const ALL = { kinds: RETAINED_KINDS, isDry: false };

test('killed before and after every call, it says of each file that it went, and ends the rest', async () => {
  night = await oldBooks();
  const kept = await KeptNight.keep(night, LATER);
  await kept.putBack();
  const whole = new Fate();
  await prune(mortal(await night.process(), whole), ALL);
  const left = await answersOf(night);
  const pruned = await night.db.selectFrom('pruned').select(['kind', 'key']).orderBy('key').execute();
  expect(pruned.length).toBeGreaterThan(3);
  for (let atCall = 1; atCall <= whole.calls; atCall++) {
    for (const when of ['before', 'after'] as const) {
      await kept.putBack();
      const fate = new Fate({ atCall, when });
      await expect(prune(mortal(await night.process(), fate), ALL)).rejects.toBeInstanceOf(Death);
      await night.db.updateTable('lease').set({ holder: '', until: '2000-01-01T00:00:00.000Z' }).execute();
      expect({ atCall, when, faults: (await verified(night)).faults }).toEqual({ atCall, when, faults: [] });
      await pruneOf(night);
      expect((await verified(night)).faults).toEqual([]);
      expect(await answersOf(night)).toEqual(left);
      expect(await isThere(night, 'reports', '2026-03-01', 'v1')).toBe(false);
      expect(await night.db.selectFrom('pruned').select(['kind', 'key']).orderBy('key').execute()).toEqual(
        pruned,
      );
      expect(await night.db.selectFrom('pruned').selectAll().where('gone_at', 'is', null).execute()).toEqual(
        [],
      );
    }
  }
});
