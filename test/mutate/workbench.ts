/** A copy of the sources in which rules can be broken, and what the near tests say of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Edit } from './edit.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const COPIED = [
  'src',
  'jobs',
  'reports',
  'migrations',
  'test',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
/** Tests that hang have noticed too. */
const MINUTES_MAX = 10;

export interface Verdict {
  /** Undefined: not a single test of them could be run, or the edit has no place any more. */
  noticed: boolean | undefined;
  /** The first test that noticed, or why nothing can be said. */
  by: string;
}

interface Report {
  testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
}

export class Workbench {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Workbench> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-mutate-'));
    for (const name of COPIED) await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    return new Workbench(folder);
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }

  /** Breaks the rule, runs the near tests, and mends it again. */
  async try(edit: Edit): Promise<Verdict> {
    const file = path.join(this.#folder, edit.file);
    const whole = await readFile(file, 'utf8');
    const places = whole.split(edit.find).length - 1;
    if (places !== 1) return { noticed: undefined, by: `its text stands ${places} times in ${edit.file}` };
    await writeFile(
      file,
      whole.replace(edit.find, () => edit.put),
    );
    try {
      return await this.#run(edit.tests);
    } finally {
      await writeFile(file, whole);
    }
  }

  async #run(tests: readonly string[]): Promise<Verdict> {
    const out = path.join(this.#folder, 'report.json');
    await rm(out, { force: true });
    const files = tests.map((name) => path.join('test', name));
    const args = [
      'vitest',
      'run',
      '--mode=full',
      '--bail=1',
      '--maxWorkers=1',
      '--reporter=json',
      `--outputFile=${out}`,
    ];
    const child = spawn('npx', ['--no-install', ...args, ...files], {
      cwd: this.#folder,
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(child, 'exit');
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, MINUTES_MAX * 60_000);
    await ended;
    clearTimeout(timer);
    const text = await readFile(out, 'utf8').catch(() => undefined);
    if (text === undefined) return { noticed: true, by: `no end within ${MINUTES_MAX} minutes` };
    return verdictOf(JSON.parse(text) as Report);
  }
}

/** A file that cannot even be loaded has noticed nothing: the edit is no program any more. */
function verdictOf({ testResults }: Report): Verdict {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.find(({ status }) => status === 'failed');
  if (failed !== undefined) return { noticed: true, by: failed.fullName };
  if (all.some(({ status }) => status === 'passed')) return { noticed: false, by: '' };
  return { noticed: undefined, by: testResults[0]?.message.split('\n')[0] ?? 'no test was run' };
}
