-- A refund that only a record with which something is wrong shows done may be another order's. Those that are known keep
-- what they stand for.
alter table order_state_seen add column is_odd boolean not null default false;
