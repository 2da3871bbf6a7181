/**
 * Cells that lead to a file near the workbook. A formula with its text stored beside it, and no relationship of the
 * sheet: a million of them cost as much as a million texts, Excel's 65,530 links a sheet do not bind them, and a
 * relative path goes on leading to its file when the whole tree of folders is moved.
 */
import { formulaText } from './address.ts';
import { escapeText } from './text.ts';

export interface Link {
  /** What is shown. */
  text: string;
  /** From the workbook's folder, with forward slashes; undefined: the text leads nowhere. */
  target?: string | undefined;
}

/** Only names that need no escape anywhere: what comes from outside makes no target (I3). */
const PLAIN_PATH = /^(?:\.\.\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
/** A constant in a formula holds no more. */
const CONSTANT_MAX = 255;
/** Line breaks and other control characters do not belong in a formula. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether the cell becomes a link; any other path or text leaves it a text. */
export function leads(link: Link): link is Link & { target: string } {
  const { text, target } = link;
  if (target === undefined || text === '' || CONTROL.test(text)) return false;
  return text.length <= CONSTANT_MAX && target.length <= CONSTANT_MAX && PLAIN_PATH.test(target);
}

/** The cell's XML after its style attribute. */
export function linkXml({ text, target }: Link & { target: string }): string {
  // Nothing in a plain path needs an escape.
  const formula = `HYPERLINK("${target}",${escapeText(formulaText(text))})`;
  return ` t="str"><f>${formula}</f><v>${escapeText(text)}</v></c>`;
}
