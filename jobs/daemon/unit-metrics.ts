/** What `/metrics` shows of units and workers; nothing of it where nights do their work alone. */
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { SECOND_MS, epochMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { UnitCounts } from '../../src/store/units/unit-counts.ts';

export function tellUnits(
  registry: Registry,
  { units, alive, fencesLost, rateWaitMs }: UnitCounts,
  now: Instant,
): void {
  const registers = [registry];
  new Gauge({ name: 'recon_workers_alive', help: 'Workers that told of themselves lately', registers }).set(
    alive,
  );
  const counter = (name: string, help: string, value: number): void =>
    new Counter({ name, help, registers }).inc(value);
  counter('recon_fence_lost_total', 'Units that another worker had by the time they were stored', fencesLost);
  counter('recon_rate_wait_seconds', 'Waits of workers for the platform’s rate', rateWaitMs / SECOND_MS);
  const byState = new Gauge({
    name: 'recon_units',
    help: 'Units of the latest night',
    labelNames: ['kind', 'state'],
    registers,
  });
  const seconds = new Gauge({
    name: 'recon_unit_seconds',
    help: 'From the beginning of a unit to its end, on average',
    labelNames: ['kind'],
    registers,
  });
  for (const unit of units) {
    byState.set({ kind: unit.kind, state: unit.state }, unit.count);
    if (unit.state === 'done' && unit.seconds !== null) seconds.set({ kind: unit.kind }, unit.seconds);
  }
  const repeated = units.reduce((sum, unit) => sum + unit.repeated, 0);
  counter('recon_unit_redelivered_total', 'Units of the latest night that were begun once more', repeated);
  const givenUp = units
    .filter(({ state }) => state === 'given_up')
    .reduce((sum, unit) => sum + unit.count, 0);
  counter('recon_unit_dead_total', 'Units of the latest night that were given up', givenUp);
  const waiting = units.filter(({ state }) => state === 'planned').map(({ oldestAt }) => epochMs(oldestAt));
  const oldestMs = waiting.length === 0 ? 0 : epochMs(now) - Math.min(...waiting);
  new Gauge({
    name: 'recon_oldest_unit_seconds',
    help: 'Since the first unit was planned that has not ended; 0 where all have',
    registers,
  }).set(oldestMs / SECOND_MS);
}
