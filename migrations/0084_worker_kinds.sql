-- A night does itself what none of the workers that live does: each tells which kinds of units it takes.
alter table worker add column kinds text not null default 'deposits';
