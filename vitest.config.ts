/** How the tests are run. Each file has a process of its own; two at a time, because they start databases and servers. */
import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export -- vitest reads nothing else
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
