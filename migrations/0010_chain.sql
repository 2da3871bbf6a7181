-- The chain of proofs is each account's own, and nothing leaves it by itself: one account that cannot be read must
-- not cost the others their openings, and a break is closed by something that can be named.

alter table run_account
  -- The next proof of this account may begin at this closing.
  add column chained boolean not null default false,
  -- Under which key the break of the unexplained amount is found again; empty where there is none.
  add column unexplained_key text collate "C" not null default '';
update run_account a
set chained = r.state = 'finished' and a.platform_fen is not null and a.opening_fen is not null
    and a.candidates = '[]' and a.reason not like 'ambiguous_orders:%' and a.reason <> 'identity_fails',
  unexplained_key = case when a.unexplained_fen <> 0 then 'unexplained:' || r.to_day else '' end
from run r where r.run_id = a.run_id;
create index run_account_chain on run_account (account_no) where chained;

-- How often the run was begun: the schedule repeats a night that stays incomplete a few times, not for ever.
alter table run add column begun integer not null default 0;

-- What closed a break: a matched or corrected `entry` of the books, a `record` of the platform, an `adjustment`,
-- a `restatement` of its day, a `reading` that shows that the state it told of is over, a `statement` of the company.
alter table break add column cleared_cause text
  check (cleared_cause in ('entry', 'record', 'adjustment', 'restatement', 'reading', 'statement'));
update break set
  cleared_cause = case when coalesce(cleared_by, '') = '' then 'reading' else 'entry' end,
  cleared_by = coalesce(nullif(cleared_by, ''), closed_run)
where status = 'closed';
alter table break add constraint break_closes_with_a_cause check (
  case status when 'open' then closed_day is null and closed_run is null and cleared_by is null and cleared_cause is null
    else closed_day is not null and closed_run is not null and cleared_cause is not null
      and coalesce(cleared_by, '') <> '' end);
-- Whether a later run still finds a break.
create index finding_break on finding (break_id);
