-- Since when, and by which file, the account list states the opening that it states: it is what ends a difference from
-- the one that proofs rest on. A file that is taken in again keeps the time of its first coming, and one that changes
-- another column of the account states no opening anew. Null: nothing is known of it.
alter table account add column opening_since timestamptz;
alter table account add column opening_file_id text references intake_file;
update account a set opening_since = f.imported_at, opening_file_id = f.file_id
from intake_file f where f.file_id = a.file_id;
