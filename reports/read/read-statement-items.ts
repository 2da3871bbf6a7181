/** The items on the lines of each account's statement, as many of a line as a page can show. */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { ItemClass, StatementLine } from './read-items.ts';
import { indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';

/** More of a line than this are summed in one row: somebody who signs does not read on, and memory stays flat. */
export const LINE_ITEMS_MAX = 60;

export interface StatementItem {
  n: bigint;
  account_index: number;
  statement_line: Exclude<StatementLine, 'none'>;
  class: ItemClass;
  difference_fen: Fen;
  number: string;
  counterparty: string;
  at: Instant | null;
}

/** Account by account in the order of their index. */
export const STATEMENT_ITEMS: Stage<StatementItem> = { name: 'report_statement_item' };

/** Lays them aside; the items are laid aside already. */
export async function stageStatementItems(session: Db): Promise<void> {
  await staging(session, async (trx) => {
    await layAside(
      trx,
      STATEMENT_ITEMS,
      sql`
        select row_number() over (order by s.account_index, s.item_no) as n, s.*
        from (
          select i.account_index, i.n as item_no, i.statement_line, i.class, i.difference_fen, i.counterparty,
            coalesce(nullif(i.platform_ref, ''), nullif(i.ledger_ref, ''), i.reference) as number,
            coalesce(i.platform_at, i.ledger_at) as at,
            row_number() over (partition by i.account_index, i.statement_line,
              case i.statement_line when 'error' then i.class end order by i.n) as turn
          from report_item i where i.list in ('break', 'open') and i.statement_line <> 'none'
        ) s
        where s.turn <= ${LINE_ITEMS_MAX}`,
    );
    await indexStage(trx, STATEMENT_ITEMS);
  });
}
