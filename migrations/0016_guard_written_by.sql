-- Which transaction wrote the row that numbers the changes of attempts. The server keeps the same of each row, and a
-- row that was written again by a restore of data, which no other trace is left of, has another one there.

alter table settle_guard add column written_by bigint;
update settle_guard set written_by = pg_current_xact_id()::text::bigint;
alter table settle_guard alter column written_by set not null;
