/**
 * `npm run simulate`: one seed with its trace, a range of seeds, every crash point of three worlds, or the first seed
 * that finds each protection missing.
 */
import { parseArgs } from 'node:util';
import { CANONICAL_WORLDS, exhaust } from './canonical-worlds.ts';
import { drawPlan } from './world/draw-plan.ts';
import type { DrawOptions } from './world/draw-plan.ts';
import { findMissing } from './find-missing.ts';
import type { When } from './world/mortal-process.ts';
import { openStore, STORES } from './open-store.ts';
import type { StoreKind } from './open-store.ts';
import type { Violation } from './oracle.ts';
import { isProtection, PROTECTIONS } from './protections/protections.ts';
import type { Protection } from './protections/protections.ts';
import { runRange } from './run-range.ts';
import { runSeed } from './run-seed.ts';

const USAGE = `npm run simulate -- --seed N [--trace] [--crash-at K [--when before|within|after]] [--without PROTECTION …]
npm run simulate -- --seeds A..B [--jobs 2] [--without PROTECTION …]
npm run simulate -- --missing [--seeds A..B] [--without PROTECTION …]   the first seed that finds each protection missing
npm run simulate -- --exhaustive                                        every crash point of three worlds
all: [--store memory|postgres|embedded] [--guard off|on] [--refunds always|off]
protections: ${Object.keys(PROTECTIONS).join(', ')}

Example: npm run simulate -- --seeds 1..1000 --without fence`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    store: { type: 'string', default: 'memory' },
    guard: { type: 'string', default: 'drawn' },
    refunds: { type: 'string', default: 'drawn' },
    without: { type: 'string', multiple: true, default: [] },
    'crash-at': { type: 'string' },
    when: { type: 'string', default: 'before' },
    trace: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

interface Chosen {
  store: StoreKind;
  guard: NonNullable<DrawOptions['guard']>;
  refunds: NonNullable<DrawOptions['refunds']>;
  without: Protection[];
}

async function main(): Promise<boolean> {
  if (values.help) {
    print(USAGE);
    return true;
  }
  const chosen = readChosen();
  if (values.exhaustive) return await exhaustive(chosen);
  if (values.missing) return await missing(chosen);
  if (values.seed !== undefined) return await oneSeed(chosen, wholeNumber(values.seed));
  if (values.seeds !== undefined) return await range(chosen, readRange(values.seeds));
  throw new Error(USAGE);
}

function readChosen(): Chosen {
  const { store, guard, refunds, without } = values;
  const kind = STORES.find((known) => known === store);
  const isGuard = guard === 'drawn' || guard === 'off' || guard === 'on';
  const isRefunds = refunds === 'drawn' || refunds === 'always' || refunds === 'off';
  if (kind === undefined || !isGuard || !isRefunds || !without.every(isProtection)) throw new Error(USAGE);
  return { store: kind, guard, refunds, without };
}

async function oneSeed({ store: kind, guard, refunds, without }: Chosen, seed: number): Promise<boolean> {
  const store = await openStore(kind);
  const at = values['crash-at'];
  const crashAt = at === undefined ? undefined : { call: wholeNumber(at), when: values.when as When };
  const plan = drawPlan(seed, { guard, refunds });
  const ran = await runSeed({ store, plan, without, keepsTrace: values.trace, ...(crashAt && { crashAt }) });
  await store.close();
  for (const line of ran.trace) print(line);
  print(`seed ${seed}: ${ran.sends} sends, ${ran.calls} port calls, trace ${ran.digest}`);
  printViolations(ran.violations);
  return ran.violations.length === 0;
}

async function range(chosen: Chosen, { first, last }: { first: number; last: number }): Promise<boolean> {
  const jobs = wholeNumber(values.jobs);
  const sum = await runRange({ ...chosen, first, last, jobs });
  const perMinute = Math.round(sum.seeds / (sum.ms / 60_000));
  for (const [what, count] of Object.entries(sum.counts).toSorted(byName)) print(`${what} ${count}`);
  for (const { seed, violations } of sum.violated) {
    print(`seed ${seed}:`);
    printViolations(violations);
  }
  print(
    `${sum.seeds} seeds (${chosen.store}, guard ${chosen.guard}, refunds ${chosen.refunds}), ${sum.sends} sends, ${sum.calls} port calls, ` +
      `${perMinute} seeds a minute, ${sum.violated.length} with violations`,
  );
  return sum.violated.length === 0;
}

async function exhaustive({ store: kind }: Chosen): Promise<boolean> {
  const store = await openStore(kind);
  let isSound = true;
  for (const [name, plan] of Object.entries(CANONICAL_WORLDS)) {
    const { crashPoints, faults } = await exhaust(store, plan);
    for (const fault of faults) print(`  ${fault}`);
    print(`${name}: ${crashPoints} crash points, ${faults.length} faults`);
    isSound &&= faults.length === 0;
  }
  await store.close();
  return isSound;
}

/** Here a violation is what is looked for. */
async function missing(chosen: Chosen): Promise<boolean> {
  const { first, last } = readRange(values.seeds ?? '1..20000');
  const store = await openStore(chosen.store);
  const sets =
    chosen.without.length > 0
      ? [chosen.without]
      : (Object.keys(PROTECTIONS) as Protection[]).map((name) => [name]);
  let areFound = true;
  for (const without of sets) {
    const found = await findMissing(store, { without, first, last, refunds: chosen.refunds });
    print(`${without.join(' and ')}: ${found.text}`);
    areFound &&= found.isFound;
  }
  await store.close();
  return areFound;
}

function readRange(text: string): { first: number; last: number } {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined) throw new Error(USAGE);
  return { first: wholeNumber(first), last: wholeNumber(last) };
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(USAGE);
  return Number(text);
}

function byName([one]: [string, number], [other]: [string, number]): number {
  return one < other ? -1 : 1;
}

function printViolations(violations: readonly Violation[]): void {
  for (const { kind, what, atMs } of violations) print(`  ${kind} at ${atMs} ms: ${what}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = (await main()) ? 0 : 1;
