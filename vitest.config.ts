/** How the tests are run. Each file has a process of its own; two at a time, because they start databases and servers. */
import { configDefaults, defineConfig } from 'vitest/config';

/** They open no database: a run on the second one leaves them out when it is told so (RECON_TESTS=database). */
const WITHOUT_DATABASE = [
  'test/{core,excel,platform,sandbox,vouchers}/**',
  'test/simulate/{kernel,memory,protections}.test.ts',
  'test/tidy.test.ts',
];
const left = process.env['RECON_TESTS'] === 'database' ? WITHOUT_DATABASE : [];

// oxlint-disable-next-line import/no-default-export -- vitest reads nothing else
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...left],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
