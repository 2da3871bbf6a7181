/** What people were shown of attempts that await one, kept so that an approval is of that (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { DbOrTransaction, SettleEvidenceTable, Tables } from '../store/schema/schema.ts';
import type { BalanceSeen, Evidence } from './attempt-store.ts';

export async function saveEvidence(
  trx: Transaction<Tables>,
  { evidence, runId }: { evidence: Evidence; runId: string },
): Promise<void> {
  const { reqId, digest, shownAt, why, shown, known, balance } = evidence;
  await trx
    .insertInto('settle_evidence')
    .values({
      req_id: reqId,
      digest,
      run_id: runId,
      shown_at: shownAt,
      why,
      shown,
      known,
      read_at: balance?.at ?? shownAt,
      balance_fen: balance?.balanceFen ?? null,
      frozen_fen: balance?.frozenFen ?? null,
      shown_no: sql<bigint>`(select coalesce(max(n.shown_no), 0) + 1 from settle_evidence n where n.req_id = ${reqId})`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['req_id', 'digest'])
        .doUpdateSet({ shown_no: sql<bigint>`excluded.shown_no` })
        // What is the newest already stays what it is.
        .where(sql<boolean>`settle_evidence.shown_no < excluded.shown_no - 1`),
    )
    .execute();
}

/** Undefined where nothing with that digest was shown of that attempt. */
export async function findEvidence(
  db: DbOrTransaction,
  { reqId, digest }: Pick<Evidence, 'reqId' | 'digest'>,
): Promise<Evidence | undefined> {
  const row = await db
    .selectFrom('settle_evidence')
    .selectAll()
    .where('req_id', '=', reqId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { shown_at: shownAt, why, shown, known } = row;
  return { reqId, digest, shownAt, why, shown, known, balance: balanceOf(row)[0] };
}

/** The digest of what was shown of that attempt last, in the order of showing and by no clock; undefined: nothing was. */
export async function newestShown(db: DbOrTransaction, reqId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('settle_evidence')
    .select('digest')
    .where('req_id', '=', reqId)
    .orderBy('shown_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.digest;
}

/** Readings of an account that people were shown from then on, whichever attempt they were shown for, oldest first. */
export async function listShownBalances(
  db: DbOrTransaction,
  { accountNo, from }: { accountNo: string; from: Instant },
): Promise<BalanceSeen[]> {
  const rows = await db
    .selectFrom('settle_evidence as e')
    .innerJoin('settle_attempt as t', 't.req_id', 'e.req_id')
    .select(['e.read_at', 'e.balance_fen', 'e.frozen_fen'])
    .where('t.payee_account_no', '=', accountNo)
    .where('e.read_at', '>=', from)
    .orderBy('e.read_at')
    .orderBy('e.req_id')
    .orderBy('e.digest')
    .execute();
  return rows.flatMap(balanceOf);
}

function balanceOf(
  row: Pick<Selectable<SettleEvidenceTable>, 'read_at' | 'balance_fen' | 'frozen_fen'>,
): BalanceSeen[] {
  const { read_at: at, balance_fen: balanceFen, frozen_fen: frozenFen } = row;
  return balanceFen === null ? [] : [{ at, balanceFen, frozenFen: frozenFen ?? undefined }];
}
