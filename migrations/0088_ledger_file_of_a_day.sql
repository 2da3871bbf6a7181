-- Days without entries all have the same file, which is another one of each day: what makes a file one is its id alone.
alter table intake_file drop constraint intake_file_kind_source_sha256_key;
