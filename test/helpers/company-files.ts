/** The files a company hands in: its accounts and its books, as CSV. */

/** An account of the company; the platform holds as much as the opening says, unless `heldFen` says otherwise. */
export interface AccountLine {
  no: string;
  eleAcctNo?: string;
  /** Without it the first balance is the baseline. */
  opening?: { fen: bigint; at: string };
  heldFen?: bigint;
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
  counterparty?: string;
  status?: 'posted' | 'pending';
}

export function accountsCsv(lines: readonly AccountLine[]): string {
  const rows = lines.map(({ no, eleAcctNo, opening }) => [
    no,
    eleAcctNo ?? '',
    opening?.fen ?? '',
    opening?.at ?? '',
  ]);
  return csvOf(['account_no', 'ele_acct_no', 'opening_fen', 'opening_at'], rows);
}

const LEDGER_HEADER = [
  'entry_id',
  'account_no',
  'kind',
  'amount_fen',
  'reference',
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
    line.counterparty ?? '',
    line.at,
    line.status ?? 'posted',
  ]);
  return csvOf(LEDGER_HEADER, rows);
}

function csvOf(header: readonly string[], rows: readonly (readonly (string | bigint)[])[]): string {
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}
