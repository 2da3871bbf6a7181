-- Up to which write number the first try of a run that proved the account knew its records: what came since is news to
-- the proofs of later days, also where the run went on under its version, or was proven again, and knows it by now.
alter table run_account add column known_no bigint;
update run_account a set known_no = (r.facts ->> 'writtenUpTo')::bigint
from run r where r.run_id = a.run_id and a.chained;
