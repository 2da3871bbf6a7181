-- What the job is told (accounts, ledger) and what the platform said (deposits, balances, and the signed texts
-- they came from), with the proof that all of it was read.
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
  -- The balance it is rolled back from at every proof, so that a late record moves the baseline and is no
  -- difference; a closing from the same balance proves nothing.
  balance_fen bigint not null,
  snapshot_at timestamptz not null,
  snapshot_closed_at timestamptz not null,
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
-- An entry that was withdrawn and comes again is looked up here.
create index ledger_entry_withdrawn on ledger_entry (source, entry_id) where withdrawn;
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
