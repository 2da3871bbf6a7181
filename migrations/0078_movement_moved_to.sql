-- The latest instant a movement counted at before, beside the earliest: one that was dated across an opening by mistake
-- and back again lay on the other side of it in between.
alter table movement add column formerly_to timestamptz;
update movement set formerly_to = formerly_from where formerly_from is not null;
