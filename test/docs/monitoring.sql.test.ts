/**
 * What docs/monitoring asks of `/metrics` is there: a dashboard or an alert that names a metric, a label or a value that
 * nobody shows is silent for ever. `/metrics` itself is read by the rules of its format.
 */
import { parser } from '@prometheus-io/lezer-promql';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { metricsRoutes } from '../../jobs/daemon/metrics.ts';
import { openStatusServer } from '../../jobs/daemon/status-server.ts';
import { systemClock } from '../../src/core/clock.ts';
import { readSettings } from '../../src/core/config/config.ts';
import { saveBeat } from '../../src/store/units/workers.ts';
import { aRun, aRunAccount, aSnapshot, at } from '../helpers/company/run-rows.ts';
import { testDatabase } from '../helpers/database.ts';
import { recordingLog } from '../helpers/log.ts';
import { parsePrometheusText } from '../jobs/daemon/prometheus-text.ts';
import type { Family } from '../jobs/daemon/prometheus-text.ts';
import { openBreaks } from '../jobs/page/page-rows.ts';

const FOLDER = new URL('../../docs/monitoring/', import.meta.url);

const rulesFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Recon[A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string().min(20) }),
        }),
      ),
    }),
  ),
});

const dashboardFile = z.object({
  uid: z.literal('recon'),
  schemaVersion: z.number(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).min(1),
    }),
  ),
});

let families: Family[];
let contentType: string;
const expressions: { where: string; expr: string }[] = [];
const dashboard = dashboardFile.parse(
  JSON.parse(await readFile(new URL('grafana-recon.json', FOLDER), 'utf8')),
);
const rules = rulesFile.parse(parse(await readFile(new URL('recon.rules.yml', FOLDER), 'utf8')));

beforeAll(async () => {
  for (const rule of rules.groups.flatMap((group) => group.rules))
    expressions.push({ where: rule.alert, expr: rule.expr });
  for (const { title, targets } of dashboard.panels)
    for (const { expr } of targets) expressions.push({ where: title, expr });
  ({ families, contentType } = await everyMetric());
});

/** All that can be shown at once: a night with breaks, units and their workers, pushes. */
async function everyMetric(): Promise<{ families: Family[]; contentType: string }> {
  const database = await testDatabase();
  const { db } = database;
  const run_id = await aRun(db, { verdict: 'breaks', finished_at: at('2026-03-02 02:00:42') });
  await aRunAccount(db, { run_id, account_no: '100001', verdict: 'breaks' });
  await aSnapshot(db, { run_id: 's', account_no: '100001', purpose: 'snapshot' });
  await openBreaks(db, { each: 1, last: '2026-03-01' });
  const id = '00000000-0000-0000-0000-000000000001';
  const unit = {
    run_id,
    begun: 1,
    kind: 'deposits',
    items: 200,
    work: '{}',
    unit_id: id,
    job_id: id,
    chunk_no: 0,
  };
  const times = { planned_at: at('2026-03-02 02:00:00'), begun_at: at('2026-03-02 02:00:10') };
  await db
    .insertInto('work_unit')
    .values({ ...unit, ...times, state: 'done', tries: 1, ended_at: at('2026-03-02 02:00:30') })
    .execute();
  await saveBeat(db, {
    workerId: 'W1',
    host: 'a',
    pid: 1,
    kinds: ['deposits'],
    fencesLost: 2,
    rateWaitMs: 1_500,
  });
  const settings = { ...readSettings({ env: {}, needs: { platform: false } }), workers: true };
  const log = recordingLog();
  const context = { db, realClock: systemClock(), log, settings };
  const pushes = {
    counts: () => [{ kind: 'transfer', outcome: 'taken', count: 3 } as const],
    hints: () => [{ kind: 'transfer', state: 'unregistered', count: 1 } as const],
  };
  const server = await openStatusServer({ listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log }, [
    metricsRoutes(context, () => ({ nights: 0, snapshots: 0 }), pushes),
  ]);
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  const text = await response.text();
  await server.close();
  await database.close();
  return { families: parsePrometheusText(text), contentType: response.headers.get('content-type') ?? '' };
}

test('/metrics is the text format of Prometheus, every line of it, and names nobody', () => {
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(families.length).toBeGreaterThan(15);
  for (const { name, samples } of families) {
    expect(name).toMatch(/^recon_[a-z_]+$/);
    expect(samples.length, name).toBeGreaterThan(0);
  }
  expect(JSON.stringify(families)).not.toContain('100001');
});

test.each([
  ['recon_a 1', 'the last line does not end'],
  ['recon_a 1\n', 'a sample apart from its metric'],
  ['# TYPE recon_a gauge\n', 'HELP does not stand before TYPE'],
  ['# HELP recon_a a\n# TYPE recon_a gauge\nrecon_a{b="1",b="2"} 1\n', 'a label that may not be there'],
  ['# HELP recon_a a\n# TYPE recon_a gauge\nrecon_a{b="1} 1\n', 'no label'],
  ['# HELP recon_a a\n# TYPE recon_a gauge\nrecon_a one\n', 'no value'],
  ['# HELP recon_a a\n# TYPE recon_a gauge\nrecon_a 1\nrecon_a 2\n', 'a series that is there twice'],
  ['# HELP recon_a a\n# TYPE recon_a counter\nrecon_a -1\n', 'a counter below zero'],
])('a text that is none is refused: %j', (text, why) => {
  expect(() => parsePrometheusText(text)).toThrow(why);
});

interface Selector {
  metric: string;
  labels: readonly string[];
}

/** @throws Error where it is no PromQL */
function selectorsOf(expr: string): Selector[] {
  const found: { metric: string; labels: string[] }[] = [];
  parser.parse(expr.replaceAll('$job', 'recon')).iterate({
    enter: ({ type, from, to }) => {
      const text = expr.replaceAll('$job', 'recon').slice(from, to);
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`);
      if (type.name === 'VectorSelector') found.push({ metric: /^[\w:]+/.exec(text)?.[0] ?? '', labels: [] });
      if (type.name === 'LabelName') found.at(-1)?.labels.push(text);
    },
  });
  return found;
}

/** Of the scraper itself, and the label that it adds. */
const SCRAPER = { metrics: ['up'], labels: ['job', 'instance'] };

test('every alert and every panel asks for metrics and labels that /metrics shows', () => {
  const shown = new Map(families.map(({ name, samples }) => [name, Object.keys(samples[0]?.labels ?? {})]));
  expect(expressions.length).toBeGreaterThan(30);
  for (const { where, expr } of expressions) {
    const selectors = selectorsOf(expr);
    expect(selectors.length, `${where}: ${expr}`).toBeGreaterThan(0);
    for (const { metric, labels } of selectors.filter((one) => !SCRAPER.metrics.includes(one.metric))) {
      expect([...shown.keys()], where).toContain(metric);
      // A label after `by (…)` is of the aggregation around it, and is a label of the same metric here.
      const known = [...(shown.get(metric) ?? []), ...SCRAPER.labels];
      for (const label of labels) expect(known, `${where}: ${expr}`).toContain(label);
    }
  }
});

test('what is not PromQL, or is no metric, would be noticed', () => {
  expect(() => selectorsOf('sum(recon_accounts')).toThrow('no PromQL');
  expect(selectorsOf('recon_x{a="1"} > on() sum(recon_y)')).toEqual([
    { metric: 'recon_x', labels: ['a'] },
    { metric: 'recon_y', labels: [] },
  ]);
});

test('every metric is on the dashboard', () => {
  const asked = new Set(
    dashboard.panels
      .flatMap(({ targets }) => targets.flatMap(({ expr }) => selectorsOf(expr)))
      .map(({ metric }) => metric),
  );
  for (const { name } of families) expect(asked, name).toContain(name);
});

test('an alert that tells apart values of a label names values that there are', async () => {
  const words = expressions.flatMap(({ expr }) =>
    [...expr.matchAll(/(verdict|severity|outcome|state)="(\w+)"/g)].map(
      ([, label, value]) => `${label}=${value}`,
    ),
  );
  const known = ['reconciled', 'reconciled_with_timing', 'breaks', 'unverified', 'incomplete'].map(
    (one) => `verdict=${one}`,
  );
  known.push('severity=break', 'severity=attention', 'outcome=forged', 'outcome=unstored');
  known.push('state=planned', 'state=unregistered');
  for (const word of new Set(words)) expect(known).toContain(word);
});

test('panels lie beside each other and not over each other', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

afterAll(() => expressions.splice(0));
