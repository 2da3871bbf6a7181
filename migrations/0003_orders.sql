-- What the company submitted and what became of it: transfer batches with their transfer orders, refunds and
-- settlements inside them, and withdrawals. The platform lists none of them and gives none of them a time, so
-- their numbers come from the company and their times from our own looking.

-- Orders as the company registered them before it sent them. The company's own program writes here (README,
-- "Registering orders"); the job only sets `enrolled`.
create table order_registry (
  kind text not null check (kind in ('transfer', 'withdrawal')),
  out_batch_no text collate "C" not null default '',
  out_order_no text collate "C" not null default '',
  -- The platform's own numbers, where the company knows them.
  batch_no text collate "C" not null default '',
  order_no text collate "C" not null default '',
  -- For a withdrawal the account it leaves.
  payer_account_no text collate "C" not null default '',
  payee_account_no text collate "C" not null default '',
  amount_fen bigint check (amount_fen >= 0),
  -- Before the request left; where it is unknown, the books' own date has to do.
  submitted_at timestamptz,
  -- What the company's program saw: sent (no answer yet), accepted, refused, unknown.
  outcome text not null default 'sent' check (outcome in ('sent', 'accepted', 'refused', 'unknown')),
  -- The file it came from; null when a program registered it.
  file_id text references intake_file,
  -- Whether the job has put it on its list (order_due).
  enrolled boolean not null default false,
  -- What makes it one order: its own number, else the platform's, else its batch.
  registered_as text collate "C" not null generated always as (
    case
      when out_order_no <> '' then out_order_no
      when order_no <> '' then 'order:' || order_no
      when out_batch_no <> '' then 'batch:' || out_batch_no
      else 'batchNo:' || batch_no
    end) stored,
  primary key (kind, registered_as),
  constraint a_transfer_names_its_batch check (kind <> 'transfer' or out_batch_no <> '' or batch_no <> ''),
  constraint a_withdrawal_has_a_number check (kind <> 'withdrawal' or out_order_no <> '' or order_no <> '')
);
create index order_registry_new on order_registry (kind) where not enrolled;
create index order_registry_batch on order_registry (out_batch_no) where kind = 'transfer';

-- What is to be asked, one row a query: a batch with all its orders, or a withdrawal. The platform's numbers are
-- unique by themselves, so the key needs no account; it says whose bracket asks again.
create table order_due (
  kind text not null check (kind in ('batch', 'withdrawal')),
  -- The company's number or the platform's.
  number_kind text not null check (number_kind in ('out', 'platform')),
  number text collate "C" not null,
  -- Payer of the batch, account of the withdrawal; empty until somebody said it.
  account_no text collate "C" not null default '',
  -- Who knew of it: the registry, or only the books.
  origin text not null check (origin in ('registry', 'ledger')),
  submitted_at timestamptz,
  -- new: never answered; open: not final, or with money in flight; final; not_found: the platform knows no such
  -- number; refused: not found, and the company had been refused: nothing is expected any more.
  state text not null default 'new' check (state in ('new', 'open', 'final', 'not_found', 'refused')),
  -- The first day (service time) on which it was final; later looks are counted from it.
  final_day text,
  -- From this day on it is to be asked again; empty: at every opportunity; null: never again.
  next_day text default '',
  asked_at timestamptz,
  -- The run that asked last, and why that failed: a run with such a failure is incomplete.
  asked_run text not null default '',
  failure text not null default '',
  not_found_since timestamptz,
  primary key (kind, number_kind, number)
);
create index order_due_next on order_due (next_day) where next_day is not null;
create index order_due_failure on order_due (asked_run) where failure <> '';
create index order_due_account on order_due (account_no) where state in ('new', 'open', 'not_found');

-- The platform's number of an order and the company's, because the books may name either.
create table order_alias (
  order_no text collate "C" primary key,
  out_order_no text collate "C" not null
);

-- Batches as the platform last stated them. Their label decides nothing; it is compared with the orders.
create table transfer_batch (
  account_no text collate "C" not null,
  out_batch_no text collate "C" not null,
  batch_no text collate "C" not null,
  state text not null,
  order_count integer not null,
  ext_param text not null,
  note text not null,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  -- Empty as long as the orders agree with label and registry; else what contradicts, for people.
  contradiction text not null default '',
  -- The day on which the contradiction was noticed.
  contradiction_day text not null default '',
  answer_sha256 text collate "C" not null,
  signed boolean not null,
  written_no bigint not null,
  primary key (account_no, out_batch_no)
);
create index transfer_batch_contradiction on transfer_batch (account_no) where contradiction <> '';

-- Transfer orders; account_no is the payer. `state` and `settle_state` are the platform's words as last stated;
-- `effective_state` and `settlement` are what counts: they never leave what was final, but for a settlement
-- that comes back.
create table transfer_order (
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  order_no text collate "C" not null,
  out_batch_no text collate "C" not null,
  payee_account_no text collate "C" not null,
  -- Null: the platform did not state it, which is not zero.
  amount_fen bigint,
  real_fen bigint,
  fee_fen bigint,
  fee_type text not null,
  state text not null,
  -- open: not final or not known; moved: it moved its money; failed: it ended and moved none.
  effective_state text not null check (effective_state in ('open', 'moved', 'failed')),
  settle_state text not null,
  settlement text not null check (settlement in ('none', 'open', 'settled', 'failed', 'unknown')),
  settle_remark text not null,
  refund_fen bigint not null default 0,
  -- A refund that rose but waits for its confirmation.
  refund_waiting_fen bigint not null default 0,
  ext_param text not null,
  note text not null,
  version integer not null,
  submitted_at timestamptz,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  answer_sha256 text collate "C" not null,
  signed boolean not null,
  written_no bigint not null,
  primary key (account_no, out_order_no)
);
create index transfer_order_payee on transfer_order (payee_account_no, out_order_no);
create index transfer_order_batch on transfer_order (account_no, out_batch_no);
create index transfer_order_open on transfer_order (account_no)
  where effective_state = 'open' or settlement in ('open', 'unknown') or refund_waiting_fen <> 0;
create index transfer_order_open_payee on transfer_order (payee_account_no)
  where effective_state = 'open' or settlement in ('open', 'unknown') or refund_waiting_fen <> 0;
create index transfer_order_unsettled on transfer_order (payee_account_no) where settlement = 'failed';
create index transfer_order_written on transfer_order using brin (written_no) with (pages_per_range = 16);
create index transfer_order_seen on transfer_order using brin (first_seen_at) with (pages_per_range = 16);

create table withdrawal (
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  order_no text collate "C" not null,
  amount_fen bigint,
  real_fen bigint,
  fee_fen bigint,
  fee_type text not null,
  state text not null,
  -- returned: it had moved its money, and the bank sent it back.
  effective_state text not null check (effective_state in ('open', 'moved', 'failed', 'returned')),
  note text not null,
  version integer not null,
  submitted_at timestamptz,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  answer_sha256 text collate "C" not null,
  signed boolean not null,
  written_no bigint not null,
  primary key (account_no, out_order_no)
);
create index withdrawal_open on withdrawal (account_no) where effective_state = 'open';
create index withdrawal_written on withdrawal using brin (written_no) with (pages_per_range = 16);
create index withdrawal_seen on withdrawal using brin (first_seen_at) with (pages_per_range = 16);

-- Former versions of orders whose final record changed (amounts, parties, fee), as it was stated.
create table order_version (
  account_no text collate "C" not null,
  kind text not null check (kind in ('transfer', 'withdrawal')),
  out_order_no text collate "C" not null,
  version integer not null,
  content jsonb not null,
  amount_fen bigint,
  answer_sha256 text collate "C" not null,
  seen_at timestamptz not null,
  replaced_run text not null,
  replaced_day text not null,
  primary key (account_no, kind, out_order_no, version)
);

-- When what happened: the platform gives no times, so each change of an order lies between the last look that
-- did not show it and the first that did. One row per change that moves money or ends an order; the last row of
-- a subject may still be open. account_no is the order's own (the payer's, for transfer, settlement, refund).
create table order_state_seen (
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  subject text not null check (subject in ('transfer', 'settlement', 'refund', 'withdrawal')),
  change_no integer not null,
  -- open: under way; moved: its money moved; failed: it ended without; returned: the money came back.
  state text not null check (state in ('open', 'moved', 'failed', 'returned')),
  -- For a refund the amount of this change, which is negative when refundAmount fell; else null.
  amount_fen bigint,
  -- It cannot have begun before: submission, the change before it, or the last look that did not show it.
  -- Null: nobody knows.
  since timestamptz,
  -- The first look that showed it under way, and the last that did not show it done; null: there was none.
  open_since timestamptz,
  last_open_at timestamptz,
  -- The first look that showed it; null while it is open.
  first_final_at timestamptz,
  primary key (account_no, out_order_no, subject, change_no)
);
create index order_state_open on order_state_seen (account_no) where state = 'open';
create index order_state_final on order_state_seen using brin (first_final_at) with (pages_per_range = 16);

-- Faults of orders that a proof must show: state_regression, unknown_state, record_changed, bad_record,
-- record_vanished. Facts about the platform, never amounts.
create table order_fault (
  account_no text collate "C" not null,
  -- Own number of the order (or of the batch).
  reference text collate "C" not null,
  class text not null check (class in ('state_regression', 'unknown_state', 'record_changed', 'bad_record',
    'record_vanished')),
  note text not null,
  first_run text not null,
  first_day text not null,
  -- The day on which a later look found it whole again.
  cured_day text,
  primary key (account_no, reference, class)
);

-- Which order a movement comes from: the account the order belongs to and which of its changes. Empty for
-- deposits. `effective_from` is the instant at which it counts, within the bounds of order_state_seen;
-- `effective_to` the first look that showed it.
alter table movement add column order_account text collate "C" not null default '';
alter table movement add column change_no integer not null default 0;
create index movement_seen on movement using brin (effective_to) with (pages_per_range = 16);

-- Our clock, in the platform's time, before the first of the two readings: a look at an order within the
-- bracket belongs to the balance.
alter table balance_snapshot add column opened_at timestamptz;

-- Which in-flight model fitted (spec/reconciliation.md 3.5); empty where nothing was in flight and none is known.
alter table run_account add column inflight_model text not null default ''
  check (inflight_model in ('', 'frozen', 'debited'));

-- What orders in flight held at a baseline whose balance had been debited for them already; the baseline counts it
-- as still there.
alter table account_baseline add column held_fen bigint not null default 0;
