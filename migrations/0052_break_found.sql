-- What ended a break is nothing that a run which found it had counted: it was written since, or it counts only after the
-- days that run looked at (docs/reconciliation.md 3.8). So it is kept of the runs that found it up to where they looked.

create table break_found (
  break_id text not null references break,
  -- The last day of the run.
  day text not null,
  -- The highest write number that was known to it, and when it looked.
  known_no bigint not null,
  found_at timestamptz not null,
  primary key (break_id, day)
);

insert into break_found (break_id, day, known_no, found_at)
select b.break_id, b.last_day, b.last_found_no, coalesce(r.started_at, '-infinity')
from break b left join run r on r.run_id = b.last_run;

alter table break drop column last_found_no;
