-- An approval of an attempt holds only while queries show of it what they showed then. The platform's sentences may be
-- others each time, so what is compared are states, codes and amounts (docs/settlements.md).

-- What the query showed on which it was shown, as one text; empty: shown before this column, and approves nothing.
alter table settle_evidence add column shown text not null default '';
