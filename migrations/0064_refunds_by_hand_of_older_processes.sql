-- A process of before 0062 that waited while the database was upgraded stores its refund without a word on whether it was
-- taken: it leaves, and is waited for like any other.
alter table call_by_hand alter column is_taken set default true;
