/** The files a company hands in: its accounts, its orders and its books, as CSV. */

/** An account of the company; the platform holds as much as the opening says, unless `heldFen` says otherwise. */
export interface AccountLine {
  no: string;
  eleAcctNo?: string;
  /** Without it the first balance is the baseline. */
  opening?: { fen: bigint; at: string };
  heldFen?: bigint;
  /** What is paid to it goes on to its bank account. */
  autoSettle?: boolean;
  replacedBy?: string;
  activeTo?: string;
  /** Each query of the account first moves its balance by so much, so many times. */
  drift?: { fen: bigint; queries: number };
}

/** An entry of the company's books. */
export interface BookLine {
  id: string;
  account: string;
  fen: bigint;
  at: string;
  kind?: string;
  reference?: string;
  /** Of a transfer: what its batch is asked by. */
  outBatchNo?: string;
  counterparty?: string;
  status?: 'posted' | 'pending';
}

export function accountsCsv(lines: readonly AccountLine[]): string {
  const rows = lines.map(({ no, eleAcctNo, opening, autoSettle, activeTo, replacedBy }) => [
    no,
    eleAcctNo ?? '',
    opening?.fen ?? '',
    opening?.at ?? '',
    autoSettle === undefined ? '' : autoSettle ? 'yes' : 'no',
    activeTo ?? '',
    replacedBy ?? '',
  ]);
  return csvOf(
    ['account_no', 'ele_acct_no', 'opening_fen', 'opening_at', 'auto_settle', 'active_to', 'replaced_by'],
    rows,
  );
}

/** An order as the company registered it before it sent it. */
export interface OrderLine {
  kind: 'transfer' | 'withdrawal';
  outBatchNo?: string;
  outOrderNo: string;
  /** The platform's numbers. */
  batchNo?: string;
  orderNo?: string;
  /** For a withdrawal the account. */
  payer: string;
  payee?: string;
  fen: bigint;
  submittedAt: string;
  outcome?: 'sent' | 'accepted' | 'refused' | 'unknown';
}

const ORDERS_HEADER = [
  'kind',
  'out_batch_no',
  'out_order_no',
  'batch_no',
  'order_no',
  'payer_account_no',
  'payee_account_no',
  'amount_fen',
  'submitted_at',
  'outcome',
];

export function ordersCsv(lines: readonly OrderLine[]): string {
  const rows = lines.map((line) => [
    line.kind,
    line.outBatchNo ?? '',
    line.outOrderNo,
    line.batchNo ?? '',
    line.orderNo ?? '',
    line.payer,
    line.payee ?? '',
    line.fen,
    line.submittedAt,
    line.outcome ?? 'accepted',
  ]);
  return csvOf(ORDERS_HEADER, rows);
}

const LEDGER_HEADER = [
  'entry_id',
  'account_no',
  'kind',
  'amount_fen',
  'reference',
  'out_batch_no',
  'counterparty',
  'booked_at',
  'status',
];

export function ledgerCsv(lines: readonly BookLine[]): string {
  const rows = lines.map((line) => [
    line.id,
    line.account,
    line.kind ?? 'deposit',
    line.fen,
    line.reference ?? '',
    line.outBatchNo ?? '',
    line.counterparty ?? '',
    line.at,
    line.status ?? 'posted',
  ]);
  return csvOf(LEDGER_HEADER, rows);
}

function csvOf(header: readonly string[], rows: readonly (readonly (string | bigint)[])[]): string {
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}
