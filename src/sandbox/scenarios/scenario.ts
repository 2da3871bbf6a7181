/** The seeded scenarios by name. */
import { z } from 'zod';

import { addDays, firstOfMonth, parseDay } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import { seedMovements } from '../world/movements.ts';
import { seedTransfers, seedWithdrawals } from '../orders/seed-orders.ts';
import { checked } from '../world/seed-schema.ts';
import { seedAccounts, seedDeposits } from '../world/seed.ts';
import type { World } from '../world/world.ts';
import { demoScenario } from './demo.ts';
import { fillVolume } from './volume.ts';

const day = z.string().refine((text) => parseDay(text) !== undefined, 'must be a day yyyy-MM-dd');

const scenarioObject = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('empty') }),
  /** A month of trade up to that day; by default up to yesterday of the sandbox's clock. */
  z.strictObject({ name: z.literal('demo'), through: day.optional() }),
  /**
   * So many accounts with so many deposits each, so many transfer batches and withdrawals among them, spread over
   * so many days; by default from last month on.
   */
  z.strictObject({
    name: z.literal('volume'),
    accounts: z.int().min(1).max(100_000).default(10),
    depositsPerAccount: z.int().min(0).max(10_000_000).default(1_000),
    transferBatches: z.int().min(0).max(1_000_000).default(0),
    ordersPerBatch: z.int().min(1).max(100).default(20),
    withdrawals: z.int().min(0).max(5_000_000).default(0),
    from: day.optional(),
    days: z.int().min(1).max(3_660).default(30),
  }),
]);

export const scenarioSchema = z.union([
  scenarioObject,
  z
    .enum(['empty', 'demo', 'volume'])
    .transform((name) => ({ name }))
    .pipe(scenarioObject),
]);

/** A scenario's name alone takes its defaults. */
export type ScenarioChoice = z.input<typeof scenarioSchema>;

/** Fills a new world. @throws WrongInput for a scenario that does not exist */
export function buildScenario(world: World, choice: ScenarioChoice): void {
  const scenario = checked(scenarioSchema, choice, 'scenario');
  if (scenario.name === 'demo') buildDemo(world, scenario.through);
  if (scenario.name === 'volume') {
    const from = scenario.from ?? firstOfMonth(addDays(today(world), -31));
    fillVolume(world, { ...scenario, from, seed: world.seed });
  }
}

function buildDemo(world: World, through: Day | undefined): void {
  const demo = demoScenario({
    seed: world.seed,
    through: through ?? addDays(today(world), -1),
    timeZone: world.zone.name,
  });
  seedAccounts(world, demo.accounts);
  seedDeposits(world, demo.deposits);
  seedTransfers(world, demo.transfers);
  seedWithdrawals(world, demo.withdrawals);
  seedMovements(world, demo.movements);
  world.switches = { ...world.switches, emptyListingOf: [...demo.emptyListingOf] };
}

function today(world: World): Day {
  return world.zone.dayOf(world.clock.now());
}
