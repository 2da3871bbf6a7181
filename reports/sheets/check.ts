/** The last sheet of a list's own workbook: what was written there against what the tables hold. */
import type { Fen } from '../../src/core/fen.ts';
import type { Book } from '../../src/excel/book.ts';
import { moneyCell, numberCell, textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import { fitWidths } from '../../src/excel/fit.ts';
import type { Tone } from '../../src/excel/style.ts';
import { checkCell } from './live-cell.ts';
import { headRows, sheetFrame } from './list-sheet.ts';
import type { Written } from './list-sheet.ts';
import type { ItemList } from '../read/read-items.ts';
import { allDeposits } from '../read/read-deposits.ts';
import { allVouchers } from '../read/read-vouchers.ts';
import { listRows, orderCount } from '../read/report.ts';
import type { ListKey, Report } from '../read/report.ts';
import type { Words } from '../words/words.ts';

interface Sum {
  rows: number;
  amountFen: Fen;
}

export async function writeCheck(
  book: Book,
  report: Report,
  of: { key: ListKey; tone: Tone; written: Written },
): Promise<void> {
  const { words } = report;
  const { deposits: w } = words;
  const stored = storedSum(report, of.key);
  const row = (label: string, sum: Sum): Row => [
    textCell(label, 'label'),
    numberCell(sum.rows, 'totalCount'),
    moneyCell(sum.amountFen, 'totalMoney'),
  ];
  const first = 4;
  const agrees = (column: string, yes: boolean) =>
    checkCell(words, `ROUND(${column}${first}-${column}${first + 1},2)=0`, yes);
  const rows: Row[] = [
    ...headRows(report, w.checkRow),
    ['', w.counts, amountName(words, of.key)].map((name) => textCell(name, 'header')),
    row(w.inTables, stored),
    row(w.asWritten, of.written),
    [
      textCell(w.check, 'label'),
      agrees('B', stored.rows === of.written.rows),
      agrees('C', stored.amountFen === of.written.amountFen),
    ],
  ];
  const sheet = book.addSheet({
    ...sheetFrame(report, words.sheets.check, of.tone),
    widths: fitWidths(rows, { min: [24, 16, 20] }),
    frozen: { rows: 3, columns: 0 },
  });
  for (const cells of rows) sheet.addRow(cells);
  book.nameCell('recon_check_rows', { sheet: sheet.name, row: first + 2, column: 2 });
  book.nameCell('recon_check_amount', { sheet: sheet.name, row: first + 2, column: 3 });
  await sheet.finish();
}

/** What the rows of a list are added up by. */
function amountName(words: Words, key: ListKey): string {
  if (key === 'deposits') return words.deposits.amounts;
  if (key === 'vouchers') return words.vouchers.amounts;
  return key === 'transfers' || key === 'withdrawals' ? words.orders.effect : words.items.difference;
}

function storedSum(report: Report, key: ListKey): Sum {
  if (key === 'deposits') {
    const all = allDeposits(report.deposits);
    return { rows: all.count, amountFen: all.amountFen };
  }
  if (key === 'vouchers') {
    return { rows: listRows(report, key), amountFen: allVouchers(report.vouchers).amountFen };
  }
  if (key === 'transfers' || key === 'withdrawals') {
    return { rows: orderCount(report, key), amountFen: report.orders[key].movedFen };
  }
  if (key === 'offsets' || key === 'writeOffs' || key === 'changes') {
    const { rows, fen } = report.sideLists[key];
    return { rows, amountFen: fen };
  }
  const lists: readonly ItemList[] = key === 'breaks' ? ['break', 'attention'] : ['open', 'cleared'];
  return report.items
    .filter((item) => lists.includes(item.list))
    .reduce((sum, item) => ({ rows: sum.rows + item.count, amountFen: sum.amountFen + item.netFen }), {
      rows: 0,
      amountFen: 0n,
    });
}
