/**
 * `recon breaks import`: what people wrote in sheet 差异, said of the breaks as the other commands say it: all that the
 * file asks for, or nothing where any cell is at fault. An approval never comes from a file.
 */
import { openTrail } from '../../../src/store/runs/audit-trail.ts';
import { unitOfWork } from '../../../src/store/database/unit-of-work.ts';
import type { Day } from '../../../src/core/time.ts';
import type { DbOrTransaction } from '../../../src/store/schema/schema.ts';
import { withContext } from '../../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../../cli/command.ts';
import type { Context } from '../../context/context.ts';
import { parseDayOption } from '../../context/day-arguments.ts';
import { saidMask } from '../../context/said-mask.ts';
import { whoActs } from '../who.ts';
import { writeChanges } from '../write-changes.ts';
import { readBase } from './base.ts';
import { CellFaults } from './cell-faults.ts';
import { changedAnswers } from './check-cells.ts';
import { readFilledList } from './filled-list.ts';
import { importDocument, importText } from './import-text.ts';
import { weighList } from './weigh-list.ts';
import type { ListSpeech, WeighedList } from './weigh-list.ts';

export interface ImportOptions extends CommonOptions {
  by?: string;
  dryRun?: boolean;
  expires?: string;
}

export function importBreaksCommand(file: string, options: ImportOptions): Promise<void> {
  const needs: CommandNeeds<Day | undefined> = {
    platform: false,
    arguments: () =>
      options.expires === undefined ? undefined : parseDayOption('--expires', options.expires),
  };
  return withContext(options, needs, async (context, expires) => {
    const by = whoActs(context.settings, { by: options.by, role: 'preparer' });
    return importBreaks(context, { filePath: file, by, expires, dryRun: options.dryRun === true });
  });
}

export interface ImportRequest {
  filePath: string;
  by: string;
  expires: Day | undefined;
  dryRun: boolean;
}

/** @throws WrongInput naming each cell that is at fault; nothing was changed then */
export async function importBreaks(
  context: Pick<Context, 'db' | 'zone' | 'clock' | 'settings'>,
  { filePath, by, expires, dryRun }: ImportRequest,
): Promise<Outcome> {
  const { db, zone, clock, settings } = context;
  const faults = new CellFaults();
  const list = await readFilledList(filePath, faults);
  faults.throwAny(list.file);
  const base = await readBase(db, list, { zone, faults });
  const answers =
    base === undefined ? [] : changedAnswers(base, { isWorkbook: list.isWorkbook, zone, faults });
  faults.throwAny(list.file);
  if (base === undefined) throw new Error(`Bug: ${list.file} has no faults and no base`);
  const speech: ListSpeech = {
    words: base.list.words,
    settings,
    by,
    today: zone.dayOf(clock.wall()),
    expires,
    faults,
    zone,
    source: { file: list.file, sha256: list.sha256 },
  };
  const weigh = async (on: DbOrTransaction): Promise<WeighedList> => {
    const weighed = await weighList(on, { base, answers }, speech);
    faults.throwAny(list.file);
    return weighed;
  };
  const weighed = dryRun
    ? await weigh(db)
    : await unitOfWork(db, async (trx) => {
        const head = await openTrail(trx);
        const found = await weigh(trx);
        await writeChanges(trx, found.changes, { by, at: clock.wall(), head });
        return found;
      });
  const mask = await saidMask(db);
  const of = {
    dryRun,
    by: mask(by),
    file: list.file,
    sha256: list.sha256,
    run: base.stated.runId,
    rows: base.stated.rows,
  };
  return {
    status: weighed.conflicts.length === 0 ? 0 : 1,
    document: importDocument(weighed, of, mask),
    text: importText(weighed, of),
  };
}
