-- The looks at a batch by its other number, for orders of whichever of its payers: one of them has the batch.
create index transfer_batch_out_batch_no on transfer_batch (out_batch_no);
