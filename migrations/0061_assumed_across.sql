-- What a proof took to lie across an assumed opening of the books is a fact of that proof: books that take entries of it
-- back, or change them, do not begin with another sum for that. What earlier proofs took is not known; the next ones
-- keep it.
create table assumed_across (
  account_no text collate "C" not null references account,
  group_key text collate "C" not null,
  reference text collate "C" not null,
  -- What the books had of it, on either side, in the last proof that had it across.
  booked_fen bigint not null,
  seen_at timestamptz not null,
  primary key (account_no, group_key)
);
