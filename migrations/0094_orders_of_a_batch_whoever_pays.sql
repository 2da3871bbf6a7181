-- The known orders of a batch, whoever pays: what an answer about it does not list is missed, also where an order states
-- another payer than its batch. The index serves those of one payer as well.
create index transfer_order_of_batch on transfer_order (out_batch_no, account_no);
drop index transfer_order_batch;
