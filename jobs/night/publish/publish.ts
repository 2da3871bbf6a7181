/**
 * Step 8 of the night: the workbook, the result and a manifest of both, written whole or not at all, from
 * tables alone. Writing a run again gives the same cells.
 */
import path from 'node:path';
import { Stopped } from '../../../src/core/errors.ts';
import { jsonText } from '../../../src/core/json.ts';
import { findRun, saveResult } from '../../../src/store/runs/runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Context } from '../../context/context.ts';
import { neverOver } from './published-files.ts';
import type { MovedAside } from './published-files.ts';
import { RESULT, MANIFEST, resultOf } from './result.ts';
import type { RunResult } from './result.ts';

export const REPORTS = 'reports';

/** Where the files of a run lie: `reports/<day or from_to>/v<N>/`; some accounts only: a folder of their own. */
export function reportFolder(home: string, run: Run): string {
  const days = run.from_day === run.to_day ? run.from_day : `${run.from_day}_${run.to_day}`;
  const some = run.accounts === '' ? '' : `-${run.run_id.split('-').at(-2) ?? 'some'}`;
  const job = run.job === 'backfill' && run.from_day === run.to_day ? '-backfill' : '';
  return path.join(home, REPORTS, `${days}${job}${some}`, `v${run.version}`);
}

export interface Published {
  result: RunResult;
  /** Files that were not as they were to be; they are kept under these names. */
  movedAside: MovedAside[];
}

export async function publishRun(
  context: Context,
  runId: string,
  restated: readonly { day: string; version: number }[],
): Promise<Published> {
  const { db, settings, profile, zone } = context;
  const { files, movedAside } = neverOver(context.files, context.log);
  const run = await findRun(db, runId);
  if (run === undefined) throw new Stopped(`there is no run ${runId}`);
  const folder = reportFolder(settings.home, run);
  await files.makeFolder(folder);
  const { publishWorkbook } = await import('../../../reports/workbook.ts');
  const name = path.basename(path.dirname(folder));
  const written = await publishWorkbook({
    db,
    runId,
    path: path.join(folder, `reconciliation-${name}.xlsx`),
    locale: settings.reportLocale,
    files,
    companyName: profile.company.name,
    serviceName: profile.service.name,
    zone,
  });
  await db.deleteFrom('run_file').where('run_id', '=', runId).execute();
  await keepFiles(context, runId, written.paths);
  const result = await resultOf(db, run, restated);
  const text = `${jsonText(result, 2)}\n`;
  await saveResult(db, runId, jsonText(result));
  const resultPath = path.join(folder, RESULT);
  await files.writeWhole(resultPath, text);
  const manifestPath = path.join(folder, MANIFEST);
  await files.writeWhole(manifestPath, await manifestText(context, run, [...written.paths, resultPath]));
  await keepFiles(context, runId, [resultPath, manifestPath]);
  context.log.info({ event: 'report.published', folder });
  return { result, movedAside };
}

/** What verify reads again. */
async function keepFiles(
  { db, files }: Pick<Context, 'db' | 'files'>,
  runId: string,
  paths: readonly string[],
): Promise<void> {
  for (const file of paths) {
    const bytes = BigInt((await files.size(file)) ?? 0);
    const sha256 = await files.sha256(file);
    await db.insertInto('run_file').values({ run_id: runId, path: file, sha256, bytes }).execute();
  }
}

async function manifestText(
  context: Pick<Context, 'files'>,
  run: Run,
  paths: readonly string[],
): Promise<string> {
  const files = await Promise.all(
    paths.map(async (file) => ({
      name: path.basename(file),
      sha256: await context.files.sha256(file),
      bytes: await context.files.size(file),
    })),
  );
  const manifest = {
    schema: 1,
    run: run.run_id,
    version: run.version,
    supersedes: run.supersedes,
    verdict: run.verdict,
    files,
  };
  return `${jsonText(manifest, 2)}\n`;
}
