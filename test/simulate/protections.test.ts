/**
 * Every protection of the protocol is needed, and the simulation sees where one is missing: each is taken away by
 * wrapping a port, and a seed that was found by `npm run simulate -- --missing` shows what happens then.
 */
import { expect, test } from 'vitest';
import { drawPlan } from './draw-plan.ts';
import { MemoryStore } from './memory-store.ts';
import type { ViolationKind } from './oracle.ts';
import { PROTECTIONS } from './protections.ts';
import type { Protection } from './protections.ts';
import { runSeed } from './run-seed.ts';

const FOUND: Readonly<Record<Protection, { seed: number; kind: ViolationKind }>> = {
  intent: { seed: 1, kind: 'sent unrecorded' },
  'one-open': { seed: 3, kind: 'sent too soon' },
  margin: { seed: 291, kind: 'closed wrongly' },
  'second-look': { seed: 129, kind: 'closed wrongly' },
  'one-send': { seed: 1, kind: 'double payment' },
  fence: { seed: 6, kind: 'sent without the lease' },
  'sent-is-unknown': { seed: 4, kind: 'double payment' },
  'refusal-is-unknown': { seed: 18, kind: 'closed wrongly' },
  hold: { seed: 227, kind: 'double payment' },
  'signed-looks': { seed: 876, kind: 'double payment' },
  'fresh-look': { seed: 2, kind: 'double payment' },
};

const rows = (Object.keys(FOUND) as Protection[]).map((name) => ({
  name,
  without: PROTECTIONS[name].without,
  ...FOUND[name],
}));

test.each(rows)('without "$without" seed $seed ends in: $kind', async ({ name, seed, kind }) => {
  const store = new MemoryStore();
  const plan = drawPlan(seed, { guard: 'off' });
  const sound = await runSeed({ store, plan });
  expect(sound.violations).toEqual([]);
  const { violations } = await runSeed({ store, plan, without: [name] });
  expect(violations.map((violation) => violation.kind)).toContain(kind);
});
