-- A submission after the look that first showed the order tells nothing: what is stored bounds and ages an order.
update transfer_order set submitted_at = null where submitted_at > first_seen_at;
update withdrawal set submitted_at = null where submitted_at > first_seen_at;
