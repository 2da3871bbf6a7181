-- A settlement that the platform accepted, or says is claimed, may go on being shown as failed by queries that lag
-- behind. Such an attempt is never closed as failed by that alone, so what the answer meant and what was seen since
-- are kept, and the report shows how it stood.

alter table settle_attempt
  -- A refusal said, or may have said, that the settlement is claimed or has changed.
  add column is_claimed boolean not null default false,
  -- The last verified query after the send that showed it under way, in the platform's time.
  add column open_seen_at timestamptz;
-- Refusals of before are taken for what may have been meant.
update settle_attempt set is_claimed = true where answer_code <> '';

alter table settle_event
  -- The platform took it, and its queries say that it failed: only a person can end it.
  add column is_awaiting boolean not null default false;
