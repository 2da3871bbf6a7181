/** How many draws a property test makes: all of them in `npm run test:all`, a fifth in `npm test`. */

const isFull = process.env['TEST_COUNTS'] === 'full';

/** The draws of this run, where `full` are those of a run of everything; never none. */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / 5);
}
