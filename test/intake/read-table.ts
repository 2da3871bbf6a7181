/** Reads a whole table file for a test. */
import { WrongInput } from '../../src/core/errors.ts';
import { openTable } from '../../src/intake/table-file.ts';
import type { TableRow } from '../../src/intake/table-file.ts';
import type { TableLayout } from '../../src/intake/table-layout.ts';

export async function readTable(path: string, layout: TableLayout): Promise<TableRow[]> {
  const table = await openTable(path, layout);
  try {
    const rows: TableRow[] = [];
    for await (const batch of table.batches()) rows.push(...batch);
    return rows;
  } finally {
    await table.close();
  }
}

/** Rows as plain objects, without the cells that are empty. */
export async function readCells(path: string, layout: TableLayout): Promise<Record<string, string>[]> {
  const rows = await readTable(path, layout);
  return rows.map((row) => Object.fromEntries([...row.cells].filter(([, text]) => text !== '')));
}

/** The message with which a file is refused. */
export async function refusal(path: string, layout: TableLayout): Promise<string> {
  try {
    await readTable(path, layout);
  } catch (error) {
    if (error instanceof WrongInput) return error.message;
    throw error;
  }
  return 'the file was not refused';
}
