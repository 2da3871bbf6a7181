/** The columns that say whose row it is, the same on each list. */
import type { Column } from '../../src/excel/column.ts';
import type { Report } from '../read/report.ts';

/** How many there are: what a list shows of its own begins behind them. */
export const ACCOUNT_COLUMNS = 3;

const NAME_WIDTH = 20;

/** The name of the account whose number stands in the column before. */
export function nameColumn<R>(
  { accountNames }: Pick<Report, 'accountNames'>,
  title: string,
  accountOf: (row: R) => string,
): Column<R> {
  return {
    kind: 'text',
    style: 'textWrap',
    title,
    widthMin: NAME_WIDTH,
    widthMax: NAME_WIDTH,
    value: (row) => accountNames.get(accountOf(row)) ?? '',
  };
}

export function accountColumns<R extends { account_index: number; account_no: string }>(
  report: Pick<Report, 'words' | 'accountNames'>,
): Column<R>[] {
  const { accountIndex, account, accountName } = report.words.common;
  return [
    { kind: 'count', title: accountIndex, style: 'index', value: (row) => row.account_index },
    { kind: 'text', title: account, widthMin: 16, value: (row) => row.account_no },
    nameColumn(report, accountName, (row) => row.account_no),
  ];
}
