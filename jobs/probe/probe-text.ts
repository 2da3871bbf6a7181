/** What a probe found, for a terminal: the table with what was tried below each row, then the profile to save. */
import { jsonText } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Judged, Verdict } from './probe-finding.ts';
import { tableText } from '../cli/table-text.ts';

/** As much of a value as leaves room for the others; `--json` has all of it. */
const CELL_MAX = 36;
const HEAD = ['question', 'key', 'in force', 'found', 'verdict'];
/** The title and the rule below it. */
const HEAD_LINES = 2;

export function probeText(
  findings: readonly Judged[],
  { profile, file }: { profile: JsonObject; file: string | undefined },
): string {
  const rows = findings.map(({ u, key, inForce, found, verdict }) =>
    [u, key, inForce, found, verdict].map(cell),
  );
  const lines = tableText(HEAD, rows).split('\n');
  const table = lines.flatMap((line, place) => {
    const finding = findings[place - HEAD_LINES];
    return finding === undefined ? [line] : [line, `          ${finding.tried} → ${finding.answer}`];
  });
  return [table.join('\n'), countsText(findings), profileText(findings, profile, file)].join('\n\n');
}

function cell(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > CELL_MAX ? `${line.slice(0, CELL_MAX - 1)}…` : line || '·';
}

function countsText(findings: readonly Judged[]): string {
  const count = (verdict: Verdict): number => findings.filter((one) => one.verdict === verdict).length;
  return `${count('confirmed')} confirmed, ${count('contradicted')} contradicted, ${count('open')} open`;
}

function profileText(findings: readonly Judged[], profile: JsonObject, file: string | undefined): string {
  const changed = [...new Set(findings.filter(({ change }) => change !== undefined).map(({ key }) => key))];
  if (changed.length === 0) {
    const said = 'no key of the profile has to change';
    return file === undefined ? said : `${said}; the profile in force is written to ${file}`;
  }
  const where =
    file === undefined ? 'save it with --write FILE' : `written to ${file}: name it in PLATFORM_PROFILE`;
  return `the profile with ${changed.join(', ')} changed; ${where}\n${jsonText(profile, 2)}`;
}
