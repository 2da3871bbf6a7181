-- From where on the next pull of a ledger that is stated nowhere whole reads days as a whole: where the pulls did that
-- left it so. By the clock alone the days would pass out of its sight, and with them what it has to tell of them.
alter table pull_mark add column whole_from timestamptz;
