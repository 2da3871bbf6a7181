/** On the summary: how many orders have their voucher, and how many lack it and why. */
import { overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import { liveCount, liveMoney } from '../live-cell.ts';
import { allVouchers } from '../../read/read-vouchers.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';
import { VOUCHER_STATES, amountOfState, countOfState, overVouchers } from '../vouchers.ts';

/** The cell the tie-out compares with the sheet of vouchers. */
export const MISSING_NAME = 'recon_vouchers_missing';
const FIRST_ROW = 3;

export function voucherSection(report: Report): Section {
  const { vouchers, words } = report;
  const { vouchers: w, common } = words;
  if (vouchers.isOff) return { rows: [titleRow(w.title), [overflowCell(w.off, 'note')]] };
  const live = isLive(report, 'vouchers');
  const all = allVouchers(vouchers);
  const rows = VOUCHER_STATES.map((state): Row => {
    const { orders, amountFen } = vouchers.sums[state];
    return [
      textCell(w.states[state], 'line'),
      liveCount(live, countOfState(report, state), orders, 'count'),
      liveMoney(live, amountOfState(report, state), amountFen, 'money'),
    ];
  });
  return {
    names: [{ name: MISSING_NAME, row: FIRST_ROW + VOUCHER_STATES.indexOf('missing'), column: 2 }],
    rows: [
      titleRow(w.title),
      headerRow([w.state, w.orders, w.amounts], [1, 2]),
      ...rows,
      [
        textCell(common.total, 'totalText'),
        liveCount(
          live,
          overVouchers(report, (range) => `COUNT(${range('files')})`),
          all.orders,
        ),
        liveMoney(
          live,
          overVouchers(report, (range) => `SUM(${range('amount')})`),
          all.amountFen,
        ),
      ],
    ],
  };
}
