-- What follows from the facts: movements, what they match, the runs and what each of them found.

-- Platform facts as signed changes of one account, once each: dedup_key says which fact, and begins with the
-- kind of movement.
create table movement (
  account_no text collate "C" not null,
  dedup_key text collate "C" not null,
  -- deposit, transfer, settlement, refund, withdrawal: what ledger entries are compared with.
  family text not null,
  kind text not null,
  delta_fen bigint not null,
  -- Part of delta_fen or beside it; for display and for telling a fee difference from another.
  fee_fen bigint not null,
  reference text collate "C" not null,
  effective_from timestamptz not null,
  effective_to timestamptz not null,
  written_no bigint not null,
  primary key (account_no, dedup_key)
);
create index movement_time on movement using brin (effective_from) with (pages_per_range = 16);
create index movement_written on movement using brin (written_no) with (pages_per_range = 16);

-- What belongs together on both sides. One line pairs a movement with an entry; a group of unequal numbers has
-- lines with one side empty.
create table match (
  account_no text collate "C" not null,
  group_key text collate "C" not null,
  line_no integer not null,
  dedup_key text collate "C",
  entry_no bigint,
  rule text not null,
  outcome text not null check (outcome in ('equal', 'amount', 'fee', 'duplicate', 'pending')),
  primary key (account_no, group_key, line_no)
);
create index match_entry on match (entry_no);

-- What the matching left over, so that the next night need not look for it among everything.
create table unmatched (
  account_no text collate "C" not null,
  side text not null check (side in ('platform', 'ledger')),
  item_key text collate "C" not null,
  ambiguous boolean not null default false,
  primary key (account_no, side, item_key)
);

-- One execution for a day or a range.
create table run (
  run_id text primary key,
  job text not null check (job in ('nightly', 'backfill')),
  from_day text not null,
  to_day text not null,
  -- Empty for all accounts, else the sorted numbers: part of what the run is.
  accounts text not null default '',
  version integer not null,
  supersedes text,
  superseded_by text,
  -- The last finished step.
  step text not null default 'opened',
  state text not null check (state in ('open', 'finished', 'incomplete')),
  verdict text,
  fence bigint not null,
  clock_at timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  settings_digest text not null,
  profile_digest text not null,
  -- Every profile value with its number and default, as in force.
  assumptions jsonb not null,
  -- Digest of all numbers and findings; an equal one makes no new version.
  outcome_digest text,
  -- Counts and durations for the last sheet.
  facts jsonb not null default '{}',
  result jsonb,
  unique (job, from_day, to_day, accounts, version)
);

-- The four numbers of an account in a run and what they rest on. Null where the platform states nothing.
create table run_account (
  run_id text not null references run,
  account_no text collate "C" not null,
  verdict text not null,
  reason text not null default '',
  source text check (source in ('observed', 'derived')),
  stated_fen bigint,
  platform_fen bigint,
  frozen_fen bigint,
  in_flight_fen bigint not null default 0,
  opening_fen bigint,
  opening_at timestamptz,
  -- The run whose closing is this opening; empty where the proof begins with the baseline.
  opening_run text not null default '',
  movements_fen bigint not null default 0,
  in_fen bigint not null default 0,
  out_fen bigint not null default 0,
  fee_fen bigint not null default 0,
  unexplained_fen bigint,
  ledger_fen bigint,
  ledger_opening_fen bigint,
  ledger_in_fen bigint not null default 0,
  ledger_out_fen bigint not null default 0,
  ledger_fee_fen bigint not null default 0,
  line_difference_fen bigint not null default 0,
  opening_difference_fen bigint,
  difference_fen bigint,
  assumptions jsonb not null default '[]',
  candidates jsonb not null default '[]',
  primary key (run_id, account_no)
);

-- What each run found, as it found it: the workbook of a run is written from here.
create table finding (
  run_id text not null references run,
  break_id text not null,
  account_no text collate "C" not null,
  item_key text collate "C" not null default '',
  class text not null,
  severity text not null check (severity in ('break', 'attention', 'timing')),
  reference text collate "C" not null,
  platform_fen bigint,
  ledger_fen bigint,
  difference_fen bigint not null,
  -- Whether the difference is part of lineDifferenceFen.
  line boolean not null,
  platform_ref text not null default '',
  platform_state text not null default '',
  platform_at timestamptz,
  ledger_ref text not null default '',
  ledger_state text not null default '',
  ledger_at timestamptz,
  counterparty text not null default '',
  note text not null default '',
  first_day text not null,
  age_days integer not null,
  primary key (run_id, break_id)
);

-- A break or timing item across runs: opened once, aged, closed by the run that no longer finds it.
create table break (
  break_id text primary key,
  account_no text collate "C" not null,
  -- Account, family and reference; an item that comes back after it was closed has a higher occurrence.
  item_key text collate "C" not null,
  occurrence integer not null,
  class text not null,
  severity text not null,
  reference text collate "C" not null,
  platform_fen bigint,
  ledger_fen bigint,
  difference_fen bigint not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  first_day text not null,
  first_run text not null,
  last_day text not null,
  last_run text not null,
  closed_day text,
  closed_run text,
  cleared_by text,
  unique (account_no, item_key, occurrence)
);
create index break_open on break (account_no) where status = 'open';

-- Everything that happened to a break; never edited.
create table break_event (
  break_id text not null references break,
  event_no integer not null,
  run_id text,
  event text not null,
  actor text not null,
  at timestamptz not null,
  details jsonb not null default '{}',
  primary key (break_id, event_no)
);

-- What was written for a run.
create table run_file (
  run_id text not null references run,
  path text not null,
  sha256 text not null,
  bytes bigint not null,
  primary key (run_id, path)
);
