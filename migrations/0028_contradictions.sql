-- What contradicts itself stays told for as long as it does, however old the record is: these few are to be found without
-- a look at all the others, and a planner can only know that they are few by a column. ORDER: credited amount = amount −
-- fee; ACCOUNT: credited amount = amount; under a word that nobody knows either will do. What is not stated contradicts
-- nothing (DIV-27, P10). Adding the column writes each table anew, once.
alter table deposit add column contradicts_itself boolean not null generated always as (coalesce(
  (fee_type = 'ACCOUNT' and real_fen <> amount_fen)
  or (fee_type = 'ORDER' and real_fen <> amount_fen - coalesce(fee_fen, amount_fen - real_fen))
  or (fee_type not in ('ORDER', 'ACCOUNT') and real_fen <> amount_fen and real_fen <> amount_fen - coalesce(fee_fen, 0)),
  false)) stored;
create index deposit_contradiction on deposit (account_no) where contradicts_itself;
alter table transfer_order add column contradicts_itself boolean not null generated always as (coalesce(
  (fee_type = 'ACCOUNT' and real_fen <> amount_fen)
  or (fee_type = 'ORDER' and real_fen <> amount_fen - coalesce(fee_fen, amount_fen - real_fen))
  or (fee_type not in ('ORDER', 'ACCOUNT') and real_fen <> amount_fen and real_fen <> amount_fen - coalesce(fee_fen, 0)),
  false)) stored;
create index transfer_order_contradiction on transfer_order (account_no) where contradicts_itself;
alter table withdrawal add column contradicts_itself boolean not null generated always as (coalesce(
  (fee_type = 'ACCOUNT' and real_fen <> amount_fen)
  or (fee_type = 'ORDER' and real_fen <> amount_fen - coalesce(fee_fen, amount_fen - real_fen))
  or (fee_type not in ('ORDER', 'ACCOUNT') and real_fen <> amount_fen and real_fen <> amount_fen - coalesce(fee_fen, 0)),
  false)) stored;
create index withdrawal_contradiction on withdrawal (account_no) where contradicts_itself;

-- A change is told by the first proof that knows of it, of whatever day: since which write number its sentence stands.
alter table order_fault add column noted_no bigint not null default 0;
