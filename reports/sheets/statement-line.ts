/** The line of the statement an item stands on, in words: what SUMIFS look for. */
import type { ItemClass, StatementLine } from '../read/read-items.ts';
import type { Words } from '../words/words.ts';

export function lineName(words: Words, item: { statement_line: StatementLine; class: ItemClass }): string {
  if (item.statement_line === 'none') return words.outsideStatement;
  return item.statement_line === 'error' ? words.classes[item.class] : words.sideLines[item.statement_line];
}
