/**
 * What every property test draws. The same worlds in every run, so that a run is red for what has changed; another
 * seed draws others: `TEST_SEED=41`, or `TEST_SEED=new` for one that is told where a property fails.
 */
// oxlint-disable-next-line no-restricted-imports -- the one place where its seed is set
import fc from 'fast-check';

const DEFAULT_SEED = 20_260_301;

const isFull = process.env['TEST_COUNTS'] === 'full';
const given = process.env['TEST_SEED'] ?? '';
if (given !== 'new') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(given) });

/** @throws {Error} where it is no whole number. */
function seedOf(text: string): number {
  if (text === '') return DEFAULT_SEED;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`TEST_SEED=${text}: a whole number, or "new" for one that is drawn.`);
}

/** How many draws of `full` this run makes: all in `npm run test:all`, a fifth in `npm test`; never none. */
export function runs(full: number): number {
  return isFull ? full : Math.ceil(full / 5);
}

export { fc };
