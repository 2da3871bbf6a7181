-- Files of the inbox (INTAKE_INBOX) that are in the books and still lie where they were delivered: written in the
-- transaction that takes the file in, deleted once it has been moved. A process that is killed in between leaves the
-- row, and the file is then moved and not taken in a second time.
create table inbox_file (
  -- Below the inbox, its parts joined by /.
  path text not null,
  -- When the file was last changed, in nanoseconds as the file system states it: a file delivered since under the same
  -- name is another one.
  changed text not null,
  sha256 text not null,
  file_id text not null,
  taken_at timestamptz not null,
  primary key (path, changed, sha256)
);
