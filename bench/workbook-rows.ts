/** Our side of the workbook benchmark: so many rows to that file; prints time and peak memory. */
import { instantOf, Zone } from '../src/core/time.ts';
import type { Instant } from '../src/core/time.ts';
import { writeBook } from '../src/excel/book.ts';
import type { Column } from '../src/excel/column.ts';
import { openTable } from '../src/excel/table.ts';

interface Line {
  accountNo: string;
  orderNo: string;
  at: Instant;
  amountFen: bigint;
  feeFen: bigint;
  feeType: string;
  netFen: bigint;
  payer: string;
  entryId: string;
  bookedAt: Instant;
  ledgerFen: bigint;
  rule: string;
}

const COLUMNS: Column<Line>[] = [
  { kind: 'text', title: '账户', value: (row) => row.accountNo },
  { kind: 'text', title: '平台订单号', value: (row) => row.orderNo },
  { kind: 'time', title: '入账时间', value: (row) => row.at },
  { kind: 'money', title: '充值金额', value: (row) => row.amountFen },
  { kind: 'money', title: '手续费', value: (row) => row.feeFen },
  { kind: 'text', title: '收费方式', value: (row) => row.feeType },
  { kind: 'money', title: '平台净额', value: (row) => row.netFen },
  { kind: 'text', title: '付款方', value: (row) => row.payer },
  { kind: 'text', title: '企业凭证号', value: (row) => row.entryId },
  { kind: 'time', title: '记账时间', value: (row) => row.bookedAt },
  { kind: 'money', title: '企业金额', value: (row) => row.ledgerFen },
  { kind: 'text', title: '匹配规则', value: (row) => row.rule },
];

/** Midnight of 1 March 2026 in Shanghai. */
const START_MS = 1_772_294_400_000;
const SECONDS_A_DAY = 86_400;
/** As many as the report fetches at a time. */
const PIECE = 1_000;

function lineOf(n: number): Line {
  const amountFen = BigInt(100 + n * 7);
  const feeFen = BigInt(n % 50);
  const at = instantOf(START_MS + (n % SECONDS_A_DAY) * 1_000);
  return {
    accountNo: `62170000${1_000_000 + (n % 997)}`,
    orderNo: `D2026030100${10_000_000 + n}`,
    at,
    amountFen,
    feeFen,
    feeType: 'ORDER',
    netFen: amountFen - feeFen,
    payer: `客户${n % 5_000}有限公司`,
    entryId: `E${n}`,
    bookedAt: at,
    ledgerFen: amountFen,
    rule: 'reference',
  };
}

const rows = Number(process.argv[2]);
const path = process.argv[3] ?? '';
const started = performance.now();
await writeBook(
  { path, createdAt: instantOf(START_MS), creator: 'recon', fontName: '微软雅黑' },
  async (book) => {
    const table = openTable(book, {
      sheet: { name: '充值', tone: 'good', footer: '&P / &N', pageHeader: '' },
      top: [],
      columns: COLUMNS,
      frozenColumns: 0,
      zone: new Zone('Asia/Shanghai'),
    });
    table.section({ empty: '' });
    for (let from = 0; from < rows; from += PIECE) {
      await table.write(Array.from({ length: Math.min(PIECE, rows - from) }, (_, at) => lineOf(from + at)));
    }
    await table.finish();
  },
);
const figures = { ms: performance.now() - started, peakMb: process.resourceUsage().maxRSS / 1_024 };
process.stdout.write(JSON.stringify(figures));
