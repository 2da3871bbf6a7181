/**
 * How the tests are run (CONTRIBUTING.md). Three projects, told apart by the names of the files:
 * `unit` (*.test.ts) opens no database and shares its threads; `sql` (*.sql.test.ts) opens one; `slow` (*.slow.test.ts)
 * kills, crashes, draws many worlds, plays many nights or carries large files. `--mode full` makes every draw of the
 * property tests (test/helpers/properties.ts).
 */
import os from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { COMPILED } from './test/helpers/compiled.ts';

/** Both databases speak the same SQL: on the embedded one each noun that is stored is seen once, and the demo. */
const ON_EMBEDDED = [
  'test/e2e/{orders/orders-settled,vouchers/vouchers-lost}.sql.test.ts',
  'test/intake/{import-accounts,import-ledger,order-faults}.sql.test.ts',
  'test/jobs/breaks/life-of-a-break.sql.test.ts',
  'test/jobs/night/{collect-orders-bracket,due-nights,snapshot}.sql.test.ts',
  'test/jobs/settle/{settle-doubted,settle-restored,settle-step}.sql.test.ts',
  'test/orders/*.sql.test.ts',
  'test/reconcile/prove.sql.test.ts',
  'test/reconcile/match/{match-orders,post-orders}.sql.test.ts',
  'test/reports/proven-night.sql.test.ts',
  'test/settlements/*.sql.test.ts',
  'test/store/*.sql.test.ts',
];

// oxlint-disable-next-line import/no-default-export -- vitest reads nothing else
export default defineConfig(({ mode }) => {
  const isFull = mode === 'full';
  const hasServer = process.env['DATABASE_URL'] !== undefined;
  const env = {
    XDG_STATE_HOME: path.join(os.tmpdir(), 'recon-test', 'state'),
    TEST_COUNTS: isFull ? 'full' : '',
    NODE_COMPILE_CACHE: COMPILED,
  };
  const everyProject = { testTimeout: 180_000, hookTimeout: 180_000 };
  const unit = { env: { ...env, TEST_OPENS: 'no database' }, isolate: false };
  const withoutDatabase = [...configDefaults.exclude, 'test/**/*.{sql,slow}.test.ts'];
  // Stryker takes the coverage of one project apart, and has a time limit of its own.
  const broken = process.env['MUTATE_TESTS']?.split('\n');
  if (broken !== undefined) {
    return { test: { ...unit, testTimeout: 600_000, include: broken, exclude: withoutDatabase } };
  }
  return {
    test: {
      maxWorkers: os.availableParallelism(),
      maxConcurrency: 2,
      globalSetup: ['test/helpers/global-setup.ts', ...(isFull ? ['test/statements/global-setup.ts'] : [])],
      projects: [
        {
          test: {
            ...everyProject,
            ...unit,
            name: 'unit',
            include: ['test/**/*.test.ts'],
            exclude: withoutDatabase,
            pool: 'threads',
          },
        },
        {
          test: {
            ...everyProject,
            name: 'sql',
            env,
            include: hasServer ? ['test/**/*.sql.test.ts'] : ON_EMBEDDED,
            pool: 'forks',
            isolate: false,
          },
        },
        {
          test: {
            ...everyProject,
            name: 'slow',
            env,
            include: ['test/**/*.slow.test.ts'],
            pool: 'forks',
            isolate: false,
          },
        },
      ],
    },
  };
});
