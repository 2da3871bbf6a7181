-- A file of the books can be withdrawn: the entries it brought are out of the books, and what it says is no longer what
-- an entry falls back to when a later file is withdrawn as well. Taken in again, it stands again.
alter table intake_file add column withdrawn_at timestamptz;
