-- A night looks up what its day brought and what is still open, and not what the years before it hold.
create index movement_account on movement (account_no, effective_from);
-- Stamped by the platform's clock for later than it was seen: a few, of which a balance may hold some already.
create index movement_ahead on movement (account_no) where effective_from > effective_to;
create index deposit_ahead on deposit (account_no) where seen_at < deposited_at;
create index deposit_account on deposit (account_no, deposited_at);
create index match_open on match (account_no, group_key) where outcome <> 'equal';
