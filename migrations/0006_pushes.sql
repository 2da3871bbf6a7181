-- What the platform pushed (SIG-11, EVT-01…09). A push is a hint and never a fact: it says which batch is worth
-- asking for now. Nothing here is posted, matched or proven; what the query then answers is stored like any other.

-- One row a body: the same body again is the same hint (EVT-08).
create table push (
  -- Of the body as it was received.
  sha256 text collate "C" primary key,
  body bytea not null,
  bytes integer not null,
  -- transfer, opening and change as far as the members tell; unknown: kept for a person to look at (U40, U41).
  kind text not null check (kind in ('transfer', 'opening', 'change', 'unknown')),
  -- outBatchNo of a transfer, outReqNo of an opening or change; empty: not stated.
  own_no text collate "C" not null default '',
  -- batchNo or reqNo.
  platform_no text collate "C" not null default '',
  account_no text collate "C" not null default '',
  -- The platform's word; nobody believes it.
  stated_state text not null default '',
  -- It carried a signature, which was right; a wrong one is never stored (SIG-11).
  signed boolean not null,
  times_seen integer not null default 1,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- waiting: nothing was done with it yet; asked: its batch was asked for since; unregistered: no batch of ours, nothing
  -- was asked; kept: there is nothing to ask; left: no answer could be had, the night asks.
  state text not null default 'waiting' check (state in ('waiting', 'asked', 'unregistered', 'kept', 'left')),
  -- How often asking brought no answer.
  tries integer not null default 0,
  processed_at timestamptz,
  -- Why, for people; masked.
  note text not null default ''
);
create index push_waiting on push (first_seen_at, sha256) where state = 'waiting';
create index push_unregistered on push (own_no, platform_no) where state = 'unregistered';
create index push_seen on push (first_seen_at);

-- A push may name a batch by the platform's number alone; without these anybody's push would read whole tables.
create index order_registry_batch_no on order_registry (batch_no) where kind = 'transfer' and batch_no <> '';
create index transfer_batch_batch_no on transfer_batch (batch_no) where batch_no <> '';
