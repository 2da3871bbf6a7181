-- Groups of several lines were equal when their sums were; their parts are held against each other since. Those that
-- are stored as equal are compared once more: what is not equal gives its members back at the next matching.
update match set outcome = 'pending'
where outcome = 'equal' and rule = 'reference'
  and (account_no, group_key) in (select account_no, group_key from match where line_no > 1);
