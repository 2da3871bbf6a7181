-- An order may state an own number that another order of its payer has in another batch: it is kept under its place in
-- the batch. A settlement that would be asked for by such a number could reach either of them (docs/reliability.md 2.3 e).

-- The number as it was stated; empty where the order goes by it.
alter table transfer_order add column stated_no text collate "C" not null default '';
update transfer_order o set stated_no = s.stated_no
from (
  select f.account_no, f.reference, substring(f.note from '(?:^|; )([^;]+) is an order of batch ') as stated_no
  from order_fault f where f.class = 'bad_record') s
where s.account_no = o.account_no and s.reference = o.out_order_no and s.stated_no <> o.out_order_no;
create index transfer_order_stated on transfer_order (stated_no) where stated_no <> '';
