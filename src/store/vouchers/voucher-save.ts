/**
 * What asking for vouchers brought, some hundred orders a transaction. Saving twice is saving once, and what is
 * filed stays filed (VCH-08, VCH-09).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { addDays, daysBetween } from '../../core/time.ts';
import type { Day, Instant } from '../../core/time.ts';
import { TEXT_C, copyRows, stageOf } from '../database/bulk.ts';
import type { Db, Tables, VoucherCondition, VoucherDueState } from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import type { DueVoucher } from './voucher-choice.ts';
import { markingOf } from './voucher-marks.ts';
import { takeWriteNo } from '../database/writing.ts';

export interface VoucherFile {
  /** From 1, in the order of the answer. */
  fileNo: number;
  /** Of the original, which lies in the archive unless it was rejected. */
  sha256: string;
  bytes: number;
  pages: number | null;
  condition: VoucherCondition;
  /** Why it is not whole; for people. */
  remark: string;
}

interface Asked {
  unit: DueVoucher;
  askedAt: Instant;
}

export type VoucherAnswer =
  /** At least one file came; all of them may have been rejected. */
  | (Asked & { kind: 'files'; files: readonly VoucherFile[]; reqId: string })
  /** There is none, or none yet; `isForGood`: the platform gives none for this settlement (U51). */
  | (Asked & { kind: 'refused'; reason: string; isForGood: boolean })
  /** No answer that says anything: nothing is known, and the next run asks again. */
  | (Asked & { kind: 'unanswered'; reason: string });

export interface VoucherSave {
  runId: string;
  today: Day;
  /** Days a voucher that is not there is asked for (`vouchers.retryDays`). */
  retryDays: number;
  answers: readonly VoucherAnswer[];
}

const KEY = {
  account_no: TEXT_C,
  kind: 'text',
  number: TEXT_C,
};
const DUE_STAGE = stageOf('stage_voucher_due', {
  ...KEY,
  state: 'text',
  first_asked_day: 'text',
  next_day: 'text',
  asked_at: 'timestamptz',
  has_answer: 'boolean',
  reason: 'text',
});
const FILE_STAGE = stageOf('stage_voucher', {
  ...KEY,
  file_no: 'integer',
  sha256: TEXT_C,
  bytes: 'bigint',
  pages: 'integer',
  condition: 'text',
  remark: 'text',
  req_id: 'text',
  fetched_at: 'timestamptz',
});

export async function saveVoucherAnswers(db: Db, save: VoucherSave): Promise<void> {
  if (save.answers.length === 0) return;
  await unitOfWork(db, async (trx) => {
    const writeNo = await takeWriteNo(trx);
    await copyRows(
      trx,
      DUE_STAGE,
      save.answers.map((answer) => dueRow(answer, save)),
    );
    await copyRows(trx, FILE_STAGE, save.answers.flatMap(fileRows));
    await replaceFiles(trx, save.runId, writeNo);
    await updateDue(trx, save.runId, writeNo);
    await flagTwins(trx);
  });
}

function dueRow(answer: VoucherAnswer, { today, retryDays }: VoucherSave): (string | null)[] {
  const { unit, askedAt } = answer;
  const firstDay = unit.firstAskedDay ?? today;
  const isOver = daysBetween({ from: firstDay, to: today }) >= retryDays;
  const { state, reason } = stateAfter(answer, isOver);
  const hasAnswer = answer.kind !== 'unanswered';
  const nextDay = state !== 'due' ? null : hasAnswer ? addDays(today, 1) : '';
  return [
    unit.accountNo,
    unit.kind,
    unit.number,
    state,
    hasAnswer ? firstDay : unit.firstAskedDay,
    nextDay,
    askedAt,
    hasAnswer ? 't' : 'f',
    reason,
  ];
}

function stateAfter(answer: VoucherAnswer, isOver: boolean): { state: VoucherDueState; reason: string } {
  switch (answer.kind) {
    case 'unanswered':
      return { state: 'due', reason: answer.reason };
    case 'refused':
      if (answer.isForGood) return { state: 'unavailable', reason: answer.reason };
      if (!isOver) return { state: 'due', reason: answer.reason };
      return {
        state: answer.unit.kind === 'settlement' ? 'unavailable' : 'given_up',
        reason: answer.reason,
      };
    case 'files': {
      const kept = answer.files.filter(({ condition }) => condition !== 'rejected');
      if (kept.length > 0) return { state: 'filed', reason: '' };
      const reason = answer.files.map(({ remark }) => remark).join('; ');
      return { state: isOver ? 'given_up' : 'due', reason };
    }
  }
}

function fileRows(answer: VoucherAnswer): (string | null)[][] {
  if (answer.kind !== 'files') return [];
  const { unit, reqId, askedAt } = answer;
  return answer.files.map((file) => [
    unit.accountNo,
    unit.kind,
    unit.number,
    String(file.fileNo),
    file.sha256,
    String(file.bytes),
    file.pages === null ? null : String(file.pages),
    file.condition,
    file.remark,
    reqId,
    askedAt,
  ]);
}

/** The files of an order that is filed are not replaced: the first that came is the evidence. */
async function replaceFiles(trx: Transaction<Tables>, runId: string, writeNo: bigint): Promise<void> {
  await sql`
    delete from voucher v using stage_voucher_due s
    where v.account_no = s.account_no and v.kind = s.kind and v.number = s.number and s.has_answer
      and not exists (select from voucher_due d where d.account_no = v.account_no and d.kind = v.kind
        and d.number = v.number and d.state = 'filed')`.execute(trx);
  await sql`
    insert into voucher (account_no, kind, number, file_no, sha256, bytes, pages, condition, remark, req_id,
      fetched_at, run_id, written_no)
    select s.*, ${runId}, ${writeNo}::bigint from stage_voucher s
    where not exists (select from voucher_due d where d.account_no = s.account_no and d.kind = s.kind
      and d.number = s.number and d.state = 'filed')
    order by s.account_no, s.kind, s.number, s.file_no
    on conflict do nothing`.execute(trx);
}

/** A bundle changes when an order of it is filed or is not waited for any longer; waiting on changes nothing in it. */
async function updateDue(trx: Transaction<Tables>, runId: string, writeNo: bigint): Promise<void> {
  await sql`
    with updated as (
      update voucher_due d set
        state = s.state, reason = s.reason, first_asked_day = s.first_asked_day, next_day = s.next_day,
        tries = d.tries + s.has_answer::integer,
        asked_at = case when s.has_answer then s.asked_at else d.asked_at end,
        asked_run = case when s.has_answer then ${runId} else d.asked_run end
      from stage_voucher_due s
      where d.account_no = s.account_no and d.kind = s.kind and d.number = s.number and d.state <> 'filed'
        and (s.has_answer or d.state = 'due') and d.asked_at is distinct from s.asked_at
      returning d.account_no, d.other_account_no, d.month, d.state
    )
    ${markingOf(
      sql`
        select account_no, month from updated where state <> 'due'
        union select other_account_no, month from updated where state <> 'due' and other_account_no <> ''`,
      writeNo,
    )}`.execute(trx);
}

/** Several orders with the very same file: each says so and names another of them (P18). */
async function flagTwins(trx: Transaction<Tables>): Promise<void> {
  await sql`
    update voucher v set remark = t.remark
    from (
      select w.account_no, w.kind, w.number, w.file_no, 'the same file as that of ' || other.kind || ' ' || other.number
        as remark
      from (select distinct sha256 from stage_voucher where condition = 'whole') s
      join voucher w on w.sha256 = s.sha256 and w.condition = 'whole'
      cross join lateral (
        select o.kind, o.number from voucher o
        where o.sha256 = w.sha256 and (o.account_no, o.kind, o.number) <> (w.account_no, w.kind, w.number)
        order by o.account_no, o.kind, o.number limit 1) other
    ) t
    where v.account_no = t.account_no and v.kind = t.kind and v.number = t.number and v.file_no = t.file_no
      and v.remark is distinct from t.remark`.execute(trx);
}
