/**
 * `npm run mutate`: breaks each rule of the table on purpose and says which ones the near tests do not notice.
 * `--only FOLDER` takes one folder, `--sample N` so many spread over the table, others on another day of the year.
 */
import { parseArgs } from 'node:util';
import { FOLDERS } from './edit.ts';
import type { Edit } from './edit.ts';
import { BOOKS_EDITS } from './edits-books.ts';
import { LIST_EDITS } from './edits-list.ts';
import { LOOK_EDITS } from './edits-looks.ts';
import { PLATFORM_EDITS } from './edits-platform.ts';
import { PROOF_EDITS } from './edits-proof.ts';
import { RESOLUTION_EDITS } from './edits-resolution.ts';
import { SETTLEMENT_EDITS } from './edits-settlement.ts';
import { Workbench } from './workbench.ts';
import type { Verdict } from './workbench.ts';

const EDITS: readonly Edit[] = [
  ...PROOF_EDITS,
  ...PLATFORM_EDITS,
  ...RESOLUTION_EDITS,
  ...SETTLEMENT_EDITS,
  ...LIST_EDITS,
  ...LOOK_EDITS,
  ...BOOKS_EDITS,
];
const DAY_MS = 86_400_000;

const { values } = parseArgs({ options: { only: { type: 'string' }, sample: { type: 'string' } } });

function chosen(): readonly Edit[] {
  const { only, sample } = values;
  if (only !== undefined && !FOLDERS.some((name) => name === only))
    throw new Error(`--only is one of ${FOLDERS.join(', ')}`);
  const edits = EDITS.filter(({ folder, survives }) =>
    only === undefined ? sample === undefined || survives === undefined : folder === only,
  );
  if (sample === undefined) return edits;
  const count = Math.min(Number(sample), edits.length);
  if (!Number.isInteger(count) || count < 1) throw new Error('--sample is a whole number from 1');
  const first = Math.floor(Date.now() / DAY_MS);
  const step = edits.length / count;
  const places = Array.from({ length: count }, (_, nth) => (first + Math.floor(nth * step)) % edits.length);
  return edits.filter((_, place) => places.includes(place));
}

/** What is as it should be: noticed, or alive for the reason that the table gives. */
function lineOf(edit: Edit, { noticed, by }: Verdict): { text: string; isWell: boolean } {
  const what = `${edit.folder.padEnd(10)} ${edit.rule}`;
  if (noticed === undefined) return { text: `?       ${what}\n        ${by}`, isWell: false };
  if (noticed && edit.survives === undefined)
    return { text: `noticed ${what}\n        by: ${by}`, isWell: true };
  if (noticed)
    return { text: `noticed ${what}\n        by: ${by}, though the table says it survives`, isWell: false };
  const why = edit.survives ?? 'NO TEST NOTICES IT';
  return { text: `alive   ${what}\n        ${why}`, isWell: edit.survives !== undefined };
}

async function main(): Promise<boolean> {
  const edits = chosen();
  const bench = await Workbench.open();
  const counts = new Map<string, { made: number; noticed: number; unwell: number }>();
  try {
    for (const edit of edits) {
      const verdict = await bench.try(edit);
      const { text, isWell } = lineOf(edit, verdict);
      print(text);
      const count = counts.get(edit.folder) ?? { made: 0, noticed: 0, unwell: 0 };
      count.made += 1;
      count.noticed += verdict.noticed === true ? 1 : 0;
      count.unwell += isWell ? 0 : 1;
      counts.set(edit.folder, count);
    }
  } finally {
    await bench.close();
  }
  for (const [folder, { made, noticed }] of counts) print(`${folder}: ${made} made, ${noticed} noticed`);
  return [...counts.values()].every(({ unwell }) => unwell === 0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = (await main()) ? 0 : 1;
