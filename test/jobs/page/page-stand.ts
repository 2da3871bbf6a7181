/** The page as a process serves it: the real listener over a real database, with a folder of reports. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pageRoutes } from '../../../jobs/page/page-routes.ts';
import type { PageContext } from '../../../jobs/page/page-routes.ts';
import { openStatusServer } from '../../../jobs/daemon/status-server.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { readSettings } from '../../../src/core/config/config.ts';
import type { Environment } from '../../../src/core/config/config.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { Instant } from '../../../src/core/time.ts';
import { at, zone } from '../../helpers/company/run-rows.ts';
import { databaseToSpoil, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { recordingLog } from '../../helpers/log.ts';

export interface PageStand extends AsyncDisposable {
  database: TestDatabase;
  home: string;
  port: number;
  log: ReturnType<typeof recordingLog>;
  /** What the realClock of the page shows is so much ahead. */
  passMs: (ms: number) => void;
  get: (address: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  post: (address: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
}

export interface StandOptions {
  env?: Environment;
  now?: Instant;
  company?: string;
  /** Rows by the ten thousand. */
  isLarge?: boolean;
  /** As HEALTH_HOST says, wherever the test listens. */
  healthHost?: string;
  /** Of the context that the page is given, what a test looks at or holds up. */
  over?: (context: PageContext) => Partial<PageContext>;
}

export async function openPageStand(options: StandOptions = {}): Promise<PageStand> {
  const {
    env = {},
    now = at('2026-03-02 09:00:00'),
    company = '宏远商贸有限公司',
    healthHost,
    over,
  } = options;
  const database = await (options.isLarge === true ? databaseToSpoil() : testDatabase());
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'recon-page-')));
  const log = recordingLog();
  const real = systemClock();
  let aheadMs = 0;
  const realClock = {
    ...real,
    monoMs: () => real.monoMs() + aheadMs,
    wall: () => wallAhead(real.wall(), aheadMs),
  };
  const read = readSettings({ env: { RECON_HOME: home, ...env }, needs: { platform: false } });
  const settings = { ...read, ...(healthHost !== undefined && { healthHost }) };
  const profile = readProfile(JSON.stringify({ company: { name: company } }), 'a test');
  const context: PageContext = {
    db: database.db,
    clock: { ...real, wall: () => now },
    realClock,
    log,
    settings,
    profile,
    zone,
  };
  const server = await openStatusServer({ listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log }, [
    pageRoutes({ ...context, ...over?.(context) }),
  ]);
  const ask = (address: string, init: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${address}`, { redirect: 'manual', ...init });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    database,
    home,
    port: server.port,
    log,
    passMs: (ms) => void (aheadMs += ms),
    get: (address, headers = {}) => ask(address, { headers }),
    post: (address, body, headers = {}) =>
      ask(address, { method: 'POST', body, headers: { ...form, ...headers } }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await database.close();
      await rm(home, { recursive: true });
    },
  };
}

function wallAhead(now: Instant, ms: number): Instant {
  return new Date(Date.parse(now) + ms).toISOString();
}
