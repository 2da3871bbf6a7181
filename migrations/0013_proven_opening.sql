-- What the proofs of an account began with is a fact from the first proof on: an account list that later states
-- another opening, another instant or none is held against it and takes back nothing.
create table proven_opening (
  account_no text collate "C" primary key references account,
  -- Null where the proof began with the first balance that was seen (account_baseline).
  opening_fen bigint,
  opening_at timestamptz,
  -- The first run that proved the account.
  run_id text not null,
  check ((opening_fen is null) = (opening_at is null))
);
insert into proven_opening (account_no, opening_fen, opening_at, run_id)
select distinct on (p.account_no) p.account_no, a.opening_fen, a.opening_at, p.run_id
from run_account p join run r using (run_id) join account a on a.account_no = p.account_no
where p.chained and p.verdict in ('reconciled', 'reconciled_with_timing', 'breaks')
order by p.account_no, r.to_day, r.version;
