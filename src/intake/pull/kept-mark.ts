/**
 * The mark of a pull that is under way. All that it stores goes by what the mark said when it began, and is stored while
 * that is so and nobody else pulls, or not at all.
 */
import type { Transaction } from 'kysely';
import type { Clock } from '../../core/ports.ts';
import type { Instant } from '../../core/time.ts';
import { findPullMark, requirePullMark, savePullMark } from '../../store/intake/pull-marks.ts';
import type { PullKey, PullMark } from '../../store/intake/pull-marks.ts';
import type { Db, Tables } from '../../store/schema/schema.ts';

export interface KeptMark {
  /** As the last pull left it, by whichever query. */
  left: PullMark | undefined;
  /** The latest change that this query yielded before; undefined: it is to be read from its beginning. */
  changedTo: Instant | undefined;
  /** @throws Stopped where somebody changed the books meanwhile, or pulls */
  keep(trx: Transaction<Tables>): Promise<void>;
  /** @throws Stopped as above */
  move(trx: Transaction<Tables>, to: { changedTo: Instant; wholeFrom: Instant | undefined }): Promise<void>;
}

export interface KeepingOf {
  db: Db;
  clock: Clock;
  /** That nobody else pulls. */
  keep: (trx: Transaction<Tables>) => Promise<void>;
}

export async function keepMark(of: KeepingOf, key: PullKey): Promise<KeptMark> {
  const left = await findPullMark(of.db, key);
  let known = left;
  const keep = async (trx: Transaction<Tables>): Promise<void> => {
    await requirePullMark(trx, key, known);
    await of.keep(trx);
  };
  return {
    left,
    changedTo: left?.query_sha256 === key.query_sha256 ? left.changed_to : undefined,
    keep,
    move: async (trx, to) => {
      await keep(trx);
      known = await savePullMark(trx, key, { ...to, pulledAt: of.clock.wall() });
    },
  };
}
