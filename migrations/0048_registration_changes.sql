-- What an order was registered with is what its payment is checked against: whoever changes it, by a file or by SQL,
-- leaves what it said before, and has the order asked for and compared anew.

-- One row a member that had said something and says something else since; never edited.
create table registration_change (
  change_no bigint generated always as identity primary key,
  kind text not null,
  -- As the registry named the order after the change.
  registered_as text collate "C" not null,
  -- The column of order_registry; amounts in fen, instants in UTC.
  member text not null,
  before text not null,
  -- Empty: it says nothing any more.
  after text not null,
  -- By the clock of the run: when the file came; of what SQL changed, when a run first met it, null until then.
  at timestamptz,
  -- The role of the session.
  by_role text not null,
  -- The file that said so; null: SQL did.
  file_id text references intake_file
);
create index registration_change_order on registration_change (kind, registered_as);
create index registration_change_undated on registration_change (change_no) where at is null;

-- Runs with the rights of the registry's owner: a program that may change a number cannot do so without a trace.
create function keep_registration_change() returns trigger language plpgsql security definer as $$
begin
  insert into registration_change (kind, registered_as, member, before, after, at, by_role, file_id)
  select new.kind, new.registered_as, said.member, said.before, coalesce(said.after, ''),
    nullif(current_setting('recon.changed_at', true), '')::timestamptz, session_user,
    nullif(current_setting('recon.file_id', true), '')
  from (values ('out_batch_no', old.out_batch_no, new.out_batch_no),
    ('out_order_no', old.out_order_no, new.out_order_no), ('batch_no', old.batch_no, new.batch_no),
    ('order_no', old.order_no, new.order_no), ('payer_account_no', old.payer_account_no, new.payer_account_no),
    ('payee_account_no', old.payee_account_no, new.payee_account_no),
    ('amount_fen', old.amount_fen::text, new.amount_fen::text),
    ('submitted_at', to_char(old.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      to_char(new.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) said (member, before, after)
  where said.before <> '' and said.after is distinct from said.before;
  return null;
end $$;

create function enrol_changed_order() returns trigger language plpgsql as $$
begin
  new.enrolled := false;
  return new;
end $$;

-- Neither finds its tables anywhere but where this schema is.
do $$
begin
  execute format('alter function keep_registration_change() set search_path = %I, pg_temp', current_schema());
end $$;

create trigger order_registry_change after update on order_registry for each row
  when ((old.out_batch_no, old.out_order_no, old.batch_no, old.order_no, old.payer_account_no, old.payee_account_no,
      old.amount_fen, old.submitted_at) is distinct from
    (new.out_batch_no, new.out_order_no, new.batch_no, new.order_no, new.payer_account_no, new.payee_account_no,
      new.amount_fen, new.submitted_at))
  execute function keep_registration_change();
create trigger order_registry_enrol before update on order_registry for each row
  when ((old.out_batch_no, old.out_order_no, old.batch_no, old.order_no, old.payer_account_no, old.payee_account_no,
      old.amount_fen, old.submitted_at) is distinct from
    (new.out_batch_no, new.out_order_no, new.batch_no, new.order_no, new.payer_account_no, new.payee_account_no,
      new.amount_fen, new.submitted_at) or (old.outcome = 'refused' and new.outcome <> 'refused'))
  execute function enrol_changed_order();
