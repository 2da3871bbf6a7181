-- Where movements counted that were taken back: the days they leave are proven again, like those others come to.
create table movement_taken_back (
  account_no text collate "C" not null,
  written_no bigint not null,
  -- The earliest of those that one posting took back.
  counted_from timestamptz not null,
  primary key (account_no, written_no)
);
