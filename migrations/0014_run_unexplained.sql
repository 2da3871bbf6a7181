-- What a run could not explain, day by day: a proof that spans several days is split at every balance that was stored
-- between them, so that what arose on one day is never set off against another.
create table run_unexplained (
  run_id text not null,
  account_no text collate "C" not null,
  -- The balance at the end of this day is the first that shows the amount.
  to_day text not null,
  -- The balance before it: an adjustment that was booked earlier is none of it.
  since timestamptz not null,
  fen bigint not null check (fen <> 0),
  -- Under which key the break of the amount is found again.
  item_key text collate "C" not null,
  primary key (run_id, account_no, to_day),
  unique (run_id, account_no, item_key),
  foreign key (run_id, account_no) references run_account on delete cascade
);
create index run_unexplained_account on run_unexplained (account_no);
insert into run_unexplained (run_id, account_no, to_day, since, fen, item_key)
select a.run_id, a.account_no, r.to_day, a.opening_at, a.unexplained_fen, a.unexplained_key
from run_account a join run r on r.run_id = a.run_id
where a.unexplained_key <> '' and a.unexplained_fen <> 0 and a.opening_at is not null;
alter table run_account drop column unexplained_key;
