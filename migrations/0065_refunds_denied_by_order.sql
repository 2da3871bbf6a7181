-- That the platform took no refund by a request is said of one order of one payer: another payer's order may have the same
-- number, or the same in the other letter case, and its refund may wait.
create table refund_denied (
  -- Of the refund by hand.
  req_id text collate "C" not null,
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  -- Who said so, and when.
  denied_by text not null,
  denied_at timestamptz not null,
  primary key (req_id, account_no, out_order_no)
);

-- What was said of a number was said of each order that has it.
insert into refund_denied (req_id, account_no, out_order_no, denied_by, denied_at)
select c.req_id, o.account_no, o.out_order_no, min(c.denied_by), max(c.denied_at)
from call_by_hand c
join transfer_order o on lower(c.number collate "C")
  in (lower(o.out_order_no collate "C"), lower(o.order_no collate "C"), lower(o.stated_no collate "C"))
where c.about = 'order' and c.denied_by <> ''
group by c.req_id, o.account_no, o.out_order_no;

update call_by_hand set is_taken = true where denied_by <> '';

alter table call_by_hand drop column denied_by, drop column denied_at;
