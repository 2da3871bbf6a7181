/**
 * README, docs/deploy and compose.yaml: units and manifests call commands that are there, as the images and the documents say, ask the paths that
 * answer, and give no more rights than recon needs. systemd reads its units itself, where it is installed.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { runCli } from '../helpers/cli.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const DEPLOY = path.join(ROOT, 'docs', 'deploy');
const LIMIT_MS = 60_000;

/** The commands as the executable declares them. */
let commands: readonly string[];
beforeAll(async () => {
  const { stdout } = await runCli(['completion', 'bash']);
  commands = [...stdout.matchAll(/^ {4}'recon ([^']+)'\)/gm)].map(([, name = '']) => name);
  expect(commands).toContain('alerts send');
}, LIMIT_MS);

const settings = z.array(z.object({ name: z.string(), value: z.string() }));
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.literal('health') }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});
const container = z.strictObject({
  name: z.string(),
  image: z.literal('registry.example/recon:0.1.0'),
  args: z.array(z.string()),
  envFrom: z.tuple([z.strictObject({ secretRef: z.strictObject({ name: z.literal('recon-settings') }) })]),
  env: settings,
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.object({ limits: z.strictObject({ memory: z.string() }) }),
  securityContext: z.strictObject({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
});
const labelled = z.object({ labels: z.strictObject({ app: z.string() }) });
const pod = z.strictObject({
  metadata: labelled,
  spec: z.strictObject({
    restartPolicy: z.literal('Never').optional(),
    automountServiceAccountToken: z.literal(false),
    // A process that is told to stop has nine seconds of work to end.
    terminationGracePeriodSeconds: z.int().min(10),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.literal(1000),
      runAsGroup: z.literal(1000),
      fsGroup: z.literal(1000).optional(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    containers: z.tuple([container]),
    volumes: z.array(z.object({ name: z.string() })),
  }),
});
const running = z.strictObject({
  replicas: z.int(),
  serviceName: z.string().optional(),
  selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
  template: pod,
  volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })).optional(),
});
const repeated = z.object({
  schedule: z.string(),
  timeZone: z.literal('Asia/Shanghai'),
  concurrencyPolicy: z.literal('Forbid'),
  jobTemplate: z.object({ spec: z.object({ template: pod }) }),
});
const resource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('StatefulSet'), apiVersion: z.literal('apps/v1'), spec: running }),
  z.object({ kind: z.literal('Deployment'), apiVersion: z.literal('apps/v1'), spec: running }),
  z.object({ kind: z.literal('CronJob'), apiVersion: z.literal('batch/v1'), spec: repeated }),
  z.object({
    kind: z.literal('Service'),
    apiVersion: z.literal('v1'),
    spec: z.strictObject({
      selector: z.record(z.string(), z.string()),
      ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
]);
const composed = z.object({ services: z.record(z.string(), z.record(z.string(), z.unknown())) });
type Resource = z.infer<typeof resource>;

async function manifests(): Promise<Resource[]> {
  const folder = path.join(DEPLOY, 'kubernetes');
  const found: Resource[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const documents = parseAllDocuments(await readFile(path.join(folder, name), 'utf8'));
    if (!Array.isArray(documents)) throw new Error(`${name} is empty`);
    for (const document of documents) {
      expect([name, document.errors, document.warnings]).toEqual([name, [], []]);
      found.push(resource.parse(document.toJS()));
    }
  }
  return found;
}

function podOf(found: Resource): z.infer<typeof pod> | undefined {
  if (found.kind === 'Service') return undefined;
  return found.kind === 'CronJob' ? found.spec.jobTemplate.spec.template : found.spec.template;
}

describe('on Kubernetes', () => {
  test('what is run is a command, keeps to the image’s folders and may nothing beyond', async () => {
    const all = await manifests();
    expect(all.map(({ kind }) => kind)).toEqual([
      'CronJob',
      'CronJob',
      'CronJob',
      'StatefulSet',
      'Service',
      'Deployment',
    ]);
    const dockerfile = await readFile(path.join(ROOT, 'Dockerfile'), 'utf8');
    const called: string[] = [];
    for (const found of all) {
      const { spec } = podOf(found) ?? {};
      if (spec === undefined) continue;
      const [{ args, volumeMounts, env }] = spec.containers;
      called.push(args.join(' '));
      const claims =
        found.kind === 'StatefulSet'
          ? (found.spec.volumeClaimTemplates ?? []).map((one) => one.metadata)
          : [];
      const volumes = [...spec.volumes, ...claims].map(({ name }) => name);
      expect(volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
      for (const { mountPath } of volumeMounts)
        expect([
          mountPath,
          mountPath === '/tmp' ||
            dockerfile.includes(` ${mountPath}\n`) ||
            dockerfile.includes(`=${mountPath} `),
        ]).toEqual([mountPath, true]);
      // The root is read-only: what is compiled is kept where that may be.
      expect(env).toContainEqual({ name: 'XDG_CACHE_HOME', value: '/tmp' });
    }
    expect(called).toEqual(['nightly', 'snapshot', 'alerts send', 'schedule', 'worker']);
    expect(called.filter((name) => !commands.includes(name))).toEqual([]);
  });

  test('selectors find their pods, a restart is for what does not live, and traffic for what is ready', async () => {
    const all = await manifests();
    const labels = all.flatMap((found) => podOf(found)?.metadata.labels ?? []);
    for (const found of all) {
      if (found.kind === 'CronJob') continue;
      const selector = found.kind === 'Service' ? found.spec.selector : found.spec.selector.matchLabels;
      expect(labels).toContainEqual(selector);
    }
    const schedule = all.find(({ kind }) => kind === 'StatefulSet');
    const only = schedule && podOf(schedule)?.spec.containers[0];
    expect(only?.ports).toEqual([
      { name: 'health', containerPort: 9090 },
      { name: 'pushes', containerPort: 9091 },
    ]);
    expect(
      [only?.startupProbe, only?.livenessProbe, only?.readinessProbe].map((one) => one?.httpGet.path),
    ).toEqual(['/livez', '/livez', '/readyz']);
  });
});

test('the table of the README has every command', async () => {
  const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (`.+`) \|/gm)].map(([, cell = '']) => cell);
  const words = new Set(rows.flatMap((cell) => cell.split(/[`\s]+/)));
  expect(
    commands.flatMap((name) => name.split(' ')).filter((word) => !words.has(word) && !word.startsWith('--')),
  ).toEqual([]);
});

test('what compose.yaml starts of recon has a read-only root and nothing to gain', async () => {
  const text = await readFile(path.join(ROOT, 'compose.yaml'), 'utf8');
  const { services } = composed.parse(parse(text, { merge: true }));
  expect(Object.keys(services)).toEqual(['database', 'recon', 'worker']);
  for (const name of ['recon', 'worker'])
    expect(services[name]).toMatchObject({
      build: '.',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      environment: { XDG_CACHE_HOME: '/tmp' },
    });
});

describe('under systemd', () => {
  let folder: string;
  let units: ReadonlyMap<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'recon-units-'));
    await cp(path.join(DEPLOY, 'systemd'), folder, { recursive: true });
    const names = await readdir(folder, { recursive: true });
    const files = names.filter((name) => /\.(?:service|timer|conf)$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    units = new Map(files.map((name, place) => [name, texts[place] ?? '']));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('each calls a command with the options of the executable, and every timer has its service', async () => {
    const { bin } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
      bin: { recon: string };
    };
    const firstLine = (await readFile(path.join(ROOT, bin.recon), 'utf8')).split('\n')[0] ?? '';
    const options = firstLine.slice(firstLine.indexOf('node ') + 5);
    const call = new RegExp(
      `^ExecStart=-?/opt/recon/node_modules/node/bin/node ${options} /opt/recon/jobs/recon\\.js (.+) --env-file /var/lib/recon/\\.env$`,
      'gm',
    );
    const called = [...units].flatMap(([name, text]) =>
      [...text.matchAll(call)].map(([, command = '']) => `${name} ${command}`),
    );
    expect(called.toSorted()).toEqual([
      'recon-alerts.service alerts send',
      'recon-failed@.service alerts send',
      'recon-nightly.service nightly',
      'recon-schedule.service schedule',
      'recon-snapshot.service snapshot',
      'recon-worker@.service worker',
    ]);
    expect(called.filter((line) => !commands.includes(line.slice(line.indexOf(' ') + 1)))).toEqual([]);
    for (const name of units.keys())
      if (name.endsWith('.timer')) expect(units.has(name.replace('.timer', '.service'))).toBe(true);
  });

  test('what fails is told, wrong settings are not tried again, and what is told to stop has its nine seconds', () => {
    for (const name of ['recon-schedule', 'recon-nightly', 'recon-worker@']) {
      const text = units.get(`${name}.service`) ?? '';
      expect([name, /^OnFailure=recon-failed@%N\.service$/m.test(text)]).toEqual([name, true]);
      expect([name, /^RestartPreventExitStatus=2$/m.test(text)]).toEqual([name, true]);
    }
    const shared = units.get('recon-.service.d/hardening.conf') ?? '';
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(shared)?.[1])).toBeGreaterThan(9);
    expect(shared).toMatch(/^NoNewPrivileges=yes$/m);
    expect(shared).toMatch(/^ProtectSystem=strict$/m);
    expect(shared).toMatch(/^User=recon$/m);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  if (!hasSystemd) console.warn('systemd-analyze is not installed (systemd): it read no unit here');

  test.runIf(hasSystemd)('systemd finds nothing wrong with them, and little that they may', async () => {
    for (const [name, text] of units)
      await writeFile(path.join(folder, name), text.replaceAll('/opt/recon', ROOT));
    const names = [...units.keys()].filter((name) => /\.(?:service|timer)$/.test(name));
    const analyze = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', SYSTEMD_UNIT_PATH: `${folder}:` },
      });
      return { status, said: status === 0 ? '' : stdout + stderr };
    };
    const files = names.map((name) => path.join(folder, name));
    expect(analyze('verify', '--man=no', ...files)).toEqual({ status: 0, said: '' });
    for (const name of names.filter((one) => one.endsWith('.service'))) {
      // In tenths, of ten: 96 is a service without any of it.
      const safe = analyze('security', '--offline=yes', '--threshold=20', path.join(folder, name));
      expect({ name, ...safe }).toEqual({ name, status: 0, said: '' });
    }
  });
});
