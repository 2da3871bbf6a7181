/** The verified texts that facts were read from, compressed; only those that brought something new are kept. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../../core/time.ts';
import type { Db, Tables } from '../schema/schema.ts';

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

/**
 * The fastest level: pages shrink tenfold at any level, and the night waits for this. A text takes some hundredths
 * of a millisecond; handing it to another thread costs several times that.
 */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** So many at once: some hundred kilobytes of a transaction that brings some thousand records. */
const CHUNK = 100;

/** Saves each text once, whoever saw it first. */
export async function saveAnswers(
  trx: Transaction<Tables>,
  answers: readonly AnswerEvidence[],
): Promise<void> {
  // Two writers must meet keys in one order (H8).
  const inOrder = answers.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  for (let at = 0; at < inOrder.length; at += CHUNK) {
    await trx
      .insertInto('raw_answer')
      .values(inOrder.slice(at, at + CHUNK).map(answerRow))
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .execute();
  }
}

function answerRow(answer: AnswerEvidence) {
  return {
    sha256: answer.sha256,
    endpoint: answer.endpoint,
    account_no: answer.accountNo,
    req_id: answer.reqId,
    requested_at: answer.requestedAt,
    signed: answer.signed,
    body_zstd: zstdCompressSync(Buffer.from(answer.bizText, 'utf8'), FAST),
  };
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
