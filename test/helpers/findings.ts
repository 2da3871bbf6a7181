/** What a night found, for tests to compare. */
import type { RangeOutcome } from '../../jobs/night/night.ts';
import { wholeResult } from '../../jobs/night/publish/result.ts';
import type { ResultHead, WholeResult } from '../../jobs/night/publish/result.ts';
import { beginLists } from '../../jobs/night/publish/result-lists.ts';
import { ROWS_SHOWN, resultText } from '../../jobs/commands/result-text.ts';
import { zone } from './service-time.ts';
import type { Db } from '../../src/store/schema/schema.ts';

/** What a night came to, with its lists. */
export interface NightOutcome extends Omit<RangeOutcome, 'result'> {
  result: WholeResult;
}

export async function wholeOutcome(outcome: RangeOutcome): Promise<NightOutcome> {
  return { ...outcome, result: await wholeResult(outcome.result) };
}

/** What a terminal shows of a result. */
export async function terminalText(db: Db, result: ResultHead): Promise<string> {
  return resultText(result, { begun: await beginLists(db, result.run.id, ROWS_SHOWN), isNew: true, zone });
}

/** What a result says, in lines: `class account reference difference`. */
export function findingsOf({ result: { breaks, timing } }: NightOutcome): string[] {
  return [...breaks, ...timing].map(
    (one) => `${one.class} ${one.accountNo} ${one.reference} ${one.differenceFen}`,
  );
}
