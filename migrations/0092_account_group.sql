-- What the company gathers its accounts by, such as a branch or a line of business: for people who look, and no proof.
alter table account add column account_group text not null default '';
