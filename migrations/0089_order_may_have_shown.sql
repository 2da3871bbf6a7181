-- An order is made known by the first look that lists it. Where an earlier look at its batch was not kept, that may have
-- shown the order under way, and then the failure that a view shows that lags behind is no reason to send it again.
alter table order_due add column may_have_shown boolean not null default false;
update order_due set may_have_shown = true
where kind = 'batch' and (refused_since is not null or claim_until is not null
  or asked_at is null and claim_fence > 0);
