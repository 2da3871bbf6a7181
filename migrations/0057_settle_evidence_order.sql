-- An approval of an attempt holds only for what was shown of it last. The order of showing is counted, because a clock that
-- is set back dates what is shown later as earlier (docs/settlements.md).

-- Which showing of the attempt it was, from 1; the same digest shown once more takes the next number.
alter table settle_evidence add column shown_no bigint;
update settle_evidence e set shown_no = n.shown_no
from (
  select req_id, digest, row_number() over (partition by req_id order by shown_at, digest) as shown_no
  from settle_evidence
) n
where n.req_id = e.req_id and n.digest = e.digest;
alter table settle_evidence alter column shown_no set not null;
create unique index settle_evidence_shown on settle_evidence (req_id, shown_no);
