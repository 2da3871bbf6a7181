/**
 * Saving deposits: thousands of rows a transaction, each fact once, unchanged ones not even sent, the
 * former self of a changed one kept (DEP-12, P2, P3). Windows that became verified with these rows are
 * recorded in the same transaction, so that the proof is never ahead of the data.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { membersOf } from '../../core/records/deposit-content.ts';
import type { Day, Instant } from '../../core/time.ts';
import { saveAnswers } from './answers.ts';
import type { AnswerEvidence } from './answers.ts';
import { TEXT_C, copyRows, stageOf, textArray } from '../database/bulk.ts';
import type { StageRow } from '../database/bulk.ts';
import { cureFaults, saveFaults } from './record-faults.ts';
import type { RecordFault } from './record-faults.ts';
import type { Db, Tables } from '../schema/schema.ts';
import { saveReadWindows } from './windows.ts';
import type { ReadWindow } from './windows.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import { takeWriteNo } from '../database/writing.ts';

/** One deposit as the platform states it. */
export interface DepositFact {
  accountNo: string;
  orderNo: string;
  /** All that is stored of it (`contentOf`). */
  content: string;
  /** Equal digests are equal contents. */
  contentDigest: string;
  seenAt: Instant;
  answer: AnswerEvidence;
}

export interface DepositBatch {
  /** The run or snapshot that saw them. */
  runId: string;
  /** The day the run is for: the day on which a change is noticed. */
  day: Day;
  deposits: readonly DepositFact[];
  faults: readonly RecordFault[];
  windows: readonly ReadWindow[];
}

export interface SavedCount {
  added: number;
  changed: number;
}

const STAGE = stageOf('stage_deposit', {
  account_no: TEXT_C,
  // The members of the content, in their order.
  order_no: TEXT_C,
  amount_fen: 'bigint',
  fee_fen: 'bigint',
  real_fen: 'bigint',
  fee_type: 'text',
  payer_acct_no: 'text',
  payer_name: 'text',
  payer_bank_no: 'text',
  payee_acct_no: 'text',
  payee_name: 'text',
  payee_bank_no: 'text',
  remark: 'text',
  err_code: 'text',
  deposited_at: 'timestamptz',
  seen_at: 'timestamptz',
  answer_sha256: TEXT_C,
  signed: 'boolean',
  content_digest: TEXT_C,
});
const COLUMNS = STAGE.columns.map((column) => column.name);
/** All but the key and the moment it was first seen, by which a balance of the same second holds it. */
const CHANGES = COLUMNS.slice(2)
  .filter((name) => name !== 'seen_at')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/**
 * Saves a batch whole or not at all; saving it again changes nothing.
 * @param last the transaction's last statement, which may undo it
 */
export async function saveDeposits(
  db: Db,
  batch: DepositBatch,
  last?: (trx: Transaction<Tables>) => Promise<void>,
): Promise<SavedCount> {
  const deposits = lastOfEach(batch.deposits);
  return unitOfWork(db, async (trx) => {
    const unsaved = await leaveOutKnown(trx, deposits);
    const saved = unsaved.length === 0 ? { added: 0, changed: 0 } : await mergeDeposits(trx, batch, unsaved);
    await cureFaults(trx, { runId: batch.runId, readable: deposits });
    await saveFaults(trx, batch);
    await saveReadWindows(trx, batch.windows);
    await last?.(trx);
    return saved;
  });
}

/** One statement cannot touch a key twice, and two writers must meet keys in one order (H8). */
function lastOfEach(deposits: readonly DepositFact[]): DepositFact[] {
  const byAccount = new Map<string, Map<string, DepositFact>>();
  for (const deposit of deposits) {
    const known = byAccount.get(deposit.accountNo);
    if (known === undefined) byAccount.set(deposit.accountNo, new Map([[deposit.orderNo, deposit]]));
    else known.set(deposit.orderNo, deposit);
  }
  return [...byAccount.values()].flatMap((byNumber) => [...byNumber.values()]);
}

/** So many of a batch are looked up first; where none of them is stored, hardly any other is. */
const LOOKED_UP_FIRST = 20;

/** All but those that are stored as they are: most of what a night reads it has read before. */
async function leaveOutKnown(
  trx: Transaction<Tables>,
  deposits: readonly DepositFact[],
): Promise<readonly DepositFact[]> {
  const every = Math.max(1, Math.floor(deposits.length / LOOKED_UP_FIRST));
  const first = deposits.filter((_, at) => at % every === 0);
  const unsavedFirst = await unsavedOf(trx, first);
  if (unsavedFirst.length === first.length) return deposits;
  return first.length === deposits.length ? unsavedFirst : unsavedOf(trx, deposits);
}

/** Those that are not stored, or otherwise. */
async function unsavedOf(trx: Transaction<Tables>, deposits: readonly DepositFact[]): Promise<DepositFact[]> {
  if (deposits.length === 0) return [];
  const { rows } = await sql<{ nth: number }>`
    select k.nth::integer from unnest(${textArray(deposits.map(({ accountNo }) => accountNo))},
      ${textArray(deposits.map(({ orderNo }) => orderNo))}, ${textArray(deposits.map(({ contentDigest }) => contentDigest))})
      with ordinality k (account_no, order_no, content_digest, nth)
    where (select d.content_digest from deposit d
      where d.account_no = k.account_no and d.order_no = k.order_no) is distinct from k.content_digest
    order by k.nth`.execute(trx);
  return rows.map(({ nth }) => deposits[nth - 1]).filter((deposit) => deposit !== undefined);
}

async function mergeDeposits(
  trx: Transaction<Tables>,
  batch: DepositBatch,
  deposits: readonly DepositFact[],
): Promise<SavedCount> {
  await copyRows(trx, STAGE, stageRows(deposits));
  const writeNo = await takeWriteNo(trx);
  const { rows } = await sql<{ answer_sha256: string; n: number; changed: number }>`
    with looked as materialized (
      select s.*, (select d.content_digest from deposit d
                   where d.account_no = s.account_no and d.order_no = s.order_no) as known_digest
      from stage_deposit s
    ), kept as (
      insert into deposit_version (account_no, order_no, version, content, amount_fen, deposited_at,
        answer_sha256, seen_at, replaced_run, replaced_day)
      select d.account_no, d.order_no, d.version, to_jsonb(d) - 'written_no', d.amount_fen, d.deposited_at,
        d.answer_sha256, d.seen_at, ${batch.runId}, ${batch.day}
      from looked l
      -- The offset keeps the planner from joining the whole table for the few that changed.
      cross join lateral (
        select * from deposit d where d.account_no = l.account_no and d.order_no = l.order_no offset 0
      ) d
      where l.known_digest <> l.content_digest
      on conflict do nothing
      returning 1
    ), written as (
      insert into deposit (${sql.raw(COLUMNS.join(', '))}, version, written_no)
      select ${sql.raw(COLUMNS.join(', '))}, 1, ${writeNo} from looked
      where known_digest is distinct from content_digest
      order by account_no, order_no
      on conflict (account_no, order_no) do update set
        ${sql.raw(CHANGES)}, version = deposit.version + 1, written_no = excluded.written_no
      -- Another writer may have brought the same record meanwhile.
      where deposit.content_digest <> excluded.content_digest
      returning answer_sha256
    )
    select answer_sha256, count(*)::integer as n, (select count(*) from kept)::integer as changed
    from written group by answer_sha256`.execute(trx);
  const written = rows.reduce((sum, row) => sum + row.n, 0);
  const changed = rows[0]?.changed ?? 0;
  await saveAnswers(trx, answersNamed(deposits, new Set(rows.map((row) => row.answer_sha256))));
  return { added: written - changed, changed };
}

function answersNamed(deposits: readonly DepositFact[], digests: ReadonlySet<string>): AnswerEvidence[] {
  const answers = new Map<string, AnswerEvidence>();
  for (const { answer } of deposits) if (digests.has(answer.sha256)) answers.set(answer.sha256, answer);
  return [...answers.values()];
}

function* stageRows(deposits: readonly DepositFact[]): Iterable<StageRow> {
  for (const { accountNo, content, seenAt, answer, contentDigest } of deposits) {
    const { sha256, signed } = answer;
    yield [accountNo, ...membersOf(content), seenAt, sha256, signed ? 't' : 'f', contentDigest];
  }
}

/** The order numbers stored for an account inside a window, for finding records that vanished (P4). */
export async function listOrderNos(
  db: Db,
  accountNo: string,
  window: { from: Instant; to: Instant },
): Promise<string[]> {
  const rows = await db
    .selectFrom('deposit')
    .select('order_no')
    .where('account_no', '=', accountNo)
    .where('deposited_at', '>=', window.from)
    .where('deposited_at', '<', window.to)
    .orderBy('order_no')
    .execute();
  return rows.map((row) => row.order_no);
}
