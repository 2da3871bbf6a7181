/** The outcome as a table: number, what, client, sandbox, then the counts. */
import type { Played, Verdict } from './play.ts';

const REASON_LENGTH_MAX = 300;

/** A table for people, ending in the counts. */
export function tableText(
  played: readonly Played[],
  withoutTest: readonly string[],
  other = 'sandbox',
): string {
  const idWidth = Math.max(6, ...played.map(({ id }) => id.length));
  const whatWidth = Math.max(4, ...played.map(({ what }) => what.length));
  const row = (id: string, what: string, client: string, sandbox: string): string =>
    `${id.padEnd(idWidth)}  ${what.padEnd(whatWidth)}  ${client.padEnd(6)}  ${sandbox}`.trimEnd();
  const rows = played.map(({ id, what, client, sandbox }) => row(id, what, cell(client), cell(sandbox)));
  return [row('number', 'what', 'client', other), ...rows, '', countsText(played, withoutTest)].join('\n');
}

function cell(verdict: Verdict): string {
  if (verdict === undefined) return '–';
  return verdict === 'pass' ? 'pass' : `FAIL ${oneLine(verdict.reason)}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > REASON_LENGTH_MAX ? `${line.slice(0, REASON_LENGTH_MAX)}…` : line;
}

export interface Counts {
  passed: number;
  failed: number;
  withoutTest: number;
}

/** Of numbers: one that fails on either side has failed. */
export function countsOf(played: readonly Played[], withoutTest: readonly string[]): Counts {
  const failed = played.filter(({ client, sandbox }) => isFailure(client) || isFailure(sandbox)).length;
  const passed = played.filter(({ client, sandbox }) => client ?? sandbox).length - failed;
  return { passed, failed, withoutTest: withoutTest.length };
}

function isFailure(verdict: Verdict): boolean {
  return verdict !== undefined && verdict !== 'pass';
}

function countsText(played: readonly Played[], withoutTest: readonly string[]): string {
  const { passed, failed } = countsOf(played, withoutTest);
  const open = withoutTest.length === 0 ? '' : ` (${withoutTest.join(', ')})`;
  return `${passed} numbers passed, ${failed} failed, ${withoutTest.length} without a test${open}`;
}
