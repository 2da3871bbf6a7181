/** Retried settlements as a run knew them, and the orders whose settlement it found failed. */
import type { Fen } from '../../src/core/fen.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import type { Day } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { listAttempts, settleSpanOf } from '../../src/settlements/settle-list.ts';
import type { ListedAttempt } from '../../src/settlements/settle-list.ts';
import type { RunHead } from './read-run.ts';
import type { SettlingState } from '../words/settlement-words.ts';

export interface FailedOrder {
  /** The account the money stayed on. */
  payeeAccountNo: string;
  outOrderNo: string;
  amountFen: Fen | null;
  firstDay: Day;
  note: string;
}

export interface Settlements {
  state: SettlingState;
  /** With a change since the run before, by key. */
  recent: readonly ListedAttempt[];
  /** Open for longer. */
  older: readonly ListedAttempt[];
  failed: readonly FailedOrder[];
}

const STATES: readonly SettlingState[] = ['done', 'off', 'busy', 'held', 'needs_approval', 'failed'];

export async function readSettlements(db: Db, { runId, facts }: RunHead): Promise<Settlements> {
  const span = settleSpanOf(facts);
  const attempts = span === undefined ? [] : await listAttempts(db, span);
  return {
    state: stateOf(facts),
    recent: attempts.filter(({ isOlder }) => !isOlder),
    older: attempts.filter(({ isOlder }) => isOlder),
    failed: await readFailed(db, runId),
  };
}

function stateOf(facts: unknown): SettlingState {
  const settle = isJsonObject(facts) ? member(facts, 'settle') : undefined;
  const state = isJsonObject(settle) ? member(settle, 'state') : undefined;
  return STATES.find((known) => known === state) ?? 'off';
}

async function readFailed(db: Db, runId: string): Promise<FailedOrder[]> {
  const rows = await db
    .selectFrom('finding')
    .select(['account_no', 'reference', 'platform_fen', 'first_day', 'note'])
    .where('run_id', '=', runId)
    .where('class', '=', 'settle_failed')
    .orderBy('account_no')
    .orderBy('reference')
    .execute();
  return rows.map((row) => ({
    payeeAccountNo: row.account_no,
    outOrderNo: row.reference,
    amountFen: row.platform_fen,
    firstDay: row.first_day,
    note: row.note,
  }));
}
