-- What is to be told to people who do not watch, stored before anything is sent (docs/operations.md, Alerts).
create table alert (
  -- 16 hex digits of the digest of its cause.
  alert_id text primary key,
  -- What it is about: a cause is told once, whoever finds it again.
  cause text not null unique,
  kind text not null,
  -- Of the night it is about; null where it is about none.
  day date,
  -- As receivers get it (schemas/1/alert.json).
  document jsonb not null,
  raised_at timestamptz not null
);
create index alert_latest on alert (raised_at desc, alert_id);

-- Each on each of the ways that were set when it was raised: what one receiver does not take delays no other.
create table alert_delivery (
  alert_id text not null references alert,
  channel text not null,
  state text not null default 'due' check (state in ('due', 'sent', 'given_up')),
  tries integer not null default 0,
  -- Not before that.
  next_at timestamptz not null,
  -- Why the last try failed; masked.
  reason text not null default '',
  ended_at timestamptz,
  primary key (alert_id, channel)
);
create index alert_delivery_due on alert_delivery (next_at) where state = 'due';
