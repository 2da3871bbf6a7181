/** Wrong invocations, each with every fault that must be named, in the words it is named in. */

export interface WrongCase {
  name: string;
  args: readonly string[];
  /** Over the good settings; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** `{folder}` stands for the folder of the test's files; at an end, … for words that are not ours. */
  faults: readonly string[];
}

const HELP = '(--help shows what there is)';
const CLOCK = ['--clock', '2026-03-02T02:00:00+08:00'];

const CALLS: readonly WrongCase[] = [
  { name: 'no command', args: [], faults: [`a command is missing ${HELP}`] },
  {
    name: 'a mistyped command',
    args: ['nigtly'],
    faults: [`unknown command 'nigtly' (Did you mean nightly?) ${HELP}`],
  },
  { name: 'a group without its command', args: ['accounts'], faults: [`a command is missing ${HELP}`] },
  {
    name: 'a group with a mistyped command',
    args: ['breaks', 'lst'],
    faults: [`unknown command 'lst' (Did you mean list?) ${HELP}`],
  },
  {
    name: 'an argument that is missing',
    args: ['breaks', 'show'],
    faults: [`missing required argument 'id' ${HELP}`],
  },
  {
    name: 'an argument too many',
    args: ['nightly', '2026-03-01'],
    faults: [`too many arguments for 'nightly'. Expected 0 arguments but got 1: 2026-03-01. ${HELP}`],
  },
  {
    name: 'a mistyped option',
    args: ['nightly', '--dya', '2026-03-01'],
    faults: [`unknown option '--dya' (Did you mean --day?) ${HELP}`],
  },
  {
    name: 'an option without its value',
    args: ['nightly', '--day'],
    faults: [`option '--day <day>' argument missing ${HELP}`],
  },
  {
    name: 'a level that does not exist',
    args: ['nightly', '--log-level', 'loud'],
    faults: [
      `option '--log-level <level>' argument 'loud' is invalid. Allowed choices are debug, info, warn, error. ${HELP}`,
    ],
  },
  {
    name: 'a port that is too high',
    args: ['sandbox', '--port', '70000'],
    faults: [
      `option '--port <number>' argument '70000' is invalid. A port is a whole number from 0 to 65535. ${HELP}`,
    ],
  },
  {
    name: 'a port in hexadecimal',
    args: ['sandbox', '--port', '0x50'],
    faults: [
      `option '--port <number>' argument '0x50' is invalid. A port is a whole number from 0 to 65535. ${HELP}`,
    ],
  },
  {
    name: 'a demo where no folder can be made',
    args: ['demo', '--keep', '/dev/null/demo'],
    faults: ['cannot make /dev/null/demo: …'],
  },
  {
    name: 'a scenario that does not exist',
    args: ['sandbox', '--port', '0', '--scenario', 'dem'],
    faults: ['--scenario "dem" is none of demo, empty, volume (did you mean demo?)'],
  },
];

const day = (text: string, fault: string): WrongCase => ({
  name: `I1: the day ${text}`,
  args: ['nightly', '--day', text, ...CLOCK],
  faults: [fault],
});
const noDay = (text: string): WrongCase =>
  day(text, `--day ${JSON.stringify(text)} is not a day; write yyyy-MM-dd, such as 2026-03-01`);

const ARGUMENTS: readonly WrongCase[] = [
  noDay('2024-02-30'),
  noDay('2026/03/01'),
  noDay('２０２６-03-01'),
  noDay('1899-12-31'),
  noDay(''),
  day('1999-12-31', '--day 1999-12-31 is before 2000-01-01'),
  day('2026-03-02', '--day 2026-03-02 is not over yet (today is 2026-03-02); the latest day is 2026-03-01'),
  {
    name: 'I1: a range without its days',
    args: ['backfill'],
    faults: ['--from is missing; write --from 2026-03-01', '--to is missing; write --to 2026-03-01'],
  },
  {
    name: 'I1: a range of two wrong days',
    args: ['backfill', '--from', '2024-02-30', '--to', '2026-13-01'],
    faults: [
      '--from "2024-02-30" is not a day; write yyyy-MM-dd, such as 2026-03-01',
      '--to "2026-13-01" is not a day; write yyyy-MM-dd, such as 2026-03-01',
    ],
  },
  {
    name: 'I1: a range that ends before it begins',
    args: ['backfill', '--from', '2026-02-01', '--to', '2026-01-31', ...CLOCK],
    faults: ['--to 2026-01-31 is before --from 2026-02-01'],
  },
  {
    name: 'I1: a range of decades',
    args: ['backfill', '--from', '2001-01-01', '--to', '2026-01-31', ...CLOCK],
    faults: ['--from 2001-01-01 to --to 2026-01-31 is more than ten years'],
  },
  {
    name: 'a clock that is no instant',
    args: ['nightly', '--clock', 'yesterday'],
    faults: [
      '--clock "yesterday" is not an instant; write 2026-03-02, "2026-03-02 02:00:00" or 2026-03-02T02:00:00+08:00',
    ],
  },
  {
    name: 'a report of no run',
    args: ['report'],
    faults: ['name the run by one of --run ID and --day yyyy-MM-dd, or a month by --month yyyy-MM'],
  },
  {
    name: 'a report named twice',
    args: ['report', '--run', 'x', '--day', '2026-03-01'],
    faults: ['name the run by one of --run ID and --day yyyy-MM-dd'],
  },
  {
    name: 'a report of a day and a month',
    args: ['report', '--day', '2026-03-01', '--month', '2026-03'],
    faults: ['--month goes without --run and --day: it is made of the nights of the month'],
  },
  {
    name: 'a report of no month',
    args: ['report', '--month', 'march'],
    faults: ['--month "march" is not a month; write yyyy-MM, such as 2026-03'],
  },
  {
    name: 'a report of no day',
    args: ['report', '--day', 'monday'],
    faults: ['--day "monday" is not a day; write yyyy-MM-dd, such as 2026-03-01'],
  },
  {
    name: 'a class that does not exist',
    args: ['breaks', 'list', '--class', 'amout'],
    faults: [
      '--class "amout" is no class (did you mean amount?): platform_only, ledger_only, amount, fee, state, duplicate, account, ambiguous, fee_invariant, batch_children, frozen, unexplained, opening, record_changed, record_vanished, state_regression, bad_record, period_changed, empty_suspect, settle_failed, unknown_state, voucher_missing, in_flight, pending, late, unknown_not_found',
    ],
  },
];

const OBJECT = 'the data is no JSON object, such as \'{"accountNo":"100001"}\'';
const SUPPORT: readonly WrongCase[] = [
  {
    name: 'a mistyped endpoint',
    args: ['call', 'acct/queryinf'],
    faults: ['"acct/queryinf" is no endpoint (did you mean acct/queryInfo?)'],
  },
  {
    name: 'a query with two faults, for a platform that is not asked then (ENV-27, DEP-05)',
    args: ['call', 'query/deposit', '{"startDate":"2026-03-01","endDate":"2026-02-01","pageSize":101}'],
    faults: [
      'payeeAcctNo is missing (DEP-04)',
      'pageSize must be from 1 to 100, not 101 (DEP-05, LIM-11)',
      'endDate 2026-02-01 is before startDate 2026-03-01 (DEP-02)',
    ],
  },
  { name: 'data that is a list', args: ['call', 'acct/queryInfo', '[1]'], faults: [OBJECT] },
  {
    name: 'data that is no JSON, for an endpoint that is none',
    args: ['call', 'acct/queryInfos', '{accountNo}'],
    faults: ['"acct/queryInfos" is no endpoint (did you mean acct/queryInfo?)', OBJECT],
  },
  {
    name: 'a settlement by hand to another card, of two orders at once',
    args: ['call', 'order/settle', '{"orderNo":"1","outOrderNo":"T1","recvAcctNo":"6222"}', '--yes'],
    faults: [
      'recvAcctNo: another card is never chosen (settle.allowRecvAcct)',
      'exactly one of outOrderNo and orderNo says which transfer order it is',
    ],
  },
  {
    name: 'a settlement by hand, unconfirmed',
    args: ['call', 'order/settle', '{"outOrderNo":"T1"}'],
    faults: [
      'order/settle changes something on the platform: it would send {"outOrderNo":"T1"}; add --yes to really do it',
    ],
  },
  {
    name: 'the approval of a call that is no settlement, by no digest',
    args: ['call', 'acct/queryInfo', '{"accountNo":"1"}', '--approve', 'yes'],
    faults: [
      '--approve takes the digest of a plan, as recon settle --dry-run shows it: "yes"',
      '--approve goes with order/settle only',
    ],
  },
  {
    name: 'the approval of no plan, in a rehearsal',
    args: ['settle', '--dry-run', '--approve', 'yes'],
    faults: [
      '--approve takes the digest of a plan, as recon settle --dry-run shows it: "yes"',
      '--approve carries a plan out, --dry-run does not: give one of them',
    ],
  },
  {
    name: 'a call that changes something, unconfirmed; what it would send is masked',
    args: [
      'call',
      'account/withdraw',
      '{"outOrderNo":"W1","acctNo":"1","amount":100,"recvAcctNo":"6222021234567890123"}',
    ],
    faults: [
      'account/withdraw changes something on the platform: it would send {"outOrderNo":"W1","acctNo":"1","amount":100,"recvAcctNo":"****0123"}; add --yes to really do it',
    ],
  },
];

export const WRONG_CALLS: readonly WrongCase[] = [...CALLS, ...ARGUMENTS, ...SUPPORT];
