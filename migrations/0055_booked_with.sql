-- The books may name one account as the counterparty of an entry and, by its reference, an order with another. The
-- matching, which looks at new groups alone, notes which other account they name, so that no night looks through all.
alter table match add column booked_with text collate "C";
create index match_booked_with on match (account_no, group_key) where booked_with is not null;
update match x set booked_with = w.named
from (
  select n.entry_no, n.named
  from (
    select e.entry_no, e.account_no, c.account_no as named, c.replaced_by, coalesce(a.out_order_no, e.reference) as reference
    from ledger_entry e
    join account c on c.account_no = e.counterparty collate "C"
    left join order_alias a on a.order_no = e.reference
    where e.current and e.kind in ('transfer_in', 'transfer_out', 'refund_in', 'refund_out') and c.account_no <> e.account_no
  ) n
  join transfer_order t on t.out_order_no = n.reference and n.account_no in (t.account_no, t.payee_account_no)
  cross join lateral (
    select case when t.account_no = n.account_no then t.payee_account_no else t.account_no end as account_no) o
  left join account r on r.account_no = o.account_no
  group by n.entry_no, n.named, n.replaced_by
  having bool_and(o.account_no not in ('', n.named, coalesce(n.replaced_by, '')) and r.replaced_by is distinct from n.named)
) w
where x.entry_no = w.entry_no and x.rule = 'reference';
