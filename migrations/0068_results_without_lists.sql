-- What a run found stands in `finding` and what it ended in `break_event`, row by row. The document of the run had the same once
-- more, as one value: it grew with every break, was read with the run wherever a run was, and one of some hundred thousand
-- breaks is larger than such a value can be. It keeps what does not grow with the breaks.
update run set result = result - '{breaks,timing,closed}'::text[] where result is not null;

-- The breaks that a run ended, in the order of its result.
create index break_event_end on break_event (run_id, break_id, event_no)
  where event in ('closed', 'reopened') and work is null;
