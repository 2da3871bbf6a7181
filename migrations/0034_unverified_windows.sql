-- A window whose list nothing verified stands where the profile lets it (deposits.verify), and is not called verified.
alter table sync_window drop constraint sync_window_state_check;
alter table sync_window add constraint sync_window_state_check
  check (state in ('planned', 'verified', 'unverified', 'failed'));
