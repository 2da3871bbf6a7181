-- An approval of an attempt holds only while everything that is known of it is what was shown: its state, its answer, and
-- what queries showed of it since, whoever asked (docs/settlements.md).

-- All that was known of the attempt when it was shown, as one text; empty: shown before this column, and approves nothing.
alter table settle_evidence add column known text not null default '';
