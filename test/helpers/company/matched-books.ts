/** Entries for orders, and what the matching makes of them, a line a group. */
import { sql } from 'kysely';
import { match } from '../../../src/reconcile/match/match.ts';
import { post } from '../../../src/reconcile/post/post.ts';
import type { PostingRules } from '../../../src/reconcile/post/posting-rules.ts';
import type { Db, LedgerKind } from '../../../src/store/schema/schema.ts';
import { Books } from './books.ts';
import { OrderBooks, postingRules } from './order-books.ts';

export class MatchedBooks extends Books {
  readonly orders: OrderBooks;
  readonly #db: Db;
  #entryCount = 0;

  constructor(db: Db) {
    super(db);
    this.#db = db;
    this.orders = new OrderBooks(db);
  }

  /** `book('P', 'transfer_out', -10_000n)`: an entry for T1, unless it names another order. */
  async book(
    account: string,
    kind: LedgerKind,
    amountFen: bigint,
    reference = 'T1',
    status: 'posted' | 'pending' = 'posted',
  ): Promise<void> {
    const id = `E${++this.#entryCount}`;
    const entry = { id, kind, amountFen, reference, status, at: '2026-03-01 12:00:00' };
    await this.entries(account, [entry]);
  }

  /**
   * Posts and matches. Groups as `account group outcome movements/entries`, then what is left over:
   * `ledger only: account kind amount`, `platform only: account key`, in this order.
   */
  async matched(rules: PostingRules = postingRules()): Promise<string[]> {
    await post(this.#db, rules);
    await match(this.#db, 'Asia/Shanghai');
    const { rows } = await sql<{ line: string }>`
      select line from (
      select 1 as part, account_no || ' ' || group_key || ' ' || outcome || ' ' || count(dedup_key) || '/'
        || count(entry_no) as line
      from match group by account_no, group_key, outcome
      union all
      select 2, 'ledger only: ' || e.account_no || ' ' || e.kind || ' ' || e.amount_fen
      from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint where u.side = 'ledger'
      union all
      select 3, 'platform only: ' || account_no || ' ' || item_key from unmatched where side = 'platform'
      ) l order by part, line collate "C"`.execute(this.#db);
    return rows.map(({ line }) => line);
  }
}
