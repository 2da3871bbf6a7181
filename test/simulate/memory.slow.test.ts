/** A share of the simulation for every change: seeds in memory, every crash point of a small world (STL-09, STL-12). */
import { beforeAll, describe, expect, test } from 'vitest';
import { runBatch } from './batch.ts';
import type { BatchReport } from './batch.ts';
import { CANONICAL_WORLDS, exhaust } from './canonical-worlds.ts';
import { drawPlan } from './world/draw-plan.ts';
import { MemoryStore } from './memory-store.ts';
import { NETWORK_FAULTS } from './world/network.ts';
import { runSeed } from './run-seed.ts';

/** From the first to the last of them every fault, crash and event happens at least once. */
const FIRST = 101;
const SEEDS = 600;

let report: BatchReport;
beforeAll(async () => {
  report = await runBatch(new MemoryStore(), { first: FIRST, last: FIRST + SEEDS - 1, without: [] });
}, 600_000);

describe('seeds in memory', () => {
  test(`no order is paid twice in ${SEEDS} seeds, nothing is claimed that is not so, nothing stays open`, () => {
    expect(report.violated).toEqual([]);
    expect(report.seeds).toBe(SEEDS);
  });

  test('every fault, crash and event happened in them: what never happens shows nothing', () => {
    expect(SITES.filter((site) => report.counts[site] === undefined)).toEqual([]);
    const died = CALLS.filter((call) =>
      Object.keys(report.counts).some((site) => site.startsWith(`crash.book.${call}.`)),
    );
    expect(died).toEqual(CALLS);
  });

  test('nor where the platform does not guard itself against duplicates in any seed', async () => {
    const [first, last] = [100_001, 100_200];
    const unguarded = await runBatch(new MemoryStore(), { first, last, without: [], guard: 'off' });
    expect(unguarded.violated).toEqual([]);
    expect(unguarded.sends).toBeGreaterThan(200);
  }, 300_000);

  test('nor paid and refunded where somebody calls for refunds in every seed', async () => {
    const [first, last] = [200_001, 200_080];
    const of = { first, last, without: [], guard: 'off', refunds: 'always' } as const;
    const refunded = await runBatch(new MemoryStore(), of);
    expect(refunded.violated).toEqual([]);
    expect(refunded.counts['refund.recon.accepted']).toBeGreaterThan(10);
  }, 300_000);

  test.each([
    ['a refund by hand never meets an attempt that mark and database forgot together', 4_750],
    ['a person ends attempts of a batch that tells of refunds, one after the other', 398],
  ])('%s (seed %i)', async (_what, seed) => {
    const plan = drawPlan(seed, { guard: 'off', refunds: 'always' });
    const { violations } = await runSeed({ store: new MemoryStore(), plan });
    expect(violations).toEqual([]);
  });

  test('H18: a backup from between the plan and the send, restored: nobody claims that nothing was sent', async () => {
    const drawn = drawPlan(48_888, { guard: 'off' });
    const restores = drawn.restores.map((restore) => ({ ...restore, what: 'another' as const }));
    const { violations, counts } = await runSeed({ store: new MemoryStore(), plan: { ...drawn, restores } });
    expect(violations).toEqual([]);
    expect(counts['restore.another']).toBe(1);
  });

  test.each([
    ['paid by hand and sent back: RETURNED', 88_002_659],
    ['paid by an attempt that a restore forgot, and sent back: RETURNED', 88_000_921],
    ['paid by hand and sent back before queries showed it: SUCCESS while they do', 88_003_016],
  ])('whose a payment is nobody can tell. An order %s', async (_what, seed) => {
    const { violations } = await runSeed({
      store: new MemoryStore(),
      plan: drawPlan(seed, { guard: 'off' }),
    });
    expect(violations).toEqual([]);
  });

  test.each([103_130, 110_388, 130_870])(
    'nobody says that a payment came back which somebody else made and which stays (seed %i)',
    async (seed) => {
      const { violations } = await runSeed({ store: new MemoryStore(), plan: drawPlan(seed) });
      expect(violations).toEqual([]);
    },
  );

  test('the same seed gives the same trace', async () => {
    const store = new MemoryStore();
    for (let seed = 1; seed <= 30; seed++) {
      const digests = new Set<string>();
      for (let time = 1; time <= 2; time++) {
        digests.add((await runSeed({ store, plan: drawPlan(seed) })).digest);
      }
      expect([...digests], `seed ${seed}`).toHaveLength(1);
    }
  }, 120_000);
});

describe('every crash point of a world', () => {
  test.each(['paid at the first retry'])(
    '%s: all ends as it does without a crash (H1)',
    async (name) => {
      const plan = CANONICAL_WORLDS[name];
      if (plan === undefined) throw new Error(`there is no world "${name}"`);
      const { crashPoints, faults } = await exhaust(new MemoryStore(), plan);
      expect(faults).toEqual([]);
      expect(crashPoints).toBeGreaterThan(100);
    },
    120_000,
  );
});

const CALLS = ['guard', 'listOpen', 'listFailed', 'saveLook', 'plan', 'markSent', 'saveAnswer', 'close'];
const SITES = [
  ...NETWORK_FAULTS.map((fault) => `network.${fault}`),
  ...['before', 'within', 'after'].flatMap((when) => [
    `crash.platform.post.${when}`,
    `crash.lease.take.${when}`,
    `crash.mark.read.${when}`,
  ]),
  ...['before', 'after'].map((when) => `failure.book.saveLook.${when}`),
  ...['before', 'after'].map((when) => `failure.book.markSent.${when}`),
  'lease.stolen',
  'restore.same',
  'restore.another',
  'restore.home',
  'restore.machine',
  'restore.mark lost',
  'restore.volumes',
  'awaiting.approved',
  'byHand.accepted',
  'refund.pages.accepted',
  ...['accepted', 'refused', 'unknown', 'notSent', 'locked', 'died'].map((how) => `refund.recon.${how}`),
  'refund.denied',
  'plan.approved',
  'network.standStill',
  'process.pause',
  'process.late',
];
