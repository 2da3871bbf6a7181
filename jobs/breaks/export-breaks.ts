/** `recon breaks export`: sheet 差异 of a run as people see it now, to be filled in and read back by `import`. */
import path from 'node:path';
import { WrongInput } from '../../src/core/errors.ts';
import { writeListBook, writeListCsv, readWorkList } from '../../reports/work-list.ts';
import { findTrailHead, headText } from '../../src/store/runs/audit-trail.ts';
import { findBreaks } from '../../src/store/runs/breaks.ts';
import { lastNight } from '../../src/store/runs/nights.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { parseRunOptions, requireProvenRun } from '../context/proven-run.ts';
import type { RunOptions, WantedRun } from '../context/proven-run.ts';
import { filterIn, parseFilter } from './selection.ts';
import type { FilterOptions, Selection } from './selection.ts';
import { keptText, neverOver } from '../night/publish/published-files.ts';
import { counted } from '../../src/core/text.ts';

export interface ExportOptions extends CommonOptions, FilterOptions, RunOptions {}

interface Given {
  wanted: WantedRun | undefined;
  filter: Selection;
  write: typeof writeListBook;
}

export function exportBreaksCommand(file: string, options: ExportOptions): Promise<void> {
  const needs: CommandNeeds<Given> = {
    platform: false,
    arguments: () => ({
      wanted: parseRunOptions(options),
      filter: parseFilter(options),
      write: writerOf(file),
    }),
  };
  return withContext(options, needs, async (context, { wanted, filter, write }) => {
    const { db, zone, clock, settings } = context;
    const { files, movedAside } = neverOver(context.files, context.log);
    const run = await runOf(db, wanted);
    const today = zone.dayOf(clock.wall());
    const trail = headText(await findTrailHead(db));
    const open = await findBreaks(db, { ...(await filterIn(db, filter)), withClosed: false }, today);
    const list = await readWorkList(db, {
      runId: run.run_id,
      locale: settings.reportLocale,
      zone,
      trail,
      today,
      breakIds: open.map((row) => row.break_id),
    });
    if (list.rows.length === 0)
      throw new WrongInput(`${run.run_id} has no open break of that kind: nothing was written`);
    await write(list, { path: path.resolve(file), files, zone });
    const rows = list.rows.length;
    const document = { schema: 1, file: path.resolve(file), run: run.run_id, trail, rows, movedAside };
    const text = `written: ${file}, ${counted(rows, 'break')} of ${run.run_id}; what people write in it is read by recon breaks import`;
    return { status: 0, document, text: [text, ...keptText(movedAside)].join('\n') };
  });
}

function writerOf(file: string): typeof writeListBook {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.xlsx') return writeListBook;
  if (ending === '.csv') return writeListCsv;
  throw new WrongInput(`${JSON.stringify(file)} must end in .xlsx or .csv`);
}

async function runOf(db: Db, wanted: WantedRun | undefined): Promise<Run> {
  const newest = wanted === undefined ? await lastNight(db) : undefined;
  const meant = wanted ?? (newest === undefined ? undefined : { day: newest });
  if (meant === undefined) throw new WrongInput('no night has been run yet: there is nothing to export');
  return requireProvenRun(db, meant);
}
