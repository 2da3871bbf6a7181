/**
 * Step 8 of the night: the workbook, the result and a manifest of both, written whole or not at all, from
 * tables alone. Writing a run again gives the same cells.
 */
import path from 'node:path';
import { Stopped } from '../../../src/core/errors.ts';
import { writeJson } from '../../../src/core/json-document.ts';
import { placeBelow } from '../../../src/core/files.ts';
import { jsonText } from '../../../src/core/json.ts';
import type { Files } from '../../../src/core/ports.ts';
import { fillFile } from '../../../src/core/text-file.ts';
import { saveResult } from '../../../src/store/runs/published-runs.ts';
import { findRun, trailOfRun } from '../../../src/store/runs/runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Context } from '../../context/context.ts';
import type { WorkbookRequest } from '../../../reports/workbook.ts';
import { neverOver } from './published-files.ts';
import type { MovedAside } from './published-files.ts';
import { RESULT, MANIFEST, headOf, isDocument, withLists } from './result.ts';
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
  { allStatements }: Pick<WorkbookRequest, 'allStatements'> = {},
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
    ...(allStatements !== undefined && { allStatements }),
  });
  const workbooks = await lookAt(files, written.paths);
  await keepFiles(context, runId, workbooks);
  const head = await headOf({ db, home: settings.home }, run, restated);
  await saveResult(db, runId, jsonText(head));
  const result = withLists(db, head, settings.reportLocale);
  const document = await writeResult(files, path.join(folder, RESULT), result);
  const manifestPath = path.join(folder, MANIFEST);
  await files.writeWhole(manifestPath, manifestText(run, [...workbooks, document]));
  await keepFiles(context, runId, [document, ...(await lookAt(files, [manifestPath]))]);
  context.log.info({ event: 'report.published', folder });
  return { result, movedAside };
}

interface PublishedFile {
  path: string;
  sha256: string;
  bytes: number;
}

/** Its lists go to the disk as they are read. */
async function writeResult(files: Files, target: string, result: RunResult): Promise<PublishedFile> {
  let written = { sha256: '', bytes: 0 };
  await files.writeWholeWith(target, async (temporary) => {
    written = await fillFile(temporary, async (write) => {
      await writeJson(result, write, 2);
      await write('\n');
    });
  });
  return { path: target, ...written };
}

async function lookAt(files: Files, paths: readonly string[]): Promise<PublishedFile[]> {
  const found: PublishedFile[] = [];
  for (const file of paths) {
    found.push({ path: file, sha256: await files.sha256(file), bytes: (await files.size(file)) ?? 0 });
  }
  return found;
}

/**
 * What verify reads again, workbooks or documents: it takes the place of what was kept of such files. Until then that
 * stands, so that nothing which was published is forgotten when writing it again does not come to its end.
 */
async function keepFiles(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  runId: string,
  files: readonly PublishedFile[],
): Promise<void> {
  const areDocuments = files.every(({ path: file }) => isDocument(file));
  const rows = files.map(({ path: file, sha256, bytes }) => ({
    run_id: runId,
    path: placeBelow(settings.home, file),
    sha256,
    bytes: BigInt(bytes),
  }));
  await db.transaction().execute(async (trx) => {
    const kept = await trx.selectFrom('run_file').select('path').where('run_id', '=', runId).execute();
    const former = kept.map(({ path: file }) => file).filter((file) => isDocument(file) === areDocuments);
    if (former.length > 0) {
      await trx.deleteFrom('run_file').where('run_id', '=', runId).where('path', 'in', former).execute();
    }
    await trx.insertInto('run_file').values(rows).execute();
  });
}

function manifestText(run: Run, files: readonly PublishedFile[]): string {
  const manifest = {
    schema: 1,
    run: run.run_id,
    version: run.version,
    supersedes: run.supersedes,
    verdict: run.verdict,
    files: files.map(({ path: file, sha256, bytes }) => ({ name: path.basename(file), sha256, bytes })),
    auditTrail: trailOfRun(run),
  };
  return `${jsonText(manifest, 2)}\n`;
}
