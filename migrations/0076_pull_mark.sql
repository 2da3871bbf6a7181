-- How far the company's database was pulled (LEDGER_DATABASE_URL), by what its query calls changed_at: the next pull
-- begins there, less the look back. Written after what was read is in the books: a process that is killed in between
-- leaves the older mark, and the same rows are read once more and change nothing.
create table pull_mark (
  kind text not null check (kind in ('ledger', 'orders')),
  -- The ledger's name; empty for orders, of which there is one registry.
  source text not null,
  -- Of the query and of the database it was put to: another query is pulled from its beginning.
  query_sha256 text not null,
  changed_to timestamptz not null,
  pulled_at timestamptz not null,
  primary key (kind, source)
);
