-- Failed settlements are retried by the job, the only place where it moves money. What it is about to do is stored
-- before it is done, so that no crash, lost answer or second machine can make it pay twice.

-- One attempt to settle one transfer order, which is the payer's (account_no); the money leaves the payee.
create table settle_attempt (
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  attempt_no integer not null check (attempt_no > 0),
  -- Of the one request that was or will be sent; never derived, never used twice.
  req_id text collate "C" not null unique,
  order_no text collate "C" not null,
  payee_account_no text collate "C" not null,
  amount_fen bigint not null check (amount_fen > 0),
  remark text not null,
  -- PLANNED: nothing was sent. SENT: it may have been. Then what came of the call: a verified answer (ACK_…), proof
  -- that no byte left (NOT_SENT), or anything else (UNKNOWN). CLOSED: the outcome is certain.
  state text not null check (state in
    ('PLANNED', 'SENT', 'ACK_PROCESSING', 'ACK_SUCCESS', 'ACK_FAIL', 'UNKNOWN', 'NOT_SENT', 'CLOSED')),
  -- RETURNED: it was paid, and the bank sent the money back.
  outcome text check (outcome in ('SUCCESS', 'FAIL', 'RETURNED', 'NOT_SENT')),
  run_id text not null,
  fence bigint not null,
  planned_at timestamptz not null,
  -- Of the request, in the platform's time: until ten seconds after it the platform may accept it.
  req_time timestamptz,
  -- Our clocks at the send; the second only counts within the process that sent.
  sent_at timestamptz,
  sent_mono_ms bigint,
  runner text not null,
  answered_at timestamptz,
  answer_code text not null default '',
  -- What the platform noted, or why nothing is known; masked.
  note text not null default '',
  -- As the answer states them; only this answer ever shows the fee of a settlement.
  answer_fee_fen bigint,
  answer_fee_type text not null default '',
  answer_sha256 text collate "C" not null default '',
  -- The first of the verified queries that agree that it failed, in the platform's time; null when there is none.
  failed_seen_at timestamptz,
  closed_at timestamptz,
  primary key (account_no, out_order_no, attempt_no),
  constraint closed_has_an_outcome check ((state = 'CLOSED') = (outcome is not null and closed_at is not null)),
  constraint what_was_sent_has_its_time check (state in ('PLANNED', 'CLOSED', 'NOT_SENT') or req_time is not null)
);
-- However many runners there are, one attempt of an order is open.
create unique index settle_attempt_open on settle_attempt (account_no, out_order_no) where state <> 'CLOSED';
create index settle_attempt_run on settle_attempt (run_id);

-- Every change of an attempt, never edited: for auditors, and so that the report of a run shows what was known then.
create table settle_event (
  -- From settle_guard, so that the order of these numbers is the order of commits.
  sequence bigint primary key,
  account_no text collate "C" not null,
  out_order_no text collate "C" not null,
  attempt_no integer not null,
  at timestamptz not null,
  run_id text not null,
  state text not null,
  outcome text,
  note text not null default '',
  foreign key (account_no, out_order_no, attempt_no) references settle_attempt
);
create index settle_event_run on settle_event (run_id);
create index settle_event_attempt on settle_event (account_no, out_order_no, attempt_no);

-- One row: how many changes there were, and which database this is. A database restored from a backup has forgotten
-- attempts that may still be on their way; until hold_until nothing is sent then.
create table settle_guard (
  only_row boolean primary key default true check (only_row),
  sequence bigint not null,
  database_identity text not null,
  hold_until timestamptz
);

-- Plans that were too large to be carried out unseen, and who allowed them.
create table settle_approval (
  plan_digest text collate "C" primary key,
  approved_by text not null,
  approved_at timestamptz not null,
  run_id text not null,
  orders integer not null,
  amount_fen bigint not null
);
