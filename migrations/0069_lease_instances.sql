-- Which start of which machine, and which processes it sees, a holder's process number is from: of another one it says
-- nothing, also where both have the same host name.
alter table lease add column instance text not null default '';
