-- A file of the inbox states its day whole; one that is withdrawn leaves the day without its books, until a file of it is
-- taken in anew.
alter table intake_file add column of_day text;
