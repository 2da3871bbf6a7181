/**
 * How the tests are run. Each file has a process of its own; two at a time, because they start databases and servers.
 * A run of both databases, one after the other, need not see everything twice: `TEST_SHARE=postgres` leaves out what
 * opens no database, `TEST_SHARE=embedded` what looks at processes, faults and long histories more than at SQL.
 * Without it a run is whole, on either database.
 */
import os from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const OPENS_NO_DATABASE = [
  'test/{conformance,core,excel,foreign,platform,sandbox,vouchers}/**',
  'test/e2e/sandbox-state.test.ts',
  'test/intake/{csv,xlsx}.test.ts',
  'test/jobs/{call,cli,masked-data,order-facts,probe,probe-odd,settle-answer,settle-policy,settle-resolution}.test.ts',
  'test/reports/words.test.ts',
  'test/simulate/{kernel,memory,protections}.test.ts',
  'test/tidy.test.ts',
];

const MORE_THAN_SQL = [
  'test/e2e/!(file-in-between|late|sandbox-state).test.ts',
  'test/intake/{import-orders,large-ledger}.test.ts',
  'test/jobs/{calibrate-command,call-endpoints,collect-orders,collect-orders-killed,commands,orders-command}.test.ts',
  'test/jobs/{probe-command,schedule,voucher-fetch,wrong-on-books}.test.ts',
  'test/reconcile/{calibrate-property,match-alike,match-order-styles,matrix,post-orders-again}.test.ts',
  'test/reconcile/{proof-attacks,prove-nights,prove-order-edges}.test.ts',
  'test/reports/recalculate.test.ts',
  'test/worlds/*.test.ts',
];

const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  postgres: OPENS_NO_DATABASE,
  embedded: MORE_THAN_SQL,
};

// oxlint-disable-next-line import/no-default-export -- vitest reads nothing else
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(LEFT_OUT[process.env['TEST_SHARE'] ?? ''] ?? [])],
    env: { XDG_STATE_HOME: path.join(os.tmpdir(), 'recon-test', 'state') },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
