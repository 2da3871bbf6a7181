/** What is known of the platform's holdings before it is asked: from the job's own tables, or as given (S6). */
import type { Day, Zone } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';

export interface KnownAccount {
  accountNo: string;
  eleAcctNo: string | undefined;
}

export interface KnownDeposit {
  accountNo: string;
  day: Day;
  orderNo: string;
}

/** An order by the company's number, the platform's, or both. */
export interface KnownNumbers {
  own: string | undefined;
  platform: string | undefined;
}

export interface Facts {
  accounts: readonly KnownAccount[];
  /** The latest by its time of day, on a day that is over. */
  deposit: KnownDeposit | undefined;
  /** A day to look for deposits on. */
  day: Day | undefined;
  batches: readonly KnownNumbers[];
  withdrawals: readonly KnownNumbers[];
  /** Values of settleState the job has met. */
  settleWords: readonly string[];
  /** Whether an answer of this platform ever carried a signature. */
  everSigned: boolean;
}

/** What the caller names; it goes before what the tables have. */
export interface GivenFacts {
  account?: string | undefined;
  batch?: string | undefined;
  withdrawal?: string | undefined;
  day?: Day | undefined;
}

/** As many as show a rule; each costs a question. */
const ACCOUNTS_MAX = 10;
const DEPOSITS_MAX = 200;
const WORDS_MAX = 50;

/** Reads only. */
export async function readFacts(db: Db, given: GivenFacts, at: { zone: Zone; today: Day }): Promise<Facts> {
  const { hasSignedAnswers } = await import('../../src/store/deposits/answers.ts');
  const known = await latestDeposit(db, given, at);
  const deposit = given.day === undefined || given.day === known?.day ? known : undefined;
  const accounts = await readAccounts(db, given.account ?? deposit?.accountNo);
  return {
    accounts,
    deposit,
    day: given.day,
    batches: given.batch === undefined ? await readBatches(db) : asGiven(given.batch),
    withdrawals: given.withdrawal === undefined ? await readWithdrawals(db) : asGiven(given.withdrawal),
    settleWords: await readSettleWords(db),
    everSigned: await hasSignedAnswers(db),
  };
}

/** Whose number it is, is not said: the company's is tried first. */
function asGiven(number: string): KnownNumbers[] {
  return [
    { own: number, platform: undefined },
    { own: undefined, platform: number },
  ];
}

/** One that was given, or has a deposit, comes first. */
async function readAccounts(db: Db, first: string | undefined): Promise<KnownAccount[]> {
  const rows = await db
    .selectFrom('account')
    .select(['account_no', 'ele_acct_no'])
    .orderBy('account_no')
    .limit(ACCOUNTS_MAX)
    .execute();
  const known = rows.map(({ account_no, ele_acct_no }) => ({
    accountNo: account_no,
    eleAcctNo: ele_acct_no ?? undefined,
  }));
  if (first === undefined) return known;
  const own = await db
    .selectFrom('account')
    .select('ele_acct_no')
    .where('account_no', '=', first)
    .executeTakeFirst();
  const others = known.filter(({ accountNo }) => accountNo !== first);
  return [{ accountNo: first, eleAcctNo: own?.ele_acct_no ?? undefined }, ...others];
}

async function latestDeposit(
  db: Db,
  given: GivenFacts,
  { zone, today }: { zone: Zone; today: Day },
): Promise<KnownDeposit | undefined> {
  const before = zone.dayStart(today);
  let asked = db.selectFrom('deposit').select(['account_no', 'order_no', 'deposited_at']);
  if (given.account !== undefined) asked = asked.where('account_no', '=', given.account);
  const rows = await asked
    .where('deposited_at', '<', before)
    .orderBy('deposited_at', 'desc')
    .limit(DEPOSITS_MAX)
    .execute();
  const timed = rows.map((row) => ({ row, time: zone.localText(row.deposited_at).slice(11) }));
  const latest = timed.toSorted((a, b) => (a.time < b.time ? 1 : -1))[0];
  if (latest === undefined) return undefined;
  const { account_no, order_no, deposited_at } = latest.row;
  return { accountNo: account_no, orderNo: order_no, day: zone.dayOf(deposited_at) };
}

/** One with a settlement says more than one without; what was only registered may not be there yet. */
async function readBatches(db: Db): Promise<KnownNumbers[]> {
  const settled = await db
    .selectFrom('transfer_order')
    .select('out_batch_no')
    .where('settlement', '!=', 'none')
    .where('out_batch_no', '!=', '')
    .orderBy('seen_at', 'desc')
    .executeTakeFirst();
  const newest = await db
    .selectFrom('transfer_batch')
    .select(['out_batch_no', 'batch_no'])
    .orderBy('seen_at', 'desc')
    .executeTakeFirst();
  const registered = await db
    .selectFrom('order_registry')
    .select(['out_batch_no', 'batch_no'])
    .where('kind', '=', 'transfer')
    .orderBy('submitted_at')
    .executeTakeFirst();
  const rows = [settled && { out_batch_no: settled.out_batch_no, batch_no: '' }, newest, registered];
  return rows.flatMap((row) => (row === undefined ? [] : numbers(row.out_batch_no, row.batch_no)));
}

async function readWithdrawals(db: Db): Promise<KnownNumbers[]> {
  const newest = await db
    .selectFrom('withdrawal')
    .select(['out_order_no', 'order_no'])
    .orderBy('seen_at', 'desc')
    .executeTakeFirst();
  const registered = await db
    .selectFrom('order_registry')
    .select(['out_order_no', 'order_no'])
    .where('kind', '=', 'withdrawal')
    .orderBy('submitted_at')
    .executeTakeFirst();
  return [newest, registered].flatMap((row) =>
    row === undefined ? [] : numbers(row.out_order_no, row.order_no),
  );
}

function numbers(own: string, platform: string): KnownNumbers[] {
  const of = { own: own === '' ? undefined : own, platform: platform === '' ? undefined : platform };
  return of.own === undefined && of.platform === undefined ? [] : [of];
}

async function readSettleWords(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('transfer_order')
    .select('settle_state')
    .distinct()
    .where('settle_state', '!=', '')
    .limit(WORDS_MAX)
    .execute();
  return rows.map((row) => row.settle_state);
}
