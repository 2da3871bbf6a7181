-- A refund by hand that the platform took may wait for its confirmation for days, and queries need not show it before it
-- is done: until one does, no settlement of its order is retried; or until somebody says that the platform says that it took none. Of earlier calls nobody knows what
-- was answered.
alter table call_by_hand
  add column is_taken boolean not null default false,
  add column denied_by text not null default '',
  add column denied_at timestamptz;
