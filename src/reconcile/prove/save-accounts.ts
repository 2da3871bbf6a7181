/** Stores what a run proved of each account, for the result, the workbook and the run after it. */
import type { Transaction } from 'kysely';
import { jsonText } from '../core/json.ts';
import type { Tables } from '../store/schema.ts';
import type { ProvenAccount } from './prove.ts';

export async function saveAccounts(
  trx: Transaction<Tables>,
  runId: string,
  accounts: readonly ProvenAccount[],
): Promise<void> {
  await trx.deleteFrom('finding').where('run_id', '=', runId).execute();
  await trx.deleteFrom('run_account').where('run_id', '=', runId).execute();
  for (let at = 0; at < accounts.length; at += 500) {
    const rows = accounts.slice(at, at + 500).map((account) => accountRow(runId, account));
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
}

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
