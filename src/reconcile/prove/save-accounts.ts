/** Stores what a run proved of each account, for the result, the workbook and the run after it. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { jsonText } from '../../core/json.ts';
import { progressOf } from '../../store/database/writing.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProvenAccount } from './proven-account.ts';

/** An account of which nothing is known but why: it is `incomplete`. */
export interface BareAccount {
  accountNo: string;
  reason: string;
}

/** In place of what an earlier try at the run stored; what that proved of an account now bare stands. */
export async function saveAccounts(
  trx: Transaction<Tables>,
  runId: string,
  { accounts, bare }: { accounts: readonly ProvenAccount[]; bare: readonly BareAccount[] },
): Promise<void> {
  const kept = await provenAmong(trx, runId, bare);
  const known = await knownByTries(trx, runId);
  const knownNo = await progressOf(trx, 'match');
  for (const table of ['finding', 'run_account'] as const) {
    await trx
      .deleteFrom(table)
      .where('run_id', '=', runId)
      .where(sql<boolean>`account_no <> all(${kept}::text[])`)
      .execute();
  }
  for (let at = 0; at < accounts.length; at += 500) {
    const rows = accounts.slice(at, at + 500).map((account) => ({
      ...accountRow(runId, account),
      known_no: known.get(account.accountNo) ?? (account.chained ? knownNo : null),
    }));
    await trx.insertInto('run_account').values(rows).execute();
  }
  const unexplained = accounts.flatMap(({ accountNo, unexplained: items }) =>
    items.map(({ toDay, since, until = null, fen, key }) => ({
      run_id: runId,
      account_no: accountNo,
      to_day: toDay,
      since,
      until,
      fen,
      item_key: key,
    })),
  );
  for (let at = 0; at < unexplained.length; at += 500) {
    await trx
      .insertInto('run_unexplained')
      .values(unexplained.slice(at, at + 500))
      .execute();
  }
  await saveBareAccounts(trx, runId, bare);
}

/** What the first try at the run that proved an account knew of it. */
async function knownByTries(trx: Transaction<Tables>, runId: string): Promise<Map<string, bigint | null>> {
  const rows = await trx
    .selectFrom('run_account')
    .select(['account_no', 'known_no'])
    .where('run_id', '=', runId)
    .where('known_no', 'is not', null)
    .execute();
  return new Map(rows.map(({ account_no: accountNo, known_no: no }) => [accountNo, no]));
}

async function provenAmong(
  trx: Transaction<Tables>,
  runId: string,
  accounts: readonly BareAccount[],
): Promise<string[]> {
  const rows = await trx
    .selectFrom('run_account')
    .select('account_no')
    .where('run_id', '=', runId)
    .where('chained', '=', true)
    .where(sql<boolean>`account_no = any(${accounts.map(({ accountNo }) => accountNo)}::text[])`)
    .execute();
  return rows.map((row) => row.account_no);
}

async function saveBareAccounts(
  trx: Transaction<Tables>,
  runId: string,
  accounts: readonly BareAccount[],
): Promise<void> {
  for (let at = 0; at < accounts.length; at += 500) {
    const rows = accounts
      .slice(at, at + 500)
      .map(({ accountNo, reason }) => ({ run_id: runId, account_no: accountNo, ...BARE, reason }));
    await trx
      .insertInto('run_account')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['run_id', 'account_no']).doUpdateSet((excluded) => ({
          verdict: excluded.ref('excluded.verdict'),
          reason: excluded.ref('excluded.reason'),
        })),
      )
      .execute();
  }
}

const BARE = {
  verdict: 'incomplete',
  source: null,
  stated_fen: null,
  platform_fen: null,
  frozen_fen: null,
  opening_fen: null,
  opening_at: null,
  unexplained_fen: null,
  ledger_fen: null,
  ledger_opening_fen: null,
  opening_difference_fen: null,
  difference_fen: null,
} as const;

function accountRow(runId: string, account: ProvenAccount) {
  const { numbers } = account;
  return {
    run_id: runId,
    account_no: account.accountNo,
    verdict: account.verdict,
    reason: account.reason,
    source: numbers.source ?? null,
    stated_fen: numbers.statedFen ?? null,
    platform_fen: numbers.platformFen ?? null,
    frozen_fen: numbers.frozenFen ?? null,
    in_flight_fen: numbers.inFlightFen,
    inflight_model: account.inflightModel ?? ('' as const),
    opening_fen: numbers.openingFen ?? null,
    opening_at: numbers.openingAt ?? null,
    opening_run: numbers.openingRun,
    movements_fen: numbers.movements.netFen,
    in_fen: numbers.movements.inFen,
    out_fen: numbers.movements.outFen,
    fee_fen: numbers.movements.feeFen,
    unexplained_fen: numbers.unexplainedFen ?? null,
    ledger_fen: numbers.ledgerFen,
    ledger_opening_fen: numbers.ledgerOpeningFen,
    ledger_in_fen: numbers.ledgerMovements.inFen,
    ledger_out_fen: numbers.ledgerMovements.outFen,
    ledger_fee_fen: numbers.ledgerMovements.feeFen,
    line_difference_fen: account.lineDifferenceFen,
    opening_difference_fen: account.openingDifferenceFen ?? null,
    difference_fen: account.differenceFen ?? null,
    assumptions: JSON.stringify(account.assumptions),
    candidates: jsonText(account.candidates),
    chained: account.chained,
  };
}
