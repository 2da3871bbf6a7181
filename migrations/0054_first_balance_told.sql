-- What a first balance came to when a run first told it: a record that comes later moves the baseline, and with it an
-- opening of the books that was only assumed. That is said, and no unexplained amount is green beside it.
-- Null: no run has told it yet.
alter table account_baseline add column told_fen bigint;
update account_baseline b set told_fen = p.opening_fen
from run_account p
where p.run_id = b.run_id and p.account_no = b.account_no and p.opening_run = '';
