/** How an import is told: what was taken in, or every fault and that nothing was. */
import { faultLines } from '../../src/intake/import-file.ts';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { openTable } from '../../src/intake/table-file.ts';
import type { TableLayout } from '../../src/intake/table-layout.ts';
import type { Outcome } from '../cli/command.ts';
import { counted } from '../../src/core/text.ts';

/** Refuses a file that is no such table before anything is opened. @throws WrongInput */
export async function requireTable(file: string, layout: TableLayout): Promise<void> {
  const table = await openTable(file, layout);
  await table.close();
}

export function importOutcome<R extends ImportResult>(
  kind: 'accounts' | 'ledger' | 'orders',
  result: R,
): Outcome<R> {
  if (result.faultCount > 0) {
    const lines = faultLines(result).map((line) => `- ${line}`);
    const faults = counted(result.faultCount, 'fault');
    const text = [`${result.file} has ${faults}, nothing was taken in:`, ...lines].join('\n');
    return { status: 2, document: result, text, isRefusal: true };
  }
  const parts = [
    `${result.added} added`,
    `${result.replaced} changed`,
    `${result.unchanged} unchanged`,
    ...(result.withdrawn > 0 ? [`${result.withdrawn} withdrawn`] : []),
  ];
  return {
    status: 0,
    document: result,
    text: `${kind}: ${counted(result.rows, 'row')}, ${parts.join(', ')}`,
  };
}
