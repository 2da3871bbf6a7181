/**
 * An account has one spelling: what an answer states in another letter case or with blanks is an account of the list
 * misspelt, and never a second one of which nothing is proven.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema/schema.ts';
import type { OrderAnswer } from './orders-answers.ts';

/** The accounts that an answer states, as it spells them. */
export function accountsStated(answer: OrderAnswer): string[] {
  switch (answer.kind) {
    case 'batch':
      return answer.batch.orders
        .flatMap(({ payerAccountNo, payeeAccountNo }) => [payerAccountNo, payeeAccountNo])
        .filter((accountNo) => accountNo !== '');
    case 'withdrawal':
      return answer.withdrawal.accountNo === '' ? [] : [answer.withdrawal.accountNo];
    case 'not_found':
    case 'failed':
      return [];
  }
}

/**
 * By what is stated, the account of the list that differs from it only in letter case and blanks. What the list has just
 * so misspells nothing; names that it has in no spelling are accounts of others, however alike they are.
 */
export async function misspeltAccounts(
  trx: Transaction<Tables>,
  stated: readonly string[],
): Promise<Map<string, string>> {
  if (stated.length === 0) return new Map();
  const { rows } = await sql<{ stated: string; listed: string }>`
    select s.account_no as stated, min(a.account_no) as listed
    from (select distinct unnest(${stated}::text[]) collate "C" as account_no) s
    join account a on ${bare('a.account_no')} = ${bare('s.account_no')}
    where not exists (select from account own where own.account_no = s.account_no)
    group by s.account_no`.execute(trx);
  return new Map(rows.map((row) => [row.stated, row.listed]));
}

/** An account number in lower case and without blanks. */
function bare(column: string) {
  return sql`lower(regexp_replace(${sql.ref(column)}, '[[:space:]]', '', 'g'))`;
}
