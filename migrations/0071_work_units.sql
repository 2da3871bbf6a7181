-- Parts of a night that any process on this database may do (docs/architecture.md 3.3). The queue only hands them out:
-- what there is to do, what came of it and whether all of it is done stands here, because the night is joined from its
-- own tables.
create table work_unit (
  -- Of the run, the try, the kind and the number: planned twice, it is one.
  unit_id uuid primary key,
  run_id text not null,
  -- Which try of the run planned it: what an earlier one left to be done is withdrawn.
  begun integer not null,
  kind text not null,
  chunk_no integer not null,
  items integer not null,
  state text not null default 'planned' check (state in ('planned', 'done', 'given_up')),
  -- Under which the queue hands it out.
  job_id uuid not null,
  -- What is to be done, and what came of it.
  work jsonb not null,
  made jsonb,
  -- Why nobody could do it.
  reason text,
  -- How often somebody began it.
  tries integer not null default 0,
  planned_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz
);
create index work_unit_of_run on work_unit (run_id, kind, chunk_no);

-- Who works: one row a process, told again every few seconds.
create table worker (
  worker_id text primary key,
  host text not null,
  pid integer not null,
  beat_at timestamptz not null,
  -- Since the process began: claims that somebody else had by the time they were to be kept, and waits for the rate.
  fences_lost integer not null default 0,
  rate_wait_ms bigint not null default 0
);

-- The platform's rate as one for all processes: when the next call may start that nobody has been given yet. Nothing of
-- it has to outlive a crash of the server, and it is written at every few calls.
create unlogged table platform_rate (
  platform text primary key,
  next_at timestamptz not null
);
