-- Which difference of the balance an adjustment of the books has cleared: the pair stays together for as long as a
-- run that found it stands, so that a difference that comes later cannot take the adjustment of another.
create table run_cleared (
  run_id text not null,
  account_no text collate "C" not null,
  item_key text collate "C" not null,
  source text collate "C" not null,
  entry_id text collate "C" not null,
  primary key (run_id, account_no, item_key),
  unique (run_id, account_no, source, entry_id),
  foreign key (run_id, account_no) references run_account on delete cascade
);
create index run_cleared_account on run_cleared (account_no);
