-- A file of the inbox states that its ledger is complete to the end of its day. One of an earlier day that was delivered
-- and is not in the books, because it was refused or waits, holds that back until a file of its day is taken in.
alter table ledger_source
  add column missing_days text[] not null default '{}',
  -- How far files have stated it, what is missing apart.
  add column stated_to timestamptz;
