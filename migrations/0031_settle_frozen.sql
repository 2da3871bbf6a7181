-- A platform may hold the money of a settlement that is under way as frozen, the balance being what it was: a person who
-- says that it was not paid approves what was frozen too (docs/settlements.md).

-- Of the payee's account, as it was read with its balance; null: not stated, or shown before this column.
alter table settle_evidence add column frozen_fen bigint;
