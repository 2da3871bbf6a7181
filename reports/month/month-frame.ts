/** What the sheets of a month's roll-up share. */
import { overflowCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Tone } from '../../src/excel/style.ts';
import type { Words } from '../words/words.ts';
import type { MonthWords } from './month-words.ts';
import type { MonthStatement } from './read-month-statement.ts';
import type { Month } from './read-month.ts';

export interface MonthReport extends Month {
  words: Words;
  month: MonthWords;
  companyName: string;
  serviceName: string;
  statement: MonthStatement;
  allStatements: boolean;
}

/** Title and subtitle. */
export const MONTH_HEAD_ROWS = 2;

export function monthHead(
  { words, month, period, companyName, serviceName }: MonthReport,
  title: string,
): Row[] {
  const { perspective, unit } = words.common;
  const parts = [companyName, serviceName, period.name, unit, perspective].filter((part) => part !== '');
  return [
    [overflowCell(`${month.title} · ${title}`, 'title')],
    [overflowCell(parts.join(' · '), 'subtitle')],
  ];
}

export function monthFrame({ words, month, companyName, period }: MonthReport, name: string, tone: Tone) {
  const pageHeader = [companyName, month.title, period.name].filter((part) => part !== '').join('  ');
  return { name, tone, footer: words.common.footer, pageHeader };
}
