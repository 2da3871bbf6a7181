-- When a look at it, or at an order of the batch, that was not kept may have shown it under way: the failure that is shown
-- after that may be a view that lags behind, and no reason to send it again.
alter table order_due add column may_have_shown_at timestamptz;
update order_due set may_have_shown_at = coalesce(greatest(claim_until, refused_since), 'epoch')
where kind = 'batch' and (refused_since is not null or claim_until is not null
  or asked_at is null and claim_fence > 0);
