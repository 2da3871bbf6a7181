/** All that bears a number, each traced: accounts, records, what is registered only, entries, breaks. */
import { shownOf } from '../breaks/break-shown.ts';
import type { BreakShown } from '../breaks/break-shown.ts';
import { saidMask } from '../context/said-mask.ts';
import type { Day } from '../../src/core/time.ts';
import { findBreaks } from '../../src/store/runs/breaks.ts';
import { findBearers, listOrdersOfBatch } from '../../src/store/trace/bearers.ts';
import type { Bearers, EntryKey, RecordKey } from '../../src/store/trace/bearers.ts';
import { findMatchOfEntry, listEntryVersions } from '../../src/store/trace/money-path.ts';
import type { TracedEntry } from '../../src/store/trace/money-path.ts';
import { explainAccount } from './explain-account.ts';
import type { ExplainedAccount } from './explain-account.ts';
import { explainRecord } from './explain-record.ts';
import type { ExplainedRecord, Explaining } from './explain-record.ts';
import { placesOfRun } from './run-places.ts';
import type { WorkbookPlace } from './run-places.ts';

export interface ExplainedBreak extends BreakShown {
  firstRun: string;
  lastRun: string;
  /** Where the workbook of the last run that found it has it. */
  workbook: WorkbookPlace | null;
}

export interface ExplainedEntry {
  /** The latest first. */
  versions: TracedEntry[];
  /** The group it was matched in; null: it is open, or takes no part. */
  matched: { accountNo: string; group: string } | null;
}

export type ExplainedBatch = Bearers['batches'][number] & {
  /** The first of them; each is explained by its own number. */
  orders: Awaited<ReturnType<typeof listOrdersOfBatch>>;
};

export interface Explanation {
  schema: 1;
  asked: string;
  account: ExplainedAccount | null;
  records: ExplainedRecord[];
  batches: ExplainedBatch[];
  registered: Bearers['registered'];
  entries: ExplainedEntry[];
  breaks: ExplainedBreak[];
}

/** @returns undefined where nothing bears it, or it is an account without a verdict for the day that is asked for */
export async function explainNumber(
  explaining: Explaining,
  of: { number: string; day: Day | undefined; today: Day },
): Promise<Explanation | undefined> {
  const bearers = await withWhatTheyLeadTo(explaining, of.number);
  const account = await accountOf(explaining, bearers, of);
  const entries = await entriesOf(explaining, bearers.entries);
  const records = await recordsOf(explaining, bearers.records);
  const breaks = await breaksOf(explaining, bearers.breakIds, of.today);
  const batches = await batchesOf(explaining, bearers.batches);
  const { registered } = bearers;
  const found = [records, batches, registered, entries, breaks].some(({ length }) => length > 0);
  // Who names an account and a day asks for that proof: breaks of another day are no answer.
  const wantsProof = bearers.isAccount && of.day !== undefined && !bearers.breakIds.includes(of.number);
  if (account === undefined && (!found || wantsProof)) return undefined;
  return {
    schema: 1,
    asked: of.number,
    account: account ?? null,
    records,
    batches,
    registered,
    entries,
    breaks,
  };
}

/** A screen has room for so many orders of a batch. */
const ORDERS_OF_BATCH_MAX = 20;

/** A break leads to what it is about, an entry to the record it was matched with. */
async function withWhatTheyLeadTo({ db }: Explaining, number: string): Promise<Bearers> {
  const bearers = await findBearers(db, number);
  const about = await db
    .selectFrom('break')
    .select('reference')
    .where('break_id', '=', number)
    .executeTakeFirst();
  const led = about === undefined ? undefined : await findBearers(db, about.reference);
  const entries = distinct([...bearers.entries, ...(led?.entries ?? [])], entryName);
  const matched = await recordsOfEntries({ db }, entries);
  return {
    ...bearers,
    isAccount: bearers.isAccount || led?.isAccount === true,
    records: distinct([...bearers.records, ...(led?.records ?? []), ...matched], recordName),
    batches: distinct([...bearers.batches, ...(led?.batches ?? [])], ({ accountNo, outBatchNo }) =>
      [accountNo, outBatchNo].join(' '),
    ),
    registered: distinct([...bearers.registered, ...(led?.registered ?? [])], (one) => one.registeredAs),
    entries,
  };
}

const entryName = ({ source, entryId }: EntryKey): string => `${source} ${entryId}`;
const recordName = ({ kind, accountNo, number }: RecordKey): string => `${kind} ${accountNo} ${number}`;

function distinct<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}

async function recordsOfEntries(
  { db }: Pick<Explaining, 'db'>,
  entries: readonly EntryKey[],
): Promise<RecordKey[]> {
  const found: RecordKey[] = [];
  for (const key of entries) {
    const [latest] = await listEntryVersions(db, key);
    const group = latest && (await findMatchOfEntry(db, latest.entryNo));
    if (group === undefined) continue;
    const reference = group.group.slice(group.group.indexOf(':') + 1);
    found.push(...(await findBearers(db, reference)).records.filter(({ number }) => number === reference));
  }
  return found;
}

async function accountOf(
  explaining: Explaining,
  { isAccount, breakIds }: Bearers,
  { number, day, today }: { number: string; day: Day | undefined; today: Day },
): Promise<ExplainedAccount | undefined> {
  if (!isAccount) return undefined;
  if (!breakIds.includes(number)) return explainAccount(explaining, { accountNo: number, day });
  const [about] = await findBreaks(explaining.db, { breakIds: [number], withClosed: true }, today);
  return about && explainAccount(explaining, { accountNo: about.reference, day: day ?? about.last_day });
}

async function recordsOf(explaining: Explaining, keys: readonly RecordKey[]): Promise<ExplainedRecord[]> {
  const records: ExplainedRecord[] = [];
  for (const key of keys) {
    const record = await explainRecord(explaining, key);
    if (record !== undefined) records.push(record);
  }
  return records;
}

async function batchesOf({ db }: Explaining, batches: Bearers['batches']): Promise<ExplainedBatch[]> {
  const explained: ExplainedBatch[] = [];
  for (const batch of batches) {
    const orders = await listOrdersOfBatch(db, { ...batch, limit: ORDERS_OF_BATCH_MAX });
    explained.push({ ...batch, orders });
  }
  return explained;
}

async function entriesOf({ db }: Explaining, keys: readonly EntryKey[]): Promise<ExplainedEntry[]> {
  const entries: ExplainedEntry[] = [];
  for (const key of keys) {
    const versions = await listEntryVersions(db, key);
    const [latest] = versions;
    const matched = latest === undefined ? undefined : await findMatchOfEntry(db, latest.entryNo);
    entries.push({ versions, matched: matched ?? null });
  }
  return entries;
}

async function breaksOf(
  explaining: Explaining,
  breakIds: readonly string[],
  today: Day,
): Promise<ExplainedBreak[]> {
  if (breakIds.length === 0) return [];
  const rows = await findBreaks(explaining.db, { breakIds, withClosed: true }, today);
  const mask = await saidMask(explaining.db);
  const breaks: ExplainedBreak[] = [];
  for (const row of rows) {
    const places = await placesOfRun(explaining, row.last_run);
    const workbook = places.ofBreak(row.severity, row.break_id);
    breaks.push({ ...shownOf(row, mask), firstRun: row.first_run, lastRun: row.last_run, workbook });
  }
  return breaks;
}
