-- Orders may be asked for by several processes at once: parts of a night that workers do, a snapshot, what pushes name.
-- Who asks claims the row first, because two looks at one order at once could not be told apart by their times. The claim
-- is no lock: nothing waits in the database while the platform is asked, and what a dead process had claimed is free again
-- by the database's clock.
alter table order_due
  -- The run or unit that asks; whoever does that anew after a death takes over what it had claimed.
  add column claim_by text,
  -- Which of its claims the last one is: an answer that was asked for under an earlier one is older than what is known.
  add column claim_fence bigint not null default 0,
  add column claim_until timestamptz,
  add check ((claim_by is null) = (claim_until is null));
