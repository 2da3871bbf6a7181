-- Any figure must be traced to where it comes from: an entry to its row of its file, a number to the breaks that are
-- about it, an entry id to what the books said under it before. Entries that were taken in earlier do not know their row.
alter table ledger_entry add column file_row integer;
-- Former versions are looked up by key; withdrawn ones are among them.
create index ledger_entry_former on ledger_entry (source, entry_id) where not current;
create index break_reference on break (reference);
-- finished_at is when the proof was stored; vouchers and publishing come after it. Null: published before this was kept.
alter table run add column published_at timestamptz;
