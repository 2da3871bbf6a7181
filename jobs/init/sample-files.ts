/** Files as they are imported, with all columns, amounts in yuan, and rows to be replaced by one's own. */
import { csvCell } from '../../src/core/csv-cell.ts';
import { ACCOUNTS_LAYOUT } from '../../src/intake/read-accounts.ts';
import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import { ORDERS_LAYOUT } from '../../src/intake/read-orders.ts';
import type { TableLayout } from '../../src/intake/table-layout.ts';

type Row = Readonly<Record<string, string>>;

const ACCOUNTS: readonly Row[] = [
  {
    account_no: '100001',
    name: 'payer (sample)',
    role: 'FQ',
    auto_settle: 'no',
    opening_yuan: '5000.00',
    opening_at: '2026-03-01',
  },
  { account_no: '200001', name: 'payee (sample)', role: 'JS', auto_settle: 'yes' },
];

const TRANSFER: Row = {
  out_batch_no: 'B20260301-0001',
  out_order_no: 'T20260301-0001',
  payer_account_no: '100001',
  payee_account_no: '200001',
};

const ORDERS: readonly Row[] = [
  {
    ...TRANSFER,
    kind: 'transfer',
    amount_yuan: '100.00',
    submitted_at: '2026-03-01 09:30:00',
    outcome: 'accepted',
  },
  {
    kind: 'withdrawal',
    out_order_no: 'W20260301-0001',
    payer_account_no: '100001',
    amount_yuan: '50.00',
    submitted_at: '2026-03-01 10:00:00',
    outcome: 'accepted',
  },
];

const LEDGER: readonly Row[] = [
  {
    entry_id: 'E1',
    account_no: '100001',
    kind: 'deposit',
    amount_yuan: '123.45',
    counterparty: 'sample',
    booked_at: '2026-03-01 09:00:00',
  },
  {
    entry_id: 'E2',
    account_no: '100001',
    kind: 'transfer_out',
    amount_yuan: '-100.00',
    reference: 'T20260301-0001',
    out_batch_no: 'B20260301-0001',
    booked_at: '2026-03-01 09:30:00',
  },
  {
    entry_id: 'E3',
    account_no: '200001',
    kind: 'transfer_in',
    amount_yuan: '100.00',
    reference: 'T20260301-0001',
    out_batch_no: 'B20260301-0001',
    booked_at: '2026-03-01 09:30:00',
  },
];

export const SAMPLES = {
  'accounts.csv': () => tableOf(ACCOUNTS_LAYOUT, ACCOUNTS),
  'orders.csv': () => tableOf(ORDERS_LAYOUT, ORDERS),
  'ledger.csv': () => tableOf(LEDGER_LAYOUT, LEDGER),
} as const;

function tableOf({ columns, amount }: TableLayout, rows: readonly Row[]): string {
  const [inFen] = amount.names;
  const names = columns.map(({ name }) => name).filter((name) => name !== inFen);
  // An amount that is negative is no formula, and the reader wants it bare.
  const cell = (text: string): string => (/^-?[\d.]+$/.test(text) ? text : csvCell(text));
  return [names, ...rows.map((row) => names.map((name) => cell(row[name] ?? '')))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}
