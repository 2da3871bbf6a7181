-- Accounts, keys and references are compared by their bytes; ids of breaks and entries are looked up by what was made of
-- those, and an index of another collation is of no use for that: such a look-up read the whole table.
alter table break alter column break_id type text collate "C";
alter table break_event alter column break_id type text collate "C";
alter table break_found alter column break_id type text collate "C";
alter table break_told alter column break_id type text collate "C";
alter table finding alter column break_id type text collate "C";
alter table ledger_entry alter column source type text collate "C", alter column entry_id type text collate "C";
