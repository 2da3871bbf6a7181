/** Where the published files of a run show a thing: a sheet of the workbook and its cell, a place in `result.json`. */
import { addressOfFigure } from '../../reports/sheets/roll-forward.ts';
import type { Figure } from '../../reports/sheets/roll-forward.ts';
import { ownPath } from '../../reports/sheets/list-sheet.ts';
import type { ListKey } from '../../reports/read/report.ts';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import type { SheetKey } from '../../reports/words/terms.ts';
import type { BreakTable, Db, Family } from '../../src/store/schema/schema.ts';
import { workbooksOf } from '../../src/store/trace/account-proofs.ts';

export interface WorkbookPlace {
  /** Below RECON_HOME. */
  file: string;
  sheet: string;
  /** `E12`; of a list null, whose row is found by the number. */
  cell: string | null;
  /** What stands in the row. */
  row: string;
}

export interface RunPlaces {
  ofMovement(family: Family, number: string): WorkbookPlace | null;
  ofBreak(severity: BreakTable['severity'], breakId: string): WorkbookPlace | null;
  ofFigure(figure: Figure, of: { accountNo: string; index: number }): WorkbookPlace | null;
}

const LIST_OF: Readonly<Record<Family, ListKey & SheetKey>> = {
  deposit: 'deposits',
  transfer: 'transfers',
  settlement: 'transfers',
  refund: 'transfers',
  withdrawal: 'withdrawals',
};

/** A list that was too long for the main workbook has one of its own. */
export async function placesOfRun(
  { db, locale }: { db: Db; locale: 'zh-CN' | 'en' },
  runId: string,
): Promise<RunPlaces> {
  const { sheets } = wordsOf(locale);
  const files = (await workbooksOf(db, runId)).map((file) => file.path);
  const main = files.find((file) => !files.some((other) => other !== file && isOwnOf(other, file)));
  const place = (sheet: SheetKey, row: string, cell: string | null = null): WorkbookPlace | null => {
    const file = main === undefined ? undefined : fileOf(files, main, sheet);
    return file === undefined ? null : { file, sheet: sheets[sheet], cell, row };
  };
  return {
    ofMovement: (family, number) => place(LIST_OF[family], number),
    ofBreak: (severity, id) => place(severity === 'timing' ? 'openItems' : 'breaks', id),
    ofFigure: (figure, { accountNo, index }) =>
      place('rollForward', accountNo, addressOfFigure(figure, index)),
  };
}

const LISTS: readonly ListKey[] = ['openItems', 'breaks', 'deposits', 'transfers', 'withdrawals', 'vouchers'];

function isOwnOf(main: string, file: string): boolean {
  return LISTS.some((key) => ownPath(main, key) === file);
}

function fileOf(files: readonly string[], main: string, sheet: SheetKey): string {
  const key = LISTS.find((list) => list === sheet);
  const own = key === undefined ? undefined : ownPath(main, key);
  return own !== undefined && files.includes(own) ? own : main;
}
