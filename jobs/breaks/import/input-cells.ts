/** The cells of a row that people fill in, by what they are about. */
import type { ItemRow } from '../../../reports/read/read-items.ts';
import type { ItemWork } from '../../../reports/read/read-work.ts';
import { reasonOf } from '../../../reports/sheets/breaks.ts';
import { maskedText } from '../../../reports/words/masked-text.ts';
import { oneLine, sheetText } from '../../../reports/sheets/sheet-text.ts';
import type { WorkList } from '../../../reports/work-list.ts';
import type { Words } from '../../../reports/words/words.ts';
import { cellText } from '../../../src/excel/text.ts';
import type { Day, Zone } from '../../../src/core/time.ts';
import type { WorkedBreak } from '../../../src/store/runs/breaks.ts';
import type { BreakWork } from '../../../src/store/schema/schema.ts';
import { awaitsApproval } from '../say.ts';

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

type SeenWork = Pick<WorkedBreak, 'work' | 'work_status' | 'is_proposed'>;

/** As it was said: of that nothing has lapsed, of a write-off that was proposed before what had by that day. */
export function asSaid(work: BreakWork, today: Day): SeenWork {
  return { work, work_status: work.status, is_proposed: awaitsApproval(work.writeOff, { ...work, today }) };
}

/** How the sheet would show that work of the row, but for what it masks. */
export function textsOf(row: ItemRow, seen: SeenWork, of: { list: WorkList; zone: Zone }): InputTexts {
  return saidTexts({ ...row, ...itemWork(seen) }, of);
}

/** How the sheet shows the row, but for what it masks. */
export function saidTexts(row: ItemRow, { list, zone }: { list: WorkList; zone: Zone }): InputTexts {
  const titles = inputTitles(list.words);
  const shown = byInput((input) => {
    const column = list.columns.find(({ title }) => title === titles[input]);
    return column === undefined ? '' : oneLine(sheetText(column, row, zone));
  });
  const [owner, reason, remark] = [row.owner, reasonOf(row), row.remark].map((text) =>
    oneLine(cellText(text)),
  ) as [string, string, string];
  return { ...shown, owner, reason, remark };
}

/** As the sheet shows a text of people. */
export function shownText(list: WorkList, text: string): string {
  return oneLine(maskedText(list, text));
}

/**
 * The text with the numbers of those texts where it has their masks; a mask that two of them have stays.
 * @param unclear hears each that stays so
 */
export function withNumbers(
  list: WorkList,
  text: string,
  { of, unclear }: { of: readonly string[]; unclear: (mask: string) => void },
): string {
  const numbers = new Map<string, string | undefined>();
  for (const known of of) {
    maskedText(list, known, (number, shown) => {
      const before = numbers.has(shown) ? numbers.get(shown) : number;
      const isOther = before === undefined || !isSameNumber(before, number);
      numbers.set(shown, isOther ? undefined : before);
    });
  }
  if (numbers.size === 0) return text;
  // A mask may be the begin of a longer one.
  const masks = [...numbers.keys()].toSorted((left, right) => right.length - left.length);
  const pattern = new RegExp(masks.map(maskPattern).join('|'), 'g');
  return text.replace(pattern, (mask) => {
    const number = numbers.get(mask);
    if (number === undefined) unclear(mask);
    return number ?? mask;
  });
}

/** A mask as it stands in a text: no number goes on before or behind it, and it ends no longer mask. */
function maskPattern(shown: string): string {
  const before = shown.startsWith('*') ? '(?<!\\d{3}\\**)' : '(?<!\\d)';
  const behind = /\d$/.test(shown) ? '(?!\\d)' : '';
  return `${before}${shown.replaceAll('*', '\\*')}${behind}`;
}

/** In groups or not. */
function isSameNumber(one: string, other: string): boolean {
  const [left, right] = [one, other].map((number) => number.normalize('NFKC').replace(/[^0-9]/g, ''));
  return left === right;
}

function itemWork({ work, work_status, is_proposed }: SeenWork): ItemWork {
  const writeOff = work?.writeOff ?? null;
  const inForce = work_status === 'written_off' ? (work?.inForce ?? null) : null;
  return {
    work_status,
    owner: work?.owner ?? '',
    reason: work?.reason ?? '',
    remark: work?.note ?? '',
    action: work?.action ?? '',
    is_proposed,
    write_offs: [inForce, writeOff].filter((one) => one !== null),
  };
}
