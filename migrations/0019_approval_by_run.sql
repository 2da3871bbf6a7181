-- A plan may be approved again, on another day and by somebody else: each approval is kept.

alter table settle_approval drop constraint settle_approval_pkey;
alter table settle_approval add primary key (plan_digest, run_id);
