-- Where the books of an account begin is a fact once a proof has rested on it: an opening entry that is changed or
-- withdrawn afterwards is a difference of its own and takes back no break.
create table ledger_opening (
  account_no text collate "C" primary key,
  at timestamptz not null,
  -- Null: the books had no opening entry, and it was taken to equal the baseline.
  amount_fen bigint
);

-- Opening entries are few among millions and looked for every night.
create index ledger_entry_opening on ledger_entry (account_no) where kind = 'opening' and current;

-- What was looked at since a moment is held against its registration.
create index order_due_asked on order_due (asked_at);
