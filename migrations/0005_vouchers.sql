-- Vouchers: the platform's PDF proof of one order. Their originals are the evidence and are kept as they came, named
-- by their digest; these tables say which order each belongs to, and what is still missing.

-- One row for each order whose voucher is wanted. Filled when an order becomes final; asked for until it is filed or
-- its time is over.
create table voucher_due (
  -- The account the order belongs to: payee of a deposit, payer of a transfer order, owner of a withdrawal, payee of
  -- a settlement (whose money left it).
  account_no text collate "C" not null,
  kind text not null check (kind in ('deposit', 'transfer', 'withdrawal', 'settlement')),
  -- What it is asked for with: orderNo of a deposit, outOrderNo of all others.
  number text collate "C" not null,
  order_no text collate "C" not null,
  -- The other registry account whose bundle holds it as well (payee of a transfer order); empty: none.
  other_account_no text collate "C" not null default '',
  -- When the money moved, and the month (service time) in whose bundle it lies.
  moved_at timestamptz not null,
  month text not null,
  amount_fen bigint,
  counterparty text not null default '',
  -- due: not asked yet, or not there yet; filed: at least one file lies in the archive; given_up: its time is over;
  -- unavailable: the platform gives none for this kind of order.
  state text not null default 'due' check (state in ('due', 'filed', 'given_up', 'unavailable')),
  tries integer not null default 0,
  -- The first day (service time) on which it was asked for; waiting is counted from it.
  first_asked_day text,
  -- From this day on it is to be asked again; empty: at every opportunity; null: never again.
  next_day text default '',
  asked_at timestamptz,
  asked_run text not null default '',
  -- Why it is not there, for people; masked.
  reason text not null default '',
  primary key (account_no, kind, number)
);
create index voucher_due_next on voucher_due (month desc, next_day) where state = 'due';
create index voucher_due_month on voucher_due (month, account_no);
create index voucher_due_other on voucher_due (other_account_no, month) where other_account_no <> '';

-- One row a file: an order may have several, and the same file may serve several orders.
create table voucher (
  account_no text collate "C" not null,
  kind text not null check (kind in ('deposit', 'transfer', 'withdrawal', 'settlement')),
  number text collate "C" not null,
  file_no integer not null check (file_no > 0),
  -- Of the untouched original, which lies in the archive under this name.
  sha256 text collate "C" not null,
  bytes bigint not null,
  -- Null: it could not be opened.
  pages integer,
  -- whole: it can be merged; encrypted, damaged, hostile: kept as it is, a page in the bundle stands for it;
  -- rejected: no PDF at all, nothing was kept.
  condition text not null check (condition in ('whole', 'encrypted', 'damaged', 'hostile', 'rejected')),
  -- Why it is not whole, or that another order has the same file; for people.
  remark text not null default '',
  req_id text collate "C" not null,
  fetched_at timestamptz not null,
  run_id text not null,
  written_no bigint not null,
  primary key (account_no, kind, number, file_no)
);
create index voucher_sha256 on voucher (sha256);
create index voucher_written on voucher using brin (written_no) with (pages_per_range = 16);

-- The merged PDFs of an account and a month, each version with its parts; only the newest is not superseded.
create table voucher_bundle (
  account_no text collate "C" not null,
  month text not null,
  version integer not null,
  -- Of what it is made of (orders, files, their state): the same content is not bundled twice.
  content_sha256 text collate "C" not null,
  -- [{path, sha256, pages, files}], in the order of the parts.
  parts jsonb not null,
  manifest_sha256 text collate "C" not null,
  pages integer not null,
  files integer not null,
  missing integer not null,
  made_at timestamptz not null,
  run_id text not null,
  superseded_at timestamptz,
  primary key (account_no, month, version)
);
create unique index voucher_bundle_standing on voucher_bundle (account_no, month) where superseded_at is null;

-- Where in a bundle a file is found: from the record to the page, and back.
create table voucher_place (
  account_no text collate "C" not null,
  month text not null,
  version integer not null,
  -- The order: whose it is, and which; the account is not the bundle's where the bundle is the other party's.
  order_account_no text collate "C" not null,
  kind text not null,
  number text collate "C" not null,
  file_no integer not null,
  part integer not null,
  -- First page in that part, from 1.
  page integer not null,
  pages integer not null,
  primary key (account_no, month, version, order_account_no, kind, number, file_no),
  foreign key (account_no, month, version) references voucher_bundle
);
create index voucher_place_order on voucher_place (order_account_no, kind, number);

-- The archive read again against its digests (`recon verify`): what was found then.
create table voucher_check (
  checked_at timestamptz not null,
  sha256 text collate "C" not null,
  -- Bytes on disk and their digest; null where the file is gone.
  actual_sha256 text,
  result text not null check (result in ('missing', 'changed', 'unreadable')),
  cured_at timestamptz,
  primary key (sha256, checked_at)
);
