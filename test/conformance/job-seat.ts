/** The job beside a sandbox, with a database of its own: its receiver of pushes and its archive of vouchers. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { prepare } from '../../jobs/context/context.ts';
import type { Context } from '../../jobs/context/context.ts';
import { openPlatform } from '../../jobs/context/platform.ts';
import { NO_PROGRESS } from '../../jobs/context/progress.ts';
import { RUN_LEASE } from '../../jobs/night/prove/prove-run.ts';
import { PushGate } from '../../jobs/push/push-gate.ts';
import { pushRoutes } from '../../jobs/daemon/push-routes.ts';
import { PushTally } from '../../jobs/push/push-tally.ts';
import { openStatusServer } from '../../jobs/daemon/status-server.ts';
import { underLease } from '../../jobs/context/under-lease.ts';
import { fetchVouchers } from '../../jobs/night/vouchers/voucher-fetch.ts';
import { diskFiles } from '../../src/core/files.ts';
import { randomIds } from '../../src/core/ids.ts';
import { profileDigest } from '../../src/core/profile/profile.ts';
import { listPushes } from '../../src/store/pushes/push-stock.ts';
import type { ListedPush } from '../../src/store/pushes/push-stock.ts';
import { fillVoucherDue } from '../../src/store/vouchers/voucher-due.ts';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import { recordingLog } from '../helpers/log.ts';
import { PAYEE } from './bench.ts';
import type { SandboxSeat } from './desk.ts';

export interface JobSeat {
  /** Where pushes are handed in. */
  pushUrl: string;
  pushes(): Promise<readonly ListedPush[]>;
  /** A deposit the job has collected already. */
  collected(orderNo: string): Promise<void>;
  /** One run of fetching what is due. */
  fetchVouchers(runId: string): Promise<void>;
}

/** @param open closes all that is opened here */
export async function jobSeat(open: AsyncDisposableStack, { bench, client }: SandboxSeat): Promise<JobSeat> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'recon-conformance-'));
  open.defer(() => rm(home, { recursive: true, force: true }));
  const database = await testDatabase();
  open.defer(() => database.close());
  const environment = {
    RECON_HOME: home,
    PLATFORM_URL: bench.target.url,
    PLATFORM_API_KEY: bench.credential.id,
    PLATFORM_SECRET: bench.credential.secret,
  };
  const ready = await prepare({}, { platform: true }, { environment, clock: client.clock });
  const [log, stopping] = [recordingLog(), new AbortController()];
  const platform = await openPlatform({ ...ready, log }, { everSigned: false, signal: stopping.signal });
  open.defer(() => platform.close());
  const context: Context = {
    ...ready,
    log,
    profileDigest: profileDigest(ready.profile),
    settingsDigest: 'settings of the test',
    ids: randomIds(),
    files: diskFiles(),
    db: database.db,
    database,
    signal: stopping.signal,
    progress: () => NO_PROGRESS,
    tell: () => undefined,
    platform: () => Promise.resolve(platform.client),
    close: () => Promise.resolve(),
  };
  const desk = { gate: new PushGate(ready.realClock), tally: new PushTally(context), nudge: () => undefined };
  const receiver = await openStatusServer({ listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log }, [
    pushRoutes(context, desk),
  ]);
  open.defer(() => receiver.close());
  return {
    pushUrl: `http://127.0.0.1:${receiver.port}/push`,
    pushes: () => listPushes(database.db, { onlyUnregistered: false, limit: 1_000 }),
    collected: async (orderNo) => {
      const books = new Books(database.db);
      await books.account(PAYEE);
      await books.deposits(PAYEE, [{ orderNo, amountFen: 10_000n, at: '2026-03-01 09:00:00' }]);
    },
    fetchVouchers: async (runId) => {
      await fillVoucherDue(context.db, { timeZone: context.zone.name, autoWithdrawType: '2' });
      const today = context.zone.dayOf(context.clock.wall());
      await underLease(context, RUN_LEASE, (held, lease) => fetchVouchers(held, { runId, today, lease }));
    },
  };
}
