-- The account that a settlement leaves may be one that the platform does not know any more: there is no balance to show
-- then, and a person decides without it (docs/settlements.md).

-- Null: the platform, asked then, did not know the account.
alter table settle_evidence alter column balance_fen drop not null;
