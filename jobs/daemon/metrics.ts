/** `/metrics` for Prometheus, made from tables at each question. */
import { Counter, Gauge, Registry } from 'prom-client';
import { messageOf } from '../../src/core/errors.ts';
import { SECOND_MS, epochMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Verdict } from '../../src/store/schema/schema.ts';
import type { PushCount } from '../../src/store/pushes/push-stock.ts';
import type { Context } from '../context/context.ts';
import type { PushTally } from '../push/push-tally.ts';
import { countUnits } from '../../src/store/units/unit-counts.ts';
import { tellUnits } from './unit-metrics.ts';
import { channelsSet } from '../alerts/raise.ts';
import { countDeliveries } from '../../src/store/alerts/alerts.ts';
import type { DeliveryCount } from '../../src/store/alerts/alerts.ts';
import { readStatus } from './status.ts';
import type { Status } from './status.ts';
import type { Routes } from './status-server.ts';

/** Failures since the process began; tables only know what came to a verdict. */
export interface Failures {
  nights: number;
  snapshots: number;
}

type Observed = Pick<Context, 'db' | 'realClock' | 'log' | 'settings'>;

/** A record, so that a verdict that is missing here does not compile. */
const VERDICTS: Readonly<Record<Verdict, true>> = {
  reconciled: true,
  reconciled_with_timing: true,
  breaks: true,
  unverified: true,
  incomplete: true,
};

export function metricsRoutes(
  context: Observed,
  failures: () => Failures,
  pushes?: Pick<PushTally, 'counts' | 'hints'>,
): Routes {
  return (server) => {
    server.get('/metrics', async (_request, reply) => {
      const registry = await measured(context, failures());
      if (pushes !== undefined) tellPushes(registry, pushes);
      return reply.type(registry.contentType).send(await registry.metrics());
    });
  };
}

async function measured({ db, realClock, log, settings }: Observed, failures: Failures): Promise<Registry> {
  const registry = new Registry();
  const up = gauge(registry, 'recon_database_up', 'Whether the database answers');
  count(registry, 'recon_night_failures_total', 'Nights that ended with an error', failures.nights);
  count(registry, 'recon_snapshot_failures_total', 'Snapshots that ended with an error', failures.snapshots);
  try {
    tellStatus(registry, await readStatus(db, realClock));
    if (channelsSet(settings).length > 0) tellAlerts(registry, await countDeliveries(db));
    if (settings.workers) tellUnits(registry, await countUnits(db), realClock.wall());
    up.set(1);
  } catch (error) {
    log.warn({ event: 'database.unreachable', reason: messageOf(error) });
    up.set(0);
  }
  return registry;
}

/** What is not known is not told: a gauge without a value raises the alert that a zero would hide. */
function tellStatus(registry: Registry, { night, openItems, verdicts, snapshotAt }: Status): void {
  const breaks = gauge(registry, 'recon_open_breaks', 'Open breaks', ['class', 'severity']);
  const timing = gauge(registry, 'recon_timing_items', 'Items on their way', ['class']);
  for (const item of openItems) {
    if (item.severity === 'timing') timing.set({ class: item.class }, item.count);
    else breaks.set({ class: item.class, severity: item.severity }, item.count);
  }
  if (snapshotAt !== undefined) {
    gauge(registry, 'recon_last_snapshot_timestamp_seconds', 'The last midnight snapshot').set(
      seconds(snapshotAt),
    );
  }
  if (night === undefined) return;
  gauge(registry, 'recon_last_night_timestamp_seconds', 'When the last night ended').set(
    seconds(night.finishedAt),
  );
  gauge(
    registry,
    'recon_last_night_duration_seconds',
    'From the beginning of the last night to its end, vouchers and publishing included',
  ).set((epochMs(night.finishedAt) - epochMs(night.startedAt)) / SECOND_MS);
  const verdict = gauge(registry, 'recon_last_night_verdict', '1 for the verdict of the last night', [
    'verdict',
  ]);
  for (const name of Object.keys(VERDICTS)) verdict.set({ verdict: name }, name === night.verdict ? 1 : 0);
  const accounts = gauge(registry, 'recon_accounts', 'Accounts of the last night', ['verdict']);
  for (const of of verdicts) accounts.set({ verdict: of.verdict }, of.count);
}

/**
 * What came in since the process began, because tables know nothing of what was refused; and what is kept, as it was
 * counted at the last sweep: whoever asks must not make the table be counted.
 */
function tellPushes(registry: Registry, pushes: Pick<PushTally, 'counts' | 'hints'>): void {
  tellHints(registry, pushes.hints());
  const came = new Counter({
    name: 'recon_pushes_total',
    help: 'Pushes of the platform that came in',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  for (const { kind, outcome, count } of pushes.counts()) came.inc({ kind, outcome }, count);
}

function tellHints(registry: Registry, counts: readonly PushCount[]): void {
  const hints = gauge(registry, 'recon_push_hints', 'Pushes that are kept', ['kind', 'state']);
  for (const { kind, state, count: number } of counts) hints.set({ kind, state }, number);
}

/** `given_up` above 0: somebody has not been told. */
function tellAlerts(registry: Registry, counts: readonly DeliveryCount[]): void {
  const deliveries = gauge(registry, 'recon_alert_deliveries', 'Alerts by channel', ['channel', 'state']);
  for (const { channel, state, count: number } of counts) deliveries.set({ channel, state }, number);
}

function gauge<T extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: T[] = [],
): Gauge<T> {
  return new Gauge<T>({ name, help, labelNames, registers: [registry] });
}

function count(registry: Registry, name: string, help: string, value: number): void {
  new Counter({ name, help, registers: [registry] }).inc(value);
}

function seconds(instant: Instant): number {
  return epochMs(instant) / SECOND_MS;
}
