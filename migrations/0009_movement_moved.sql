-- An order that nobody registered counts when the books or our first look say; when the registry states its instant
-- later, its movements move. What the proof itself placed by a balance stays where it is, and a day that a movement
-- left is proven again like the day it came to.

-- Whether a balance decided `effective_from`. Of what was there before this migration nobody knows: it stays.
alter table movement add column placed boolean not null default true;
alter table movement alter column placed set default false;
-- Where it counted before it was last written; null where it never counted elsewhere.
alter table movement add column formerly_from timestamptz;
