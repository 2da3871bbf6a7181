/** The signed answers that facts were read from, by their digests. */
import { zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface SignedAnswer {
  sha256: string;
  endpoint: string;
  reqId: string;
  requestedAt: Instant;
  signed: boolean;
  /** The text as the platform signed it. */
  bizText: string;
}

/** Those that are kept; a digest without an answer is left out. */
export async function findAnswers(
  db: DbOrTransaction,
  digests: readonly string[],
): Promise<Map<string, SignedAnswer>> {
  const wanted = [...new Set(digests)].filter((digest) => digest !== '');
  if (wanted.length === 0) return new Map();
  const rows = await db.selectFrom('raw_answer').selectAll().where('sha256', 'in', wanted).execute();
  return new Map(
    rows.map((row) => [
      row.sha256,
      {
        sha256: row.sha256,
        endpoint: row.endpoint,
        reqId: row.req_id,
        requestedAt: row.requested_at,
        signed: row.signed,
        bizText: zstdDecompressSync(row.body_zstd).toString('utf8'),
      },
    ]),
  );
}
