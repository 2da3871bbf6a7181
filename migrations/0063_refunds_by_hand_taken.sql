-- Of refunds by hand that were sent before 0062 nobody knows what was answered, and of those that were refused since
-- nobody knows whether their first delivery was taken: each may wait for its confirmation yet, and is waited for until a
-- query shows it.
update call_by_hand set is_taken = true where endpoint = 'division/refund';
