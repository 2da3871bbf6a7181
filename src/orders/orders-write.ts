/** Writes what was drafted, table by table and in the order of the keys, each by one statement from its stage. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { saveAnswers } from '../store/deposits/answers.ts';
import { TEXT_C, copyKeyed, copyRows, stageOf } from '../store/database/bulk.ts';
import type { StageTable } from '../store/database/bulk.ts';
import type { OrderSave } from './orders-answers.ts';
import type { PendingWrites } from './pending-writes.ts';
import { writeDues } from './orders-write-due.ts';
import { writeFaults } from './orders-write-faults.ts';
import type { Tables } from '../store/schema/schema.ts';
import { takeWriteNo } from '../store/database/writing.ts';

export async function writeDrafts(
  trx: Transaction<Tables>,
  request: OrderSave,
  drafts: PendingWrites,
): Promise<void> {
  if (drafts.hasFacts) {
    await dropRows(trx, drafts);
    const writeNo = await takeWriteNo(trx);
    await writeOrders(trx, request, { drafts, writeNo });
    await writeBatches(trx, drafts, writeNo);
    await writeAliases(trx, drafts);
  }
  await writeShown(trx, drafts);
  await writeChanges(trx, drafts);
  await writeFaults(trx, request, drafts);
  await writeDues(trx, request, drafts);
  await saveAnswers(trx, [...drafts.evidence.values()]);
}

/** All columns but the write number, with the types that rows are copied as. */
const ORDER_COLUMNS: Readonly<Record<string, string>> = {
  account_no: TEXT_C,
  out_order_no: TEXT_C,
  order_no: TEXT_C,
  amount_fen: 'bigint',
  real_fen: 'bigint',
  fee_fen: 'bigint',
  fee_type: 'text',
  state: 'text',
  effective_state: 'text',
  note: 'text',
  version: 'integer',
  submitted_at: 'timestamptz',
  first_seen_at: 'timestamptz',
  seen_at: 'timestamptz',
  answer_sha256: TEXT_C,
  signed: 'boolean',
};
const TRANSFER_COLUMNS = {
  ...ORDER_COLUMNS,
  out_batch_no: TEXT_C,
  stated_no: TEXT_C,
  payee_account_no: TEXT_C,
  settle_state: 'text',
  settlement: 'text',
  settle_remark: 'text',
  refund_fen: 'bigint',
  refund_waiting_fen: 'bigint',
  ext_param: 'text',
  settle_shown_at: 'timestamptz',
  unfailed_shown_at: 'timestamptz',
  refund_shown_at: 'timestamptz',
};
const BATCH_COLUMNS = {
  account_no: TEXT_C,
  out_batch_no: TEXT_C,
  batch_no: TEXT_C,
  state: 'text',
  order_count: 'integer',
  ext_param: 'text',
  note: 'text',
  first_seen_at: 'timestamptz',
  seen_at: 'timestamptz',
  contradiction: 'text',
  contradiction_day: 'text',
  answer_sha256: TEXT_C,
  signed: 'boolean',
};
const CHANGE_COLUMNS = {
  account_no: TEXT_C,
  out_order_no: TEXT_C,
  subject: 'text',
  change_no: 'integer',
  state: 'text',
  amount_fen: 'bigint',
  since: 'timestamptz',
  open_since: 'timestamptz',
  last_open_at: 'timestamptz',
  first_final_at: 'timestamptz',
  is_odd: 'boolean',
};

/** Inserts the stage, or puts it in the place of what is there. */
function upsert(
  table: string,
  stage: StageTable,
  columns: Readonly<Record<string, string>>,
  of: { key: readonly string[]; writeNo?: bigint },
): ReturnType<typeof sql> {
  const names = Object.keys(columns);
  const kept = new Set([...of.key, 'first_seen_at']);
  const changes = names.filter((name) => !kept.has(name)).map((name) => `${name} = excluded.${name}`);
  const [all, key] = [names.join(', '), of.key.join(', ')];
  if (of.writeNo === undefined) {
    return sql`
      insert into ${sql.table(table)} (${sql.raw(all)}) select ${sql.raw(all)} from ${sql.table(stage.name)}
      order by ${sql.raw(key)} on conflict (${sql.raw(key)}) do update set ${sql.raw(changes.join(', '))}`;
  }
  return sql`
    insert into ${sql.table(table)} (${sql.raw(all)}, written_no)
    select ${sql.raw(all)}, ${of.writeNo}::bigint from ${sql.table(stage.name)}
    order by ${sql.raw(key)} on conflict (${sql.raw(key)}) do update set
      ${sql.raw([...changes, 'written_no = excluded.written_no'].join(', '))}`;
}

const ORDER_KEY = ['account_no', 'out_order_no'];
const TRANSFER_STAGE = stageOf('stage_transfer_order', { ...TRANSFER_COLUMNS, is_new_version: 'boolean' });
const WITHDRAWAL_STAGE = stageOf('stage_withdrawal', { ...ORDER_COLUMNS, is_new_version: 'boolean' });
const BATCH_STAGE = stageOf('stage_transfer_batch', BATCH_COLUMNS);
const CHANGE_STAGE = stageOf('stage_order_change', CHANGE_COLUMNS);

/** The former self of what changed after it was final is kept before it is overwritten (P3). */
async function writeOrders(
  trx: Transaction<Tables>,
  request: OrderSave,
  { drafts, writeNo }: { drafts: PendingWrites; writeNo: bigint },
): Promise<void> {
  const kinds = [
    {
      kind: 'transfer',
      table: 'transfer_order',
      stage: TRANSFER_STAGE,
      columns: TRANSFER_COLUMNS,
      rows: drafts.transfers,
    },
    {
      kind: 'withdrawal',
      table: 'withdrawal',
      stage: WITHDRAWAL_STAGE,
      columns: ORDER_COLUMNS,
      rows: drafts.withdrawals,
    },
  ] as const;
  for (const { kind, table, stage, columns, rows } of kinds) {
    if (rows.size === 0) continue;
    const drafted = [...rows.values()];
    const staged = drafted.map(({ row, isNewVersion }) => ({ ...row, is_new_version: isNewVersion }));
    await copyKeyed(trx, stage, staged);
    if (drafted.some(({ isNewVersion }) => isNewVersion)) {
      await sql`
        insert into order_version (account_no, kind, out_order_no, version, content, amount_fen, answer_sha256,
          seen_at, replaced_run, replaced_day)
        select o.account_no, ${kind}, o.out_order_no, o.version, to_jsonb(o) - 'written_no', o.amount_fen,
          o.answer_sha256, o.seen_at, ${request.runId}, ${request.day}
        from ${sql.table(stage.name)} s
        join ${sql.table(table)} o on o.account_no = s.account_no and o.out_order_no = s.out_order_no
        where s.is_new_version
        on conflict do nothing`.execute(trx);
    }
    await upsert(table, stage, columns, { key: ORDER_KEY, writeNo }).execute(trx);
  }
}

async function writeBatches(trx: Transaction<Tables>, drafts: PendingWrites, writeNo: bigint): Promise<void> {
  if (drafts.batches.size === 0) return;
  await copyKeyed(trx, BATCH_STAGE, drafts.batches.values());
  await upsert('transfer_batch', BATCH_STAGE, BATCH_COLUMNS, {
    key: ['account_no', 'out_batch_no'],
    writeNo,
  }).execute(trx);
}

async function writeChanges(trx: Transaction<Tables>, drafts: PendingWrites): Promise<void> {
  if (drafts.changes.size === 0) return;
  await copyKeyed(trx, CHANGE_STAGE, drafts.changes.values());
  await upsert('order_state_seen', CHANGE_STAGE, CHANGE_COLUMNS, {
    key: [...ORDER_KEY, 'subject', 'change_no'],
  }).execute(trx);
}

const SHOWN_STAGE = stageOf('stage_settle_shown', {
  account_no: TEXT_C,
  out_order_no: TEXT_C,
  settle_shown_at: 'timestamptz',
  unfailed_shown_at: 'timestamptz',
  refund_shown_at: 'timestamptz',
});

/** No news of the order: its write number stays. */
async function writeShown(trx: Transaction<Tables>, drafts: PendingWrites): Promise<void> {
  if (drafts.shown.size === 0) return;
  await copyKeyed(trx, SHOWN_STAGE, drafts.shown.values());
  await sql`
    update transfer_order o set settle_shown_at = greatest(o.settle_shown_at, s.settle_shown_at),
      unfailed_shown_at = greatest(o.unfailed_shown_at, s.unfailed_shown_at),
      refund_shown_at = greatest(o.refund_shown_at, s.refund_shown_at)
    from stage_settle_shown s
    where o.account_no = s.account_no and o.out_order_no = s.out_order_no`.execute(trx);
}

const ALIAS_STAGE = stageOf('stage_order_alias', { order_no: TEXT_C, out_order_no: TEXT_C });

async function writeAliases(trx: Transaction<Tables>, drafts: PendingWrites): Promise<void> {
  if (drafts.aliases.size === 0) return;
  await copyRows(trx, ALIAS_STAGE, drafts.aliases);
  await sql`
    insert into order_alias (order_no, out_order_no) select order_no, out_order_no from stage_order_alias
    order by order_no
    on conflict (order_no) do update set out_order_no = excluded.out_order_no
    where order_alias.out_order_no <> excluded.out_order_no`.execute(trx);
}

const DROP_STAGE = stageOf('stage_order_drop', { account_no: TEXT_C, out_order_no: TEXT_C, kind: 'text' });

/** Orders that were never final: nothing was posted of them. */
async function dropRows(trx: Transaction<Tables>, drafts: PendingWrites): Promise<void> {
  if (drafts.dropped.size === 0) return;
  const rows = [...drafts.dropped.values()];
  await copyRows(
    trx,
    DROP_STAGE,
    rows.map(({ accountNo, outNo, kind }) => [accountNo, outNo, kind]),
  );
  for (const [table, kind] of [
    ['transfer_order', 'transfer'],
    ['withdrawal', 'withdrawal'],
  ] as const) {
    await sql`
      delete from ${sql.table(table)} o using stage_order_drop s
      where s.kind = ${kind} and o.account_no = s.account_no and o.out_order_no = s.out_order_no`.execute(
      trx,
    );
  }
  await sql`
    delete from order_state_seen o using stage_order_drop s
    where o.account_no = s.account_no and o.out_order_no = s.out_order_no
      and (o.subject = 'withdrawal') = (s.kind = 'withdrawal')`.execute(trx);
}
