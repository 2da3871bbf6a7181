/** The columns of the files that are imported, from the layouts that read them. */
import { ACCOUNTS_LAYOUT } from '../../src/intake/read-accounts.ts';
import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import { ORDERS_LAYOUT } from '../../src/intake/read-orders.ts';
import type { CellForm, TableLayout } from '../../src/intake/table-layout.ts';
import { ACCOUNT_ROLES, AUTO_SETTLE_WORDS } from '../../src/store/intake/accounts.ts';
import { LEDGER_KINDS, LEDGER_STATUSES } from '../../src/store/intake/ledger-entries.ts';
import { ORDER_KINDS, REGISTERED_OUTCOMES } from '../../src/store/orders/order-registry.ts';
import { table } from './markdown.ts';

const FORMS: Readonly<Record<CellForm, string>> = {
  number: 'identifier',
  text: 'text',
  fen: 'whole fen',
  yuan: 'yuan, two decimals',
  time: 'time',
};

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ');

const ORDER_WORDS: Readonly<Record<string, string>> = {
  kind: `one of ${words(ORDER_KINDS)}`,
  out_batch_no: 'your number of the batch; a transfer needs it, or `batch_no`',
  out_order_no: 'your number of the order; a withdrawal needs it, or `order_no`',
  batch_no: 'the platform’s number of the batch',
  order_no: 'the platform’s number of the order',
  payer_account_no: 'the account the money leaves; for a withdrawal its account',
  payee_account_no: 'the account a transfer reaches',
  amount_fen: 'the amount before fees; a withdrawal needs it',
  amount_yuan: 'the same in yuan, instead',
  submitted_at: 'a moment before the request left',
  outcome: `what the answer was: ${words(REGISTERED_OUTCOMES)}; \`sent\` when left out`,
};

const ACCOUNT_WORDS: Readonly<Record<string, string>> = {
  account_no: 'the platform’s account number',
  ele_acct_no: 'its other number, for listings that take that one (`deposits.accountField`)',
  name: 'for people',
  role: `one of ${words(ACCOUNT_ROLES)}`,
  subject_id: 'the subject it belongs to',
  auto_settle: `whether it withdraws by itself: ${words(AUTO_SETTLE_WORDS)}`,
  opening_fen: 'its balance at `opening_at`, where you know it',
  opening_yuan: 'the same in yuan, instead',
  opening_at: 'when that balance stood; a day means its beginning',
  active_from: 'when it was opened',
  active_to: 'when it was closed',
  replaced_by: 'the account that took its place',
  group: 'what you gather it by on the page, such as a branch; for people',
};

const LEDGER_WORDS: Readonly<Record<string, string>> = {
  entry_id: 'unique within its source',
  account_no: 'the account it is booked on',
  kind: `one of ${words(LEDGER_KINDS)}`,
  amount_fen: 'what the account gains is positive, what it loses negative',
  amount_yuan: 'the same in yuan, instead',
  reference: 'the platform’s order number or yours; may be empty for deposits',
  out_batch_no: 'your number of the batch, for transfers and their settlements and refunds',
  counterparty: 'for people',
  booked_at: 'when it was booked',
  status: `${words(LEDGER_STATUSES)}; \`posted\` when left out`,
  memo: 'for people',
};

function columnTable(layout: TableLayout, meanings: Readonly<Record<string, string>>): string {
  const rows = layout.columns.map(({ name, form, required }) => {
    const meaning = meanings[name];
    if (meaning === undefined) throw new Error(`nothing says what the column ${name} is`);
    return [`\`${name}\``, required ? 'yes' : neededOf(layout, name), FORMS[form], meaning];
  });
  return table(['column', 'needed', 'form', 'meaning'], rows);
}

function neededOf({ amount }: TableLayout, name: string): string {
  return amount.required && amount.names.includes(name) ? 'one of the two' : '';
}

export const FILE_TABLES = {
  'accounts-columns': () => columnTable(ACCOUNTS_LAYOUT, ACCOUNT_WORDS),
  'ledger-columns': () => columnTable(LEDGER_LAYOUT, LEDGER_WORDS),
  'orders-columns': () => columnTable(ORDERS_LAYOUT, ORDER_WORDS),
} as const;
