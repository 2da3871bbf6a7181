-- Accounts and file of an import are looked at once each, in its own transaction, and not once an entry.
alter table ledger_entry drop constraint ledger_entry_account_no_fkey, drop constraint ledger_entry_file_id_fkey;
