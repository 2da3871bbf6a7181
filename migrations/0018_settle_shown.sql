-- Queries may lag behind, and fall back to an older view: what one of them showed of a settlement besides its failure is
-- kept whatever is shown later or was known first, so that nothing is sent again while a view may lag behind that
-- (reliability.md 2.3 a).

-- When a query last showed anything but that the settlement failed and nothing else became of the order, or first showed
-- that what was paid came back; null: none ever did.
alter table transfer_order add column settle_shown_at timestamptz;
-- Of what was seen before this column nobody knows: it counts as shown by the last query there was. What is known as paid
-- counts when it is first seen to have come back.
update transfer_order set settle_shown_at = greatest(seen_at, (select max(asked_at) from order_due))
where settlement <> 'settled';
