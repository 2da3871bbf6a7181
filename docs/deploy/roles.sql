-- The roles of a PostgreSQL database that is recon's alone, each with the least it needs:
--   recon_owner   owns everything and runs `recon migrate` and `recon prune`; nothing else runs as this one
--   recon_runner  nights, schedule, worker, and all other commands; what was read, what became of a settlement and what
--                 people said it can add to and never change
--   recon_reader  BI and auditors: reads, and can change nothing; what it reads holds names of counterparties
--
-- As a superuser, on the database, before the first `recon migrate` and again after each one:
--   psql --dbname=recon --file=docs/deploy/roles.sql
-- Passwords are not given here: \password recon_owner in psql, or your server's own way of logging in. Several recons on
-- one server have roles of their own: --set=owner=a_owner --set=runner=a_runner --set=reader=a_reader
\set ON_ERROR_STOP on
\if :{?owner} \else \set owner recon_owner \endif
\if :{?runner} \else \set runner recon_runner \endif
\if :{?reader} \else \set reader recon_reader \endif

begin;

select format('create role %I login nosuperuser nocreatedb nocreaterole', wanted)
from unnest(array[:'owner', :'runner', :'reader']) as wanted
where not exists (select from pg_roles where rolname = wanted)
\gexec

-- What is there is the owner's, whoever made it: also the queue of units, which `recon migrate` keeps beside.
alter database :"DBNAME" owner to :"owner";
select format('alter schema %I owner to %I', nspname, :'owner')
from pg_namespace where nspname = 'pgboss'
\gexec
select format('alter table %s owner to %I', c.oid::regclass, :'owner')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm')
\gexec
-- A column's own sequence goes with its table.
select format('alter sequence %s owner to %I', c.oid::regclass, :'owner')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('public', 'pgboss') and c.relkind = 'S'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')
    and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass)
\gexec
select format('alter routine %s owner to %I', p.oid::regprocedure, :'owner')
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname in ('public', 'pgboss')
\gexec
select format('alter type %s owner to %I', t.oid::regtype, :'owner')
from pg_type t join pg_namespace n on n.oid = t.typnamespace
where n.nspname in ('public', 'pgboss') and t.typtype in ('e', 'd')
\gexec

-- Who registers orders (docs/registering-orders.md) keeps what it was granted there.
revoke create, temporary on database :"DBNAME" from public;
revoke create on schema public from public;
grant connect, temporary on database :"DBNAME" to :"runner";
grant connect on database :"DBNAME" to :"reader";
grant usage on schema public to :"runner", :"reader";

-- Also for what later versions make.
alter default privileges for role :"owner" in schema public
  grant select, insert, update, delete on tables to :"runner";
alter default privileges for role :"owner" in schema public grant usage, select on sequences to :"runner";
alter default privileges for role :"owner" in schema public grant select on tables to :"reader";
grant select, insert, update, delete on all tables in schema public to :"runner";
grant usage, select on all sequences in schema public to :"runner";
grant select on all tables in schema public to :"reader";

-- Evidence: nobody who runs a night can change what it stands on. Which migrations there are, and what was pruned, is the
-- owner's to say.
select format('revoke update, delete on %s from %I', name::regclass, :'runner')
from unnest(array['raw_answer', 'deposit_version', 'order_version', 'break_event', 'settle_event', 'settle_approval',
  'signed_row']) as name
where to_regclass(name) is not null
\gexec
select format('revoke insert, update, delete on %s from %I', name::regclass, :'runner')
from unnest(array['kysely_migration', 'kysely_migration_lock', 'pruned']) as name
where to_regclass(name) is not null
\gexec

select format('grant usage on schema pgboss to %I', :'runner'),
  format('grant select, insert, update, delete on all tables in schema pgboss to %I', :'runner'),
  format('alter default privileges for role %I in schema pgboss grant select, insert, update, delete on tables to %I',
    :'owner', :'runner')
from pg_namespace where nspname = 'pgboss'
\gexec

-- A night tells the planner what it has written; before PostgreSQL 17 only autovacuum may, some minutes later.
select format('grant maintain on all tables in schema public to %I', :'runner'),
  format('alter default privileges for role %I in schema public grant maintain on tables to %I', :'owner', :'runner')
where current_setting('server_version_num')::int >= 170000
\gexec

-- A report that somebody leaves open must not keep the server from tidying up.
alter role :"reader" in database :"DBNAME" set default_transaction_read_only = on;
alter role :"reader" in database :"DBNAME" set statement_timeout = '10min';
alter role :"reader" in database :"DBNAME" set idle_in_transaction_session_timeout = '1min';

commit;
