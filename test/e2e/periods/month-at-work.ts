/**
 * A month of thirty nights, with people at work on its breaks in between.
 *
 * Yuan; A and B begin June with 10,000.00 and 5,000.00 on both sides. The platform lists nine deposits:
 * A: D1 100.00 on the 1st · D2 5.00 on the 2nd · D3 20.00 on the 3rd · D4 45.90 on the 5th · D9 1,000.00 on the 25th;
 * B: D8 12.00 on the 10th · D6 7.60 on the 20th, a second before midnight · D10 66.00 on the 28th · D7 8.80 on the
 * 30th, half a minute before midnight.
 * The books have D1 on its day. D2 and D8 never. D3 on the 10th; taken out on the 15th; in again on the 18th. D4 as
 * 49.50, put right on the 7th. 30.00 under DX on the 12th, which nobody paid. D6 and D7 just after midnight. D9 on B.
 * D10 twice.
 */
import { expect } from 'vitest';
import type { Saying } from '../../../jobs/breaks/say.ts';
import { addDays } from '../../../src/core/time.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import { Night } from '../../helpers/night.ts';
import { FilledBook, importFile, sayOf } from '../../jobs/breaks/work-list.ts';
import { publish } from '../../reports/publish.ts';

export const A = '6217000000000000001';
export const B = '6217000000000000002';
const LI = '李娜';
const WANG = '王伟';
const WRITE_OFF = { kind: 'write-off', reason: '尾差，无凭证' } as const;

export interface Month {
  night: Night;
  /** Of each night: its day, its verdict, and the references of what was open. */
  told: string[];
  /** Every id that a break was seen under, by account, reference and number of its life. */
  ids: Map<string, Set<string>>;
}

export const june = (day: number): string => `2026-06-${String(day).padStart(2, '0')}`;

export function booked(account: string, id: string, yuan: number, at: string, reference = id): BookLine {
  return { id: `E-${id}`, account, fen: BigInt(Math.round(yuan * 100)), at, reference };
}

function paid(payeeAcctNo: string, orderNo: string, yuan: number, depositTime: string) {
  return { payeeAcctNo, orderNo, amountFen: BigInt(Math.round(yuan * 100)), depositTime };
}

/** In the morning after the night of that day, at ten. */
function say(night: Night, day: number, by: string, saying: Saying, ...references: string[]): Promise<void> {
  return sayOf(night.db, { day: june(day), by, saying, references });
}

/** What comes in, and what people say, on the day before its night. */
const DAYS: Readonly<Record<number, (night: Night) => Promise<unknown>>> = {
  1: (night) => night.entries([booked(A, 'D1', 100, `${june(1)} 11:00:00`)]),
  3: (night) => say(night, 3, LI, { kind: 'assign', to: '赵敏' }, 'D2'),
  5: async (night) => {
    await say(night, 5, '赵敏', { kind: 'explain', reason: '银行回单未到' }, 'D2');
    await night.entries([booked(A, 'D4', 49.5, `${june(5)} 11:00:00`)]);
  },
  6: (night) => say(night, 6, '赵敏', { kind: 'resolve', reason: '已更正' }, 'D4'),
  7: (night) => night.entries([booked(A, 'D4', 45.9, `${june(5)} 11:00:00`)]),
  8: (night) => say(night, 8, LI, { ...WRITE_OFF, expires: june(20) }, 'D2'),
  9: async (night) => {
    await expect(say(night, 9, LI, { kind: 'approve' }, 'D2')).rejects.toThrow(/another person approves it/);
    await say(night, 9, WANG, { kind: 'approve' }, 'D2');
  },
  10: (night) => night.entries([booked(A, 'D3', 20, `${june(10)} 09:00:00`)]),
  12: (night) => night.entries([booked(A, 'X', 30, `${june(12)} 09:00:00`, 'DX')]),
  13: (night) => say(night, 13, LI, { kind: 'assign', to: '钱进' }, 'DX'),
  15: (night) => night.entries([...booksOf(15, 'D3')], { replace: true }),
  18: (night) => night.entries([booked(A, 'D3', 20, `${june(10)} 09:00:00`)]),
  20: (night) => night.entries([booked(B, 'D6', 7.6, `${june(21)} 00:10:00`)]),
  22: (night) => say(night, 22, LI, { ...WRITE_OFF, expires: '2026-07-31' }, 'D2'),
  23: (night) => say(night, 23, WANG, { kind: 'approve' }, 'D2'),
  25: (night) => night.entries([booked(B, 'D9', 1_000, `${june(25)} 15:00:00`)]),
  26: (night) => say(night, 26, '钱进', { kind: 'explain', reason: '记错账户，待冲转' }, 'D9'),
  28: (night) =>
    night.entries([
      booked(B, 'D10', 66, `${june(28)} 12:00:00`),
      booked(B, 'D10-2', 66, `${june(28)} 12:05:00`, 'D10'),
    ]),
  29: (night) => fillIn(night, 'nightly-2026-06-28-v1'),
  30: (night) => night.entries([booked(B, 'D7', 8.8, '2026-07-01 00:30:00')]),
};

/** All entries of the books as they were handed in by that day, without those of one deposit. */
function booksOf(day: number, without: string): BookLine[] {
  return [
    booked(A, 'D1', 100, `${june(1)} 11:00:00`),
    booked(A, 'D4', 45.9, `${june(5)} 11:00:00`),
    booked(A, 'D3', 20, `${june(10)} 09:00:00`),
    booked(A, 'X', 30, `${june(12)} 09:00:00`, 'DX'),
  ].filter((line) => line.reference !== without && line.at < `${june(day)} 24:00:00`);
}

/** The accountant writes into the workbook of that night, and it is read back. */
async function fillIn(night: Night, runId: string): Promise<void> {
  const path = `${night.home}/${runId}.xlsx`;
  await publish(night.db, { runId, path });
  const filled = await (
    await FilledBook.open(path)
  ).fill(`${night.home}/filled.xlsx`, {
    D10: {
      负责人: '孙丽',
      处理状态: '已说明',
      原因: '重复导入',
      备注: '已请财务冲销',
      建议处理: '冲销企业账',
    },
    D8: { 负责人: '孙丽' },
  });
  expect(await importFile(night.db, filled, { day: june(29), by: '孙丽' })).toMatchObject({
    status: 0,
    conflicts: [],
  });
}

export async function playMonth(): Promise<Month> {
  const told: string[] = [];
  const ids: Month['ids'] = new Map();
  const night = await Night.open({ now: `${june(1)} 08:00:00`, workbooks: 'last' });
  const at = `${june(1)} 00:00:00`;
  await night.accounts(
    { no: A, opening: { fen: 1_000_000n, at } },
    { no: B, opening: { fen: 500_000n, at } },
  );
  night.deposits(
    paid(A, 'D1', 100, `${june(1)} 10:00:00`),
    paid(A, 'D2', 5, `${june(2)} 10:00:00`),
    paid(A, 'D3', 20, `${june(3)} 10:00:00`),
    paid(A, 'D4', 45.9, `${june(5)} 10:00:00`),
    paid(B, 'D8', 12, `${june(10)} 10:00:00`),
    paid(B, 'D6', 7.6, `${june(20)} 23:59:59`),
    paid(A, 'D9', 1_000, `${june(25)} 14:00:00`),
    paid(B, 'D10', 66, `${june(28)} 11:00:00`),
    paid(B, 'D7', 8.8, `${june(30)} 23:59:30`),
  );
  for (let day = 1; day <= 30; day += 1) {
    night.moveTo(`${june(day)} 16:00:00`);
    await DAYS[day]?.(night);
    night.moveTo(`${addDays(june(day), 1)} 02:00:00`);
    const { result } = await night.night(june(day));
    const open = await night.db.selectFrom('break').selectAll().where('status', '=', 'open').execute();
    told.push(
      `${day} ${result.run.verdict} ${open
        .map((row) => row.reference)
        .toSorted()
        .join(' ')}`,
    );
    for (const row of open) {
      const key = `${row.account_no} ${row.reference} ${row.occurrence}`;
      ids.set(key, (ids.get(key) ?? new Set()).add(row.break_id));
    }
  }
  return { night, told, ids };
}
