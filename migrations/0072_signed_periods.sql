-- A day or a month that people sign off is an event of the audit trail like what happens to a break, so that a sign-off
-- which is removed, altered or put elsewhere is found by the same reading (docs/reconciliation.md 3.14).

-- An event is of a break or of a period: a day (2026-03-01) or a month (2026-03).
alter table break_event drop constraint break_event_pkey;
alter table break_event
  alter column break_id drop not null,
  add column period text,
  add constraint break_event_subject check (num_nonnulls(break_id, period) = 1),
  add constraint break_event_of_break unique (break_id, event_no),
  add constraint break_event_of_period unique (period, event_no);

-- What was signed, row by row, so that a change can be told with the rows that changed. The event holds the digest of all
-- of them: none is edited.
create table signed_row (
  -- Of the event that stored them.
  trail_no bigint not null,
  kind text collate "C" not null check (kind in ('account', 'file', 'item', 'ledger', 'platform', 'run')),
  day text collate "C" not null,
  key text collate "C" not null,
  figures jsonb not null,
  primary key (trail_no, kind, day, key)
);
