-- The newest run that proves an account is found from the newest run on, however many there are.
create index run_newest on run (to_day desc, job desc, version desc, run_id desc) where superseded_by is null;
