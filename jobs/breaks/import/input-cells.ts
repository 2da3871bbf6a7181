/** The cells of a row that people fill in, by what they are about. */
import type { ItemRow } from '../../../reports/read/read-items.ts';
import type { ItemWork } from '../../../reports/read/read-work.ts';
import { oneLine, sheetText } from '../../../reports/sheets/sheet-text.ts';
import type { WorkList } from '../../../reports/work-list.ts';
import type { Words } from '../../../reports/words/words.ts';
import type { Zone } from '../../../src/core/time.ts';
import type { BreakWork } from '../../../src/store/schema/schema.ts';

export const INPUTS = ['status', 'owner', 'reason', 'remark', 'action', 'writeOff'] as const;
export type Input = (typeof INPUTS)[number];
export type InputTexts = Readonly<Record<Input, string>>;

export function byInput(textOf: (input: Input) => string): InputTexts {
  return {
    status: textOf('status'),
    owner: textOf('owner'),
    reason: textOf('reason'),
    remark: textOf('remark'),
    action: textOf('action'),
    writeOff: textOf('writeOff'),
  };
}

export function inputTitles({ breaks }: Words): InputTexts {
  return byInput((input) => breaks[input]);
}

/** How the sheet would show that work of the row, as it was said: nothing of it has lapsed. */
export function textsOf(
  row: ItemRow,
  work: BreakWork | null,
  { list, zone }: { list: WorkList; zone: Zone },
): InputTexts {
  const shown: ItemRow = { ...row, ...itemWork(work) };
  const titles = inputTitles(list.words);
  return byInput((input) => {
    const column = list.columns.find(({ title }) => title === titles[input]);
    return column === undefined ? '' : oneLine(sheetText(column, shown, zone));
  });
}

function itemWork(work: BreakWork | null): ItemWork {
  const writeOff = work?.writeOff ?? null;
  const inForce = work?.status === 'written_off' ? (work.inForce ?? null) : null;
  return {
    work_status: work?.status ?? 'open',
    owner: work?.owner ?? '',
    reason: work?.reason ?? '',
    remark: work?.note ?? '',
    action: work?.action ?? '',
    is_proposed: writeOff !== null && writeOff.approvedBy === null,
    write_offs: [inForce, writeOff].filter((one) => one !== null),
  };
}
