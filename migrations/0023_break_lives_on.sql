-- A break keeps its id for as long as its cause lives on, and only what was written since it was last found can have
-- ended it (spec/reconciliation.md 3.8).

alter table break
  -- The highest write number that was known to the first run that found it, and to the last.
  add column first_found_no bigint not null default 0,
  add column last_found_no bigint not null default 0;

alter table run_unexplained
  -- The balance that first shows the amount: it arose before that.
  add column until timestamptz;

-- One key, one thing: numbers that records of several kinds or payers share are told apart by these.
update break b set item_key = b.class || case
    when exists (select from deposit d where d.account_no = b.account_no and d.order_no = b.reference)
      or exists (select from record_fault f where f.account_no = b.account_no and f.reference = b.reference)
      then ':deposit:'
    when b.class <> 'fee_invariant' then ':order:'
    when exists (select from transfer_order o where o.account_no = b.account_no and o.out_order_no = b.reference)
      then ':transfer:'
    else ':withdrawal:' end || b.reference
where b.class in ('fee_invariant', 'record_changed', 'record_vanished', 'bad_record')
  and b.item_key = b.class || ':' || b.reference;
update break b set item_key = b.class || coalesce((
    select ':payer/' || min(f.account_no) || ':' from order_fault f
    join transfer_order o on o.account_no = f.account_no and o.out_order_no = f.reference
    where f.class = b.class and f.reference = b.reference and o.payee_account_no = b.account_no
      and f.account_no <> b.account_no), ':order:') || b.reference
where b.class in ('state_regression', 'unknown_state') and b.item_key = b.class || ':' || b.reference;
update break b set item_key = 'settle_failed:' || coalesce((
    select min(o.account_no) from transfer_order o
    where o.payee_account_no = b.account_no and o.out_order_no = b.reference), '') || ':' || b.reference
where b.item_key = 'settle_failed:' || b.reference;
update break b set item_key = 'registered_' || b.class || ':' || b.account_no || ':' || b.reference
where b.item_key = 'registered_' || b.class || ':' || b.reference;

-- What agrees in sum but not in its parts has the key of its group, whether or not something lies apart beside it.
update break b set item_key = 'line:rest:' || substr(b.item_key, 6), occurrence = 1 + (
    select coalesce(max(o.occurrence), 0) from break o
    where o.account_no = b.account_no and o.item_key = 'line:rest:' || substr(b.item_key, 6))
where b.status = 'open' and exists (
  select from break p where p.account_no = b.account_no and p.status = 'open'
    and p.item_key = 'line:parts:' || substr(b.item_key, 6));
update break b set item_key = 'line:' || substr(b.item_key, 12), occurrence = 1 + (
    select coalesce(max(o.occurrence), 0) from break o
    where o.account_no = b.account_no and o.item_key = 'line:' || substr(b.item_key, 12))
where b.status = 'open' and b.item_key like 'line:parts:%';
