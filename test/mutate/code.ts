/**
 * `npm run mutate:code`: Stryker breaks the rules that are TypeScript alone, one operator at a time, and the tests that
 * open no database must notice. Rules that live in SQL, and what takes several of them, stand in the table of edits.
 */
import { Stryker } from '@stryker-mutator/core';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Folder } from './edit.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

interface Group {
  mutate: readonly string[];
  tests: readonly string[];
}

/** Matching is SQL from end to end. */
const GROUPS: Readonly<Record<Exclude<Folder, 'matching'>, Group>> = {
  settlement: {
    mutate: ['policy', 'resolution', 'look', 'answer'].map((name) => `jobs/night/settle/settle-${name}.ts`),
    tests: ['test/jobs/settle/*.test.ts'],
  },
  signing: {
    mutate: ['sign', 'answer', 'answer-about', 'envelope'].map((name) => `src/platform/${name}.ts`),
    tests: ['test/platform/{sign,answer*,envelope,push,accepted-unread}.test.ts'],
  },
  windows: {
    mutate: ['src/core/window.ts', 'src/platform/deposit-tally.ts', 'src/platform/deposit-walk.ts'],
    tests: ['test/core/window*.test.ts', 'test/platform/deposits/*.test.ts'],
  },
  proof: {
    mutate: [
      ...['rank', 'search', 'sides'].map((name) => `src/reconcile/timing/timing-${name}.ts`),
      ...['best-choices', 'effect-bounds', 'possible-holds'].map((name) => `src/reconcile/timing/${name}.ts`),
      'src/reconcile/balance/unexplained-parts.ts',
    ],
    tests: ['test/reconcile/**/*.test.ts'],
  },
  postings: {
    mutate: ['changes-refund', 'changes-settlement', 'changes-withdrawal', 'batch-check', 'due-next'].map(
      (name) => `src/orders/order-${name}.ts`,
    ),
    tests: ['test/orders/*.test.ts'],
  },
};

/** Of a hundred mutants so many may live. */
const ALIVE_MAX = 5;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

const USAGE = `npm run mutate:code [-- --only ${Object.keys(GROUPS).join('|')}] [--jobs 2]

every operator of the rules that are TypeScript alone is broken; more than ${ALIVE_MAX} of 100 alive fail
Example: npm run mutate:code -- --only windows
`;

interface Counted {
  made: number;
  alive: readonly Mutant[];
}

/** A copy of the sources is broken, one place at a time. */
async function breakAll({ mutate, tests }: Group): Promise<Counted> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-mutate-code-'));
  process.env['MUTATE_TESTS'] = tests.join('\n');
  try {
    const stryker = new Stryker({
      mutate: [...mutate],
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { related: false },
      coverageAnalysis: 'perTest',
      // Texts are words for people, or of a union that the compiler holds.
      mutator: { excludedMutations: ['StringLiteral'], plugins: null },
      concurrency: Number(values.jobs),
      reporters: ['progress-append-only'],
      tempDirName: path.join(folder, 'sandbox'),
      allowConsoleColors: false,
    });
    const results = await stryker.runMutationTest();
    const judged = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
    return {
      made: judged.length,
      alive: judged.filter(({ status }) => status === 'Survived' || status === 'NoCoverage'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lineOf({ fileName, location, mutatorName, replacement, status }: Mutant): string {
  const place = `${path.relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
  const put = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
  return `  ${status === 'NoCoverage' ? 'no test' : 'alive  '} ${place} ${mutatorName}: ${put}`;
}

async function main(): Promise<boolean> {
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  const { only } = values;
  const groups = Object.entries(GROUPS).filter(([name]) => only === undefined || name === only);
  if (groups.length === 0 || !/^[1-9]\d*$/.test(values.jobs)) {
    process.stderr.write(`--only is a folder of these, --jobs a whole number from 1\n\n${USAGE}`);
    return false;
  }
  const told: string[] = [];
  let isWell = true;
  for (const [name, group] of groups) {
    const { made, alive } = await breakAll(group);
    isWell &&= alive.length * 100 <= made * ALIVE_MAX;
    told.push(...alive.map(lineOf));
    const share = ((alive.length / made) * 100).toFixed(1);
    told.push(
      `${name.padEnd(10)} ${made} made, ${made - alive.length} noticed, ${alive.length} alive (${share} %)`,
    );
  }
  process.stdout.write(`${told.join('\n')}\n`);
  return isWell;
}

process.exitCode = (await main()) ? 0 : 1;
