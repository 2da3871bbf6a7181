-- The platform's number of a batch that is asked for by a number of the company's under which it is not known: what a look by
-- that showed, which was not kept, is of its orders too.
alter table order_due add column batch_no text collate "C" not null default '';
create index order_due_batch_no on order_due (batch_no) where batch_no <> '';
