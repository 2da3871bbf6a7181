/** The columns that say whose row it is, the same on each list. */
import type { Column } from '../../src/excel/column.ts';
import type { Report } from '../read/report.ts';

/** How many there are: what a list shows of its own begins behind them. */
export const ACCOUNT_COLUMNS = 3;

const NAME_WIDTH = 20;

export function accountColumns<R extends { account_index: number; account_no: string }>({
  words,
  accounts,
}: Pick<Report, 'words' | 'accounts'>): Column<R>[] {
  const { accountIndex, account, accountName } = words.common;
  return [
    { kind: 'count', title: accountIndex, style: 'index', value: (row) => row.account_index },
    { kind: 'text', title: account, widthMin: 16, value: (row) => row.account_no },
    {
      kind: 'text',
      style: 'textWrap',
      title: accountName,
      widthMin: NAME_WIDTH,
      widthMax: NAME_WIDTH,
      value: (row) => accounts[row.account_index - 1]?.name ?? '',
    },
  ];
}
