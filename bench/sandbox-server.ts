/** The sandbox in a process of its own, so that its work is not counted as the job's. */
import { rehearsalClock, systemClock } from '../src/core/clock.ts';
import { createSandbox } from '../src/sandbox/server/create-sandbox.ts';
import { serve } from '../src/sandbox/server/serve.ts';
import { instantOf } from '../src/core/time.ts';
import type { VolumeOptions } from '../src/sandbox/scenarios/volume.ts';
import {
  HISTORY_NIGHTS,
  NIGHT,
  SPOILT_NIGHTS,
  historyVolume,
  orderVolume,
  volume,
  workerVolume,
} from './volume.ts';

const [, , records, what] = process.argv;
const volumes: Readonly<Record<string, (count: number) => VolumeOptions>> = {
  orders: orderVolume,
  workers: workerVolume,
  history: (count) => historyVolume(count, HISTORY_NIGHTS),
  spoilt: (count) => historyVolume(count, SPOILT_NIGHTS),
};
const options = (volumes[what ?? ''] ?? volume)(Number(records));
const { seed, ...scenario } = options;
const clock = systemClock();
const sandbox = createSandbox({
  scenario: { name: 'volume', ...scenario },
  seed,
  clock,
  now: instantOf(Date.parse(NIGHT)),
});
const served = await serve(sandbox, { port: 0, controls: true, clock: rehearsalClock(clock.wall()) });
process.send?.(served.url);
