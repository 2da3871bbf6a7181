-- What the books stated of their opening when the account was last proven, and since when they can have stated it: a
-- changed opening is a difference that arose then, and no adjustment booked before it clears it.
alter table ledger_opening
  -- Null where no entry stated one.
  add column stated_at timestamptz,
  add column stated_fen bigint,
  -- The last proof that had seen another statement; null where there was none.
  add column stated_since timestamptz,
  -- The last proof that has seen this one.
  add column seen_at timestamptz,
  add check ((stated_at is null) = (stated_fen is null));
update ledger_opening set stated_at = at, stated_fen = amount_fen where amount_fen is not null;
