/** The signed answers that facts were read from, by their digests. */
import { zstdDecompressSync } from 'node:zlib';
import type { Selectable } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { findPruned, prunedName } from '../prune/pruned.ts';
import type { DbOrTransaction, RawAnswerTable } from '../schema/schema.ts';

export interface SignedAnswer {
  sha256: string;
  endpoint: string;
  reqId: string;
  requestedAt: Instant;
  signed: boolean;
  /** The text as the platform signed it. */
  bizText: string;
}

/** By their digests; one of which nothing is known is in neither. */
export interface KnownAnswers {
  kept: ReadonlyMap<string, SignedAnswer>;
  /** When each that is not kept any more was pruned by policy. */
  pruned: ReadonlyMap<string, Instant>;
}

export async function findAnswers(db: DbOrTransaction, digests: readonly string[]): Promise<KnownAnswers> {
  const wanted = [...new Set(digests)].filter((digest) => digest !== '');
  if (wanted.length === 0) return { kept: new Map(), pruned: new Map() };
  const rows = await db.selectFrom('raw_answer').selectAll().where('sha256', 'in', wanted).execute();
  const gone = await findPruned(db, wanted);
  const pruned = wanted.flatMap((sha256) => {
    const at = gone.get(prunedName({ key: sha256, sha256 }));
    return at === undefined ? [] : [[sha256, at] as const];
  });
  const kept = rows.map(keptAnswer);
  return { kept: new Map(kept.map((answer) => [answer.sha256, answer])), pruned: new Map(pruned) };
}

function keptAnswer(row: Selectable<RawAnswerTable>): SignedAnswer {
  return {
    sha256: row.sha256,
    endpoint: row.endpoint,
    reqId: row.req_id,
    requestedAt: row.requested_at,
    signed: row.signed,
    bizText: zstdDecompressSync(row.body_zstd).toString('utf8'),
  };
}
