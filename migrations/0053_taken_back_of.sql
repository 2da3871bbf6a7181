-- What was taken back is named: it may have moved what a proof begins with.
alter table movement_taken_back add column reference text collate "C" not null default '';
