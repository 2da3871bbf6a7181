-- What changed of a signed period is a break that a new sign-off ends (docs/reconciliation.md 3.11, 3.14).

alter table break drop constraint break_cleared_cause_check;
alter table break add constraint break_cleared_cause_check
  check (cleared_cause in ('entry', 'record', 'adjustment', 'restatement', 'reading', 'statement', 'sign_off'));
