-- The first schema: what the job is told (accounts, ledger), what the platform said (deposits, balances and
-- the signed texts they came from), what follows from both (movements, matches, runs, findings, breaks).
-- Every key begins with account_no where there is one, so that tables can be partitioned by month and sharded
-- by account. Numbers of the platform are compared byte by byte (collate "C"), which is also what makes their
-- indexes small and fast.

-- Why each write gets a number: the steps that follow look only at rows written since they last looked.
create sequence write_no;

-- How far each of those steps has looked; one row a step.
create table progress (
  step text primary key,
  done_no bigint not null
);

-- Runs, schedules and writers hold a lease, not a session lock: a lease survives a lost connection, is fenced
-- by a number that only grows, and lapses by itself. Times here are real time, also under --clock.
create table lease (
  name text primary key,
  holder text not null,
  host text not null,
  pid integer not null,
  fence bigint not null,
  until timestamptz not null
);

-- Each file that was taken in, so that a figure can be traced to the file it came from.
create table intake_file (
  file_id text primary key,
  kind text not null check (kind in ('accounts', 'ledger', 'orders')),
  source text not null,
  name text not null,
  sha256 text not null,
  row_count integer not null,
  spans_from timestamptz,
  spans_to timestamptz,
  replaced boolean not null default false,
  imported_at timestamptz not null,
  unique (kind, source, sha256)
);

-- How far a ledger source is complete, where its owner says so; a night beyond that is incomplete.
create table ledger_source (
  source text primary key,
  complete_to timestamptz
);

-- The company's registry accounts. The platform has no listing of them: an account that is missing here is
-- invisible to every proof.
create table account (
  account_no text collate "C" primary key,
  ele_acct_no text,
  name text not null default '',
  role text check (role in ('FQ', 'JS')),
  subject_id text,
  auto_settle text not null default 'unknown' check (auto_settle in ('yes', 'no', 'unknown')),
  opening_fen bigint,
  opening_at timestamptz,
  active_from timestamptz,
  active_to timestamptz,
  replaced_by text,
  file_id text not null references intake_file,
  check ((opening_fen is null) = (opening_at is null))
);

-- Where the proof of an account begins when its owner states no opening: the start of the first run that saw a
-- balance, rolled back to there. Nothing before it can be verified.
create table account_baseline (
  account_no text collate "C" primary key references account,
  at timestamptz not null,
  balance_fen bigint not null,
  run_id text not null
);

-- The company's books. An entry that comes again with other content is a new version of itself; the old one
-- stays. An entry that a replacing file no longer has is withdrawn and stays too.
create table ledger_entry (
  entry_no bigint generated always as identity primary key,
  account_no text collate "C" not null references account,
  source text not null,
  entry_id text not null,
  version integer not null,
  kind text not null check (kind in ('opening', 'deposit', 'transfer_in', 'transfer_out', 'withdrawal',
    'settlement', 'refund_in', 'refund_out', 'fee', 'adjustment')),
  amount_fen bigint not null,
  reference text collate "C" not null default '',
  out_batch_no text collate "C" not null default '',
  counterparty text not null default '',
  booked_at timestamptz not null,
  status text not null check (status in ('posted', 'pending')),
  memo text not null default '',
  file_id text not null references intake_file,
  -- False once a newer version or a withdrawal took its place.
  current boolean not null default true,
  withdrawn boolean not null default false,
  written_no bigint not null
);
create unique index ledger_entry_current on ledger_entry (source, entry_id) where current;
create index ledger_entry_account on ledger_entry (account_no, booked_at);
create index ledger_entry_written on ledger_entry using brin (written_no) with (pages_per_range = 16);

-- What the platform signed, compressed, by the digest of its bizData text: every stored fact names the answer
-- it was read from.
create table raw_answer (
  sha256 text collate "C" primary key,
  endpoint text not null,
  account_no text collate "C" not null,
  req_id text not null,
  requested_at timestamptz not null,
  signed boolean not null,
  body_zstd bytea not null
);

-- Deposits as the platform last stated them. A changed record keeps its former self in deposit_version.
create table deposit (
  account_no text collate "C" not null,
  order_no text collate "C" not null,
  version integer not null,
  amount_fen bigint not null,
  fee_fen bigint not null,
  real_fen bigint,
  fee_type text not null,
  payer_acct_no text not null,
  payer_name text not null,
  payer_bank_no text not null,
  payee_acct_no text not null,
  payee_name text not null,
  payee_bank_no text not null,
  remark text not null,
  err_code text not null,
  deposited_at timestamptz not null,
  -- When this version was first read; decides whether a balance of the same second already holds it.
  seen_at timestamptz not null,
  answer_sha256 text collate "C" not null,
  signed boolean not null,
  -- Digest of what the record says: an unchanged record is recognised without comparing its members.
  content_digest text collate "C" not null default '',
  written_no bigint not null,
  primary key (account_no, order_no)
);
create index deposit_time on deposit using brin (deposited_at) with (pages_per_range = 16);
create index deposit_written on deposit using brin (written_no) with (pages_per_range = 16);

-- Former versions of deposits whose record changed after it was stored.
create table deposit_version (
  account_no text collate "C" not null,
  order_no text collate "C" not null,
  version integer not null,
  content jsonb not null,
  amount_fen bigint not null,
  deposited_at timestamptz not null,
  answer_sha256 text collate "C" not null,
  seen_at timestamptz not null,
  replaced_run text not null,
  -- The day on which the change was noticed.
  replaced_day text not null,
  primary key (account_no, order_no, version)
);

-- Records that could not be read, or that a later complete reading no longer contained. They are facts about
-- the platform, never amounts.
create table record_fault (
  account_no text collate "C" not null,
  reference text collate "C" not null,
  kind text not null check (kind in ('unreadable', 'vanished')),
  reason text not null,
  deposited_at timestamptz,
  first_run text not null,
  first_day text not null,
  -- Set when a later reading found the record whole.
  cured_run text,
  primary key (account_no, reference, kind)
);

-- The extraction proof: what each run asked for, window by window. A window is verified only together with
-- the rows of a pass whose total was constant and whose distinct count equalled it.
create table sync_window (
  run_id text not null,
  account_no text collate "C" not null,
  from_day text not null,
  to_day text not null,
  state text not null check (state in ('planned', 'verified', 'failed')),
  passes integer not null default 0,
  pages integer not null default 0,
  total integer,
  distinct_count integer,
  inside_count integer,
  sum_fen bigint,
  digest text,
  reason text,
  verified_at timestamptz,
  primary key (run_id, account_no, from_day)
);

-- The same proof day by day, over all runs: a day is sealed when a second, later reading was equal.
create table sync_day (
  account_no text collate "C" not null,
  day text not null,
  record_count integer not null,
  sum_fen bigint not null,
  digest text not null,
  verified_run text not null,
  verified_at timestamptz not null,
  sealed_run text,
  sealed_at timestamptz,
  primary key (account_no, day)
);

-- Balances as the platform stated them, each between two equal readings around a look at the newest deposits.
-- The only history of balances there is.
create table balance_snapshot (
  account_no text collate "C" not null,
  -- The platform's own clock at the first of the two readings, to the second.
  taken_at timestamptz not null,
  -- Our clock when the bracket closed; with seen_at it decides ties within the second.
  closed_at timestamptz not null,
  run_id text not null,
  purpose text not null check (purpose in ('snapshot', 'bracket')),
  balance_fen bigint,
  frozen_fen bigint,
  available_fen bigint,
  account_state text,
  -- stable: both readings equal; moving: not within the tries; absent: no balance stated.
  state text not null check (state in ('stable', 'moving', 'absent')),
  tries integer not null,
  spread_fen bigint not null default 0,
  signed boolean not null,
  answer_sha256 text collate "C" not null,
  primary key (account_no, taken_at, run_id)
);

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
  -- What the run's numbers depend on; equal inputs give an equal run.
  inputs_digest text,
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
