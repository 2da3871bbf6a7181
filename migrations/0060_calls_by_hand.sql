-- A refund, transfer or withdrawal by hand may be on its way, and queries may not show it yet, when a settlement is
-- retried: each of these calls is stored before it leaves, with what it names, and a retry waits until it shows.
create table call_by_hand (
  -- Of the one request that was or will be sent.
  req_id text collate "C" not null,
  -- What it names: an order by any of its numbers, or the account that it withdraws from.
  about text not null check (about in ('order', 'account')),
  number text collate "C" not null,
  endpoint text not null,
  run_id text not null,
  -- Of the request, in the platform's time: until ten seconds after it the platform may accept it.
  req_time timestamptz not null,
  primary key (req_id, about, number)
);
create index call_by_hand_number on call_by_hand (number);
