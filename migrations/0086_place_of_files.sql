-- Files of a run are kept by their place below RECON_HOME, which may be moved, copied or restored elsewhere.
update run_file set path = regexp_replace(path, '^.*/(?=reports/)', '') where path like '%/reports/%';
