-- Up to where the records were known when an account was first proven, and when its first balance was first told: what
-- is written later and belongs before that opening, or moves that balance, came late. A sum does not tell it, because
-- late records may move it against each other. Null: nobody knows.
alter table proven_opening add column known_no bigint;
update proven_opening p set known_no = (r.facts ->> 'writtenUpTo')::bigint from run r where r.run_id = p.run_id;
alter table account_baseline add column told_no bigint;
update account_baseline b set told_no = (r.facts ->> 'writtenUpTo')::bigint
from run r where r.run_id = b.run_id and b.told_fen is not null;
create index movement_formerly on movement (account_no) where formerly_from is not null;
