-- An order that the platform refuses to show for good must not keep accounts from being proven night after night: it
-- becomes one item of its own account, or of the run where nobody knows the account (spec/reconciliation.md 3.8, 8).

-- Since when the platform answers, and refuses or says nothing that can be kept; null: it does not.
alter table order_due add column refused_since timestamptz;
-- The day on which that became one item for people; null: it keeps its account incomplete. An answer ends it.
alter table order_due add column given_up_day text;
create index order_due_given_up on order_due (given_up_day) where given_up_day is not null;
