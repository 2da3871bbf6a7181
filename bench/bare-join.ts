/** The peer of the proof: one full outer join of movements and entries that only classifies. */
import pg from 'pg';

/** Milliseconds, the middle one of three. */
export async function bareJoin(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      await client.query('drop table if exists bare_break');
      const started = performance.now();
      await client.query(`create table bare_break as
        select coalesce(m.account_no, e.account_no) as account_no, coalesce(m.reference, e.reference) as reference,
          m.delta_fen, e.amount_fen,
          case when e.entry_no is null then 'platform_only' when m.dedup_key is null then 'ledger_only'
            else 'amount' end as class
        from (select * from movement where kind = 'deposit') m
        full outer join (select * from ledger_entry where kind = 'deposit' and current) e
          on e.account_no = m.account_no and e.reference = m.reference
        where m.delta_fen is distinct from e.amount_fen`);
      times.push(performance.now() - started);
    }
    await client.query('drop table bare_break');
    return times.toSorted((a, b) => a - b)[1] ?? 0;
  } finally {
    await client.end();
  }
}
