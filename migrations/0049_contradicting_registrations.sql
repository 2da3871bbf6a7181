-- A program that registers an order once more is told nothing when what it says now is not what it said first
-- (`on conflict do nothing`): what is dropped so is kept, and the night holds the platform against both.

create table order_contradiction (
  contradiction_no bigint generated always as identity primary key,
  kind text not null,
  out_batch_no text collate "C" not null,
  out_order_no text collate "C" not null,
  batch_no text collate "C" not null,
  order_no text collate "C" not null,
  payer_account_no text collate "C" not null,
  payee_account_no text collate "C" not null,
  amount_fen bigint,
  -- As order_registry names the order.
  registered_as text collate "C" not null,
  by_role text not null,
  -- When a run first met it, by the run's clock; null until then. It was then asked for once more.
  at timestamptz,
  -- The file that put the order right.
  settled_at timestamptz,
  settled_file_id text references intake_file
);
-- The same statement again is the same contradiction.
create unique index order_contradiction_open on order_contradiction (kind, registered_as, out_batch_no, batch_no,
  order_no, payer_account_no, payee_account_no, coalesce(amount_fen, -1)) where settled_at is null;
create index order_contradiction_order on order_contradiction (kind, registered_as);
create index order_contradiction_new on order_contradiction (contradiction_no) where at is null;

-- What is about to be inserted is kept first, unless the registry says all of it: another session may be registering
-- the same order, which nobody sees before both are done. What was not dropped is taken out again (below).
create function keep_registration() returns trigger language plpgsql security definer as $$
begin
  insert into order_contradiction (kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no,
    payee_account_no, amount_fen, registered_as, by_role)
  select new.kind, new.out_batch_no, new.out_order_no, new.batch_no, new.order_no, new.payer_account_no,
    new.payee_account_no, new.amount_fen, n.name, session_user
  from (select case when new.out_order_no <> '' then new.out_order_no
    when new.order_no <> '' then 'order:' || new.order_no
    when new.out_batch_no <> '' then 'batch:' || new.out_batch_no else 'batchNo:' || new.batch_no end as name) n
  where not exists (select from order_registry r where r.kind = new.kind and r.registered_as = n.name
    and new.out_batch_no in ('', r.out_batch_no) and new.batch_no in ('', r.batch_no)
    and new.order_no in ('', r.order_no) and new.payer_account_no in ('', r.payer_account_no)
    and new.payee_account_no in ('', r.payee_account_no)
    and (new.amount_fen is null or new.amount_fen is not distinct from r.amount_fen))
  on conflict do nothing;
  return new;
end $$;

create function forget_kept_registration() returns trigger language plpgsql security definer as $$
begin
  delete from order_contradiction c
  where c.kind = new.kind and c.registered_as = new.registered_as and c.settled_at is null
    and (c.out_batch_no, c.batch_no, c.order_no, c.payer_account_no, c.payee_account_no)
      = (new.out_batch_no, new.batch_no, new.order_no, new.payer_account_no, new.payee_account_no)
    and c.amount_fen is not distinct from new.amount_fen;
  return null;
end $$;

-- Neither finds its tables anywhere but where this schema is.
do $$
begin
  execute format('alter function keep_registration() set search_path = %I, pg_temp', current_schema());
  execute format('alter function forget_kept_registration() set search_path = %I, pg_temp', current_schema());
end $$;

-- Of a file the import itself says what contradicts.
create trigger order_registry_keep before insert on order_registry for each row
  when (new.file_id is null) execute function keep_registration();
create trigger order_registry_forget after insert on order_registry for each row
  when (new.file_id is null) execute function forget_kept_registration();
