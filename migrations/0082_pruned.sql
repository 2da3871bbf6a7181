-- What `recon prune` removed by policy is told from what is missing: each removal is an event of the audit trail, with a
-- row for each answer, file and alert that went (docs/operations.md, Keeping it for years).

-- An event is of a break, of a period, or of a kind of what was pruned.
alter table break_event drop constraint break_event_subject;
alter table break_event
  add column pruned text,
  add constraint break_event_subject check (num_nonnulls(break_id, period, pruned) = 1),
  add constraint break_event_of_pruned unique (pruned, event_no);

-- Stored before anything is removed, so that no file goes without a word; the event holds the digest of its rows.
create table pruned (
  -- Of the event that says so.
  trail_no bigint not null,
  kind text not null check (kind in ('answers', 'versions', 'bundles', 'aside', 'inbox', 'alerts')),
  -- The digest of an answer, the path of a file below RECON_HOME or the inbox, the id of an alert.
  key text collate "C" not null,
  sha256 text collate "C" not null,
  bytes bigint not null,
  -- What its age was told by.
  day text not null,
  pruned_at timestamptz not null,
  -- When it was seen to be gone; null: whoever pruned it was killed before, and the next one ends it.
  gone_at timestamptz,
  primary key (trail_no, key)
);
create index pruned_key on pruned (key);
create index pruned_not_gone on pruned (trail_no) where gone_at is null;
