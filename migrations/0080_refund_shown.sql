-- A person's word that the platform took no refund of an order holds no more once any look shows what may be one, also in a
-- record that contradicts itself, without a sum, or heard after a later look: none need go on showing it (docs/settlements.md).

-- When a query last showed what may be a refund of the order, done or waiting; null: none ever did.
alter table transfer_order add column refund_shown_at timestamptz;
-- It counts where somebody said so. Of what was seen before this column only what was kept of a refund that waits is known.
update transfer_order o
set refund_shown_at = (
  select max(greatest(s.open_since, s.last_open_at)) from order_state_seen s
  where s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = 'refund'
    and s.amount_fen > 0 and s.open_since is not null)
from refund_denied d
where d.account_no = o.account_no and d.out_order_no = o.out_order_no;
