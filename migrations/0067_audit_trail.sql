-- What happens to breaks is chained: each event holds a digest that covers it and the digest of the one before, so that
-- one which is removed, altered or put elsewhere is found, and the digest of the last one on a printed workbook proves
-- all that came before it (docs/reconciliation.md 3.13).

-- Where the trail stands: one row, locked by whoever writes the next events, so that the trail never forks.
create table audit_trail (
  the_one boolean primary key default true check (the_one),
  last_no bigint not null,
  digest text not null
);

alter table break_event
  add column trail_no bigint,
  add column before_digest text,
  add column digest text,
  -- What people say of the break once this has happened (src/store/runs/break-work.ts); null: it changed nothing of that.
  add column work jsonb;

-- Those that are there already, in the order in which they happened. Their details are objects of texts and numbers.
do $$
declare
  e record;
  no bigint := 0;
  head text := '';
  own text;
begin
  for e in select * from break_event order by at, break_id, event_no loop
    no := no + 1;
    own := encode(sha256(convert_to(concat(
      '{"actor":', to_json(e.actor), ',"at":"', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      '","before":"', head, '","breakId":', to_json(e.break_id),
      ',"details":{', (select string_agg(concat(to_json(d.key), ':', d.value), ',' order by d.key collate "C")
        from jsonb_each(e.details) d),
      '},"event":', to_json(e.event), ',"eventNo":', e.event_no, ',"no":', no,
      ',"runId":', coalesce(to_json(e.run_id)::text, 'null'), ',"work":null}'), 'UTF8')), 'hex');
    update break_event set trail_no = no, before_digest = head, digest = own
    where break_id = e.break_id and event_no = e.event_no;
    head := own;
  end loop;
  insert into audit_trail (last_no, digest) values (no, head);
end $$;

alter table break_event
  alter column trail_no set not null,
  alter column before_digest set not null,
  alter column digest set not null;
create unique index break_event_trail on break_event (trail_no);
create index break_event_work on break_event (break_id, event_no) where work is not null;

-- Where the trail stood when the proof of a run was stored: its workbook shows what people had said until then, and
-- states that digest. Null: before there was a trail.
alter table run
  add column trail_no bigint,
  add column trail_digest text;
