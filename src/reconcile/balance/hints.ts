/**
 * What an unexplained amount looks like: words for the person who will look for its cause, never a booking (U31,
 * U37, U57).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { yuanForPeople } from '../../core/fen.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofRequest } from './proof-request.ts';
import type { AccountNumbers } from './prove-account.ts';

/** A hint for each account with an unexplained amount. */
export async function hintsAt(
  trx: Transaction<Tables>,
  request: ProofRequest,
  numbers: ReadonlyMap<string, AccountNumbers>,
): Promise<Map<string, string>> {
  const unexplained = new Map<string, Fen>();
  for (const [accountNo, { unexplainedFen = 0n }] of numbers) {
    if (unexplainedFen !== 0n) unexplained.set(accountNo, unexplainedFen);
  }
  const settled = await countSettled(trx, request, lackingAccounts(unexplained));
  return new Map(
    [...unexplained].map(([accountNo, fen]) => [
      accountNo,
      replacement(request, unexplained, accountNo) ??
        settlementFee(fen, settled.get(accountNo) ?? 0) ??
        (fen > 0n
          ? 'interest, a late record, a refund or a return would look like this'
          : 'an unlisted fee, an unregistered transfer or withdrawal would look like this'),
    ]),
  );
}

function lackingAccounts(unexplained: ReadonlyMap<string, Fen>): string[] {
  return [...unexplained].filter(([, fen]) => fen < 0n).map(([accountNo]) => accountNo);
}

/** A payee account that was replaced by an initiator account loses what the other gains (OPN-04, U31). */
function replacement(
  { accounts }: ProofRequest,
  unexplained: ReadonlyMap<string, Fen>,
  accountNo: string,
): string | undefined {
  const fen = unexplained.get(accountNo) ?? 0n;
  const isOpposite = (other: string): boolean => unexplained.get(other) === -fen;
  const own = accounts.find((account) => account.accountNo === accountNo);
  const successor = own?.replacedBy;
  if (successor !== undefined && isOpposite(successor)) {
    return `account ${successor}, which replaced it, has the opposite amount: the balance seems to have moved there`;
  }
  const former = accounts.find(({ replacedBy, accountNo: no }) => replacedBy === accountNo && isOpposite(no));
  return (
    former &&
    `account ${former.accountNo}, which it replaced, has the opposite amount: its balance seems to have come here`
  );
}

/** The outside fee of a settlement that succeeded at once is in no answer (U37). */
function settlementFee(fen: Fen, count: number): string | undefined {
  if (count === 0) return undefined;
  const each = -fen / BigInt(count);
  const isEven = each * BigInt(count) === -fen;
  return isEven
    ? `a fee of ${yuanForPeople(each)} for each of ${count} settlements, which no answer shows, would look like this`
    : `fees of ${count} settlements, which no answer shows, may be part of it`;
}

async function countSettled(
  trx: Transaction<Tables>,
  { span }: ProofRequest,
  accounts: readonly string[],
): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ account_no: string; n: number }>`
    select account_no, count(*)::integer as n from movement
    where family = 'settlement' and kind = 'settlement' and delta_fen < 0
      and effective_from >= ${span.from} and effective_from < ${span.cut}
      and account_no = any(${accounts}::text[])
    group by account_no`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.n]));
}
