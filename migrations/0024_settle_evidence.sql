-- A person who ends an attempt of which queries show no end approves what was shown, so what was shown is kept; and an
-- acceptance that arrives after an attempt was ended opens it again (docs/settlements.md).

-- What a person was shown of an attempt that awaits one: an approval names it by its digest.
create table settle_evidence (
  req_id text collate "C" not null references settle_attempt (req_id),
  -- 16 hex digits, over the day, the reason and the balances that were shown.
  digest text collate "C" not null,
  run_id text not null,
  shown_at timestamptz not null,
  -- Why only a person can end it; masked.
  why text not null,
  -- The balance of the payee's account as it was read then.
  read_at timestamptz not null,
  balance_fen bigint not null,
  primary key (req_id, digest)
);

alter table settle_attempt
  -- When it was opened again, because the platform's acceptance of it arrived after it was ended; null: never.
  add column reopened_at timestamptz;
-- An attempt that was opened again lies beside one that was planned since.
drop index settle_attempt_open;
create unique index settle_attempt_open on settle_attempt (account_no, out_order_no)
  where state <> 'CLOSED' and reopened_at is null;

alter table settle_approval
  -- All that was eligible when it was approved, whatever the limits left of it; null: not known.
  add column eligible_orders integer,
  add column eligible_fen bigint;
