-- Orders of each kind, and batches, may share a number: what is wrong with one is not ended by a look at another.
alter table order_fault add column subject text not null default 'transfer'
  check (subject in ('transfer', 'withdrawal', 'batch'));
alter table order_fault drop constraint order_fault_pkey;
alter table order_fault add primary key (account_no, reference, subject, class);

-- What was noted under a shared number may be of either: it stands for each until a look at that ends it.
insert into order_fault (account_no, reference, subject, class, note, first_run, first_day, cured_day, noted_no)
select account_no, reference, 'withdrawal', class, note, first_run, first_day, cured_day, noted_no from order_fault f
where exists (select from withdrawal w where w.account_no = f.account_no and w.out_order_no = f.reference);
insert into order_fault (account_no, reference, subject, class, note, first_run, first_day, cured_day, noted_no)
select account_no, reference, 'batch', class, note, first_run, first_day, cured_day, noted_no from order_fault f
where f.subject = 'transfer' and f.class = 'unknown_state' and f.note ~ '(^|; )batch: '
  and exists (select from transfer_batch b where b.account_no = f.account_no and b.out_batch_no = f.reference);
delete from order_fault f
where f.subject = 'transfer'
  and exists (select from order_fault o where o.account_no = f.account_no and o.reference = f.reference
    and o.class = f.class and o.subject <> 'transfer')
  and ((f.class = 'unknown_state' and f.note ~ '^batch: [^;]*$') or not exists (
    select from transfer_order t where t.account_no = f.account_no and t.out_order_no = f.reference));
alter table order_fault alter column subject drop default;

-- Their breaks go on under the keys that name what they are of.
update break b set item_key = b.class || '/' || f.subject || substr(b.item_key, length(b.class) + 1)
from order_fault f
where f.class = b.class and f.reference = b.reference and f.subject <> 'transfer'
  and b.item_key in (case b.account_no when f.account_no then b.class || ':order:' || b.reference end,
    b.class || ':payer/' || f.account_no || ':' || b.reference)
  and not exists (select from order_fault t where t.account_no = f.account_no and t.reference = f.reference
    and t.class = f.class and t.subject = 'transfer');
