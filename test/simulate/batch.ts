/** A range of seeds on one store: what was violated, how often each thing happened, and how fast it went. */
import type { BookStore } from './book-store.ts';
import { drawPlan } from './world/draw-plan.ts';
import type { DrawOptions } from './world/draw-plan.ts';
import type { Violation } from './oracle.ts';
import type { Protection } from './protections/protections.ts';
import { runSeed } from './run-seed.ts';

export interface BatchRequest extends DrawOptions {
  first: number;
  last: number;
  without: readonly Protection[];
  /** Ends at the first seed with a violation that is looked for. */
  until?: ((violations: readonly Violation[]) => boolean) | undefined;
}

export interface BatchReport {
  seeds: number;
  sends: number;
  calls: number;
  counts: Record<string, number>;
  violated: { seed: number; violations: readonly Violation[] }[];
}

/** More than that many are not kept; the first ones are what people look at. */
const VIOLATED_MAX = 50;

export async function runBatch(
  store: BookStore,
  request: BatchRequest,
  progress: (report: BatchReport) => void = () => undefined,
): Promise<BatchReport> {
  const { first, last, without, until, ...options } = request;
  const report: BatchReport = { seeds: 0, sends: 0, calls: 0, counts: {}, violated: [] };
  for (let seed = first; seed <= last; seed++) {
    const found = await oneSeed(store, { seed, without, options }, report);
    progress(report);
    if (until?.(found) === true) break;
  }
  return report;
}

async function oneSeed(
  store: BookStore,
  of: { seed: number; without: readonly Protection[]; options: DrawOptions },
  report: BatchReport,
): Promise<readonly Violation[]> {
  const { seed, without, options } = of;
  const plan = drawPlan(seed, options);
  const ran = await runSeed({ store, plan, without });
  report.seeds += 1;
  report.sends += ran.sends;
  report.calls += ran.calls;
  addCounts(report.counts, ran.counts);
  if (ran.violations.length > 0 && report.violated.length < VIOLATED_MAX) {
    report.violated.push({ seed, violations: ran.violations });
  }
  return ran.violations;
}

export function addCounts(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
}
