/** The verified texts that facts were read from, compressed; only those that brought something new are kept. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../core/time.ts';
import { copyRows } from './bulk.ts';
import type { Db, Tables } from './schema.ts';

export interface AnswerEvidence {
  /** Of the bizData text as the platform signed it, in hex. */
  sha256: string;
  endpoint: string;
  accountNo: string;
  reqId: string;
  requestedAt: Instant;
  signed: boolean;
  bizText: string;
}

const STAGE = {
  name: 'stage_answer',
  columns: [
    { name: 'sha256', type: 'text collate "C"' },
    { name: 'endpoint', type: 'text' },
    { name: 'account_no', type: 'text' },
    { name: 'req_id', type: 'text' },
    { name: 'requested_at', type: 'timestamptz' },
    { name: 'signed', type: 'boolean' },
    { name: 'body_zstd', type: 'bytea' },
  ],
} as const;

/**
 * The fastest level: pages shrink tenfold at any level, and the night waits for this. A text takes some hundredths
 * of a millisecond; handing it to another thread costs several times that.
 */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Saves each text once, whoever saw it first. */
export async function saveAnswers(
  trx: Transaction<Tables>,
  answers: readonly AnswerEvidence[],
): Promise<void> {
  if (answers.length === 0) return;
  const bodies = answers.map((answer) => zstdCompressSync(Buffer.from(answer.bizText, 'utf8'), FAST));
  await copyRows(
    trx,
    STAGE,
    answers.map((answer, at) => [
      answer.sha256,
      answer.endpoint,
      answer.accountNo,
      answer.reqId,
      answer.requestedAt,
      answer.signed ? 't' : 'f',
      `\\x${bodies[at]?.toString('hex') ?? ''}`,
    ]),
  );
  await sql`
    insert into raw_answer (sha256, endpoint, account_no, req_id, requested_at, signed, body_zstd)
    select sha256, endpoint, account_no, req_id, requested_at, signed, body_zstd from stage_answer
    order by sha256
    on conflict (sha256) do nothing`.execute(trx);
}

/** The text the platform signed, or undefined when no answer of that digest is kept. */
export async function findAnswerText(db: Db, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('raw_answer')
    .select('body_zstd')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row && zstdDecompressSync(row.body_zstd).toString('utf8');
}

/** Whether this platform has ever signed: from then on an unsigned answer is a downgrade (U4, N9). */
export async function hasSignedAnswers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from raw_answer where signed) as any`.execute(db);
  return rows[0]?.any === true;
}
