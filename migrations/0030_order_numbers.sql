-- Whoever retries a settlement asks whether another order, a withdrawal or a registration has the number it would be
-- named by. Only the first members of the primary keys' indexes could find that: each question read whole tables.
create index transfer_order_number on transfer_order (order_no);
create index transfer_order_own_number on transfer_order (out_order_no);
create index withdrawal_number on withdrawal (order_no);
create index withdrawal_own_number on withdrawal (out_order_no);
create index order_registry_number on order_registry (order_no) where order_no <> '';
create index order_registry_own_number on order_registry (out_order_no) where out_order_no <> '';
