/**
 * Opens a file whose sheets are known by their names, for what we wrote ourselves and people filled in: a workbook, or
 * a CSV file, which is one sheet without a name.
 */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { isWorkbook, openFile, requireUnchanged, sizeAndTime, surveyFile, textRows } from './input-file.ts';
import type { SizeAndTime, Survey } from './input-file.ts';
import type { NamedSheet } from './xlsx-rows.ts';

export interface SheetsFile {
  /** The file's name without its folder. */
  file: string;
  sha256: string;
  isWorkbook: boolean;
  /** Each once, in their order.  @throws WrongInput where the file cannot be read on */
  sheets(): AsyncGenerator<NamedSheet>;
  close(): Promise<void>;
}

/** @throws WrongInput when there is no such file, or it is neither workbook nor text */
export async function openSheets(filePath: string): Promise<SheetsFile> {
  const file = path.basename(filePath);
  const handle = await openFile(filePath);
  try {
    const before = await sizeAndTime(handle, file);
    const survey = await surveyFile(handle, file);
    return {
      file,
      sha256: survey.sha256,
      isWorkbook: isWorkbook(file, survey),
      sheets: () => unchangedSheets(handle, file, { survey, before }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* unchangedSheets(
  handle: FileHandle,
  file: string,
  { survey, before }: { survey: Survey; before: SizeAndTime },
): AsyncGenerator<NamedSheet> {
  if (isWorkbook(file, survey)) yield* (await import('./xlsx-rows.ts')).xlsxSheets(handle, file);
  else yield { name: '', rows: textRows(handle, file, survey), merged: [], noted: () => Promise.resolve([]) };
  await requireUnchanged(handle, file, before);
}
