-- What was once said to be under way is told from then on, whatever submission is stated later: `submitted_at` is the
-- one stated last and bounds the order, `first_submitted_at` the earliest that was ever stated and ages it.
alter table order_due add column first_submitted_at timestamptz;
update order_due set first_submitted_at = submitted_at where submitted_at is not null;
