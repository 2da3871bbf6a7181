/** A process that logs a great deal and then says on stdout that its work is done (H17). */
import { systemClock } from '../../src/core/clock.ts';
import { logDestination, openLog } from '../../src/core/log.ts';

const [, , path] = process.argv;
const log = openLog({
  level: 'info',
  secrets: [],
  clock: systemClock(),
  ...(path === undefined ? {} : { destination: logDestination(path) }),
});
for (let line = 0; line < 20_000; line++) {
  log.info({ event: 'work.went', line });
  // The reader's end is noticed between lines, as in a job that waits for answers.
  if (line % 1_000 === 0) await systemClock().sleep(1);
}
process.stdout.write('the work is done\n');
