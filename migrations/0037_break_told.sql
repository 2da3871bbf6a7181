-- When an amount was first told is a fact of its break (docs/reconciliation.md 3.8): a run that is made again knows
-- more than it did, and tells the amount no later for that.

create table break_told (
  break_id text not null references break,
  difference_fen bigint not null,
  -- The highest write number that was known to the first run that told this amount.
  known_no bigint not null,
  primary key (break_id, difference_fen)
);

insert into break_told (break_id, difference_fen, known_no)
select t.break_id, t.difference_fen, min(t.known_no)
from (
  select f.break_id, f.difference_fen, coalesce((r.facts ->> 'writtenUpTo')::bigint, b.first_found_no) as known_no
  from finding f join run r using (run_id) join break b using (break_id)
  union all
  select e.break_id, (e.details ->> 'differenceFen')::bigint, b.first_found_no
  from break_event e join break b using (break_id)
  where e.event = 'opened' and b.first_found_no > 0
) t
join break b using (break_id)
where b.item_key like 'unexplained:%' or b.item_key in ('opening', 'period_changed:ledger')
group by t.break_id, t.difference_fen;

alter table break drop column first_found_no;
