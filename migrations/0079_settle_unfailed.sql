-- A view that lags behind may show a settlement as failed for as long as that after another look showed it under way, or
-- paid, whichever look that was: also one that was heard after a later one, or that contradicts itself (docs/reliability.md 2.3 a).

-- When a query last showed anything but that the settlement failed; of one that is known as paid, when one first did;
-- null: none ever did.
alter table transfer_order add column unfailed_shown_at timestamptz;
-- It counts for attempts that are open. Of what was seen before this column nobody knows more.
update transfer_order o
set unfailed_shown_at = greatest(o.settle_shown_at, (
  select max(s.first_final_at) from order_state_seen s
  where s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = 'settlement' and s.state = 'moved'))
from settle_attempt t
where t.account_no = o.account_no and t.out_order_no = o.out_order_no and t.state <> 'CLOSED';
