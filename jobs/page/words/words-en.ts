/** The page in English. */
import { settlementWordsEn } from '../../../reports/words/settlement-words.ts';
import { termsEn } from '../../../reports/words/terms-en.ts';
import type { PageWords } from './page-words.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const wordsEn: PageWords = {
  locale: 'en',
  terms: termsEn,
  outcomes: settlementWordsEn.outcomes,
  product: 'Reconciliation overview',
  otherLanguage: '中文',
  asOf: (time) => `As of ${time}`,
  zone: (name) => `time zone ${name}`,
  reload: 'Refresh',
  leave: 'Sign out',
  skip: 'Skip to content',
  days: (count) => counted(count, ['day', 'days']),
  nightOf: (day) => `Verdict for ${day}`,
  provenAt: (time) => `proven ${time}`,
  versionOf: (version) => `version ${version}`,
  noNight: 'No verdict yet',
  noNightHint:
    'Import accounts, orders and ledger, then run recon nightly or keep recon schedule running. The first verdict will stand here.',
  behind: ({ days, yesterday }) =>
    days === 1
      ? `${yesterday} has no verdict yet.`
      : `${days} days have no verdict (up to ${yesterday}): find out why.`,
  accounts: 'Accounts by verdict',
  accountCount: (count) => counted(count, ['account', 'accounts']),
  platform: 'Platform balance',
  ledger: 'Ledger balance',
  difference: 'Difference',
  unexplained: 'Unexplained',
  notKnown: 'not known',
  openBreaks: 'Open breaks',
  openAttention: 'For attention',
  openTiming: 'Timing items',
  waitingSettlements: 'Settlements in doubt',
  dueVouchers: 'Vouchers due',
  sinceMonth: (month) => `oldest of ${month}`,
  underWay: 'Reconciliation under way',
  interrupted: 'Reconciliation not finished',
  interruptedHint:
    'It was begun and no process is at it. What was read is kept; the same command goes on from there.',
  run: ({ job, days, accounts }) =>
    `${job}, ${days}, ${accounts === 0 ? 'all accounts' : counted(accounts, ['account', 'accounts'])}`,
  begunAt: (time, times) => (times > 1 ? `begun ${time}, started ${times} times` : `begun ${time}`),
  steps: {
    collected: 'Collect records',
    bracketed: 'Read balances',
    posted: 'Retry settlements, post',
    matched: 'Match',
    proven: 'Prove',
    published: 'Vouchers, report',
  },
  stepStates: { done: 'done', now: 'under way', next: 'to come' },
  windows: ({ verified, all, failed }) =>
    `${verified} of ${counted(all, ['window', 'windows'])} verified${failed > 0 ? `, ${failed} could not be read` : ''}`,
  units: ({ done, all, givenUp }) =>
    `${done} of ${counted(all, ['unit', 'units'])} done${givenUp > 0 ? `, ${givenUp} given up` : ''}`,
  calendar: 'Calendar of verdicts',
  calendarHint: 'Choose a day for its verdict and files.',
  groups: 'Account groups',
  allAccounts: 'All accounts',
  weekdays: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],
  weekdayNames: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  month: (year, month) => `${MONTHS[Number(month) - 1] ?? month} ${year}`,
  earlier: 'Earlier months',
  later: 'Later months',
  noVerdict: 'no verdict',
  chosenNone: (day) => `${day} has no verdict.`,
  close: 'Back to the latest night',
  breaksTitle: 'Open items by class and age',
  breaksHint: 'Age: from the first day it was found to the last. Amounts are sums regardless of sign.',
  breaksNone: 'Nothing is open.',
  class: 'Class',
  severities: { break: 'Breaks', attention: 'For attention', timing: 'Timing items' },
  ages: { days0: '0–1 days', days2: '2–7 days', days8: '8–30 days', days31: 'over 30 days' },
  count: 'Count',
  amountYuan: 'Amount (yuan)',
  total: 'Total',
  scrolls: (title) => `${title} (scrolls sideways)`,
  settlementsTitle: 'Settlements that await a person',
  settlementsHint:
    'Whether these retries were paid is not certain; they are not sent again. recon settle shows the evidence and what to do.',
  settlementsNone: 'No settlement is unknown or awaits a person.',
  settlementsUnderWay: ({ count, yuan }) =>
    `${counted(count, ['more is', 'more are'])} under way on the platform, ${yuan} yuan in all; nobody need do anything.`,
  outcome: 'Outcome',
  orderNo: 'Company order no.',
  payer: 'Payer account',
  payee: 'Settled account',
  sentAt: 'Sent',
  attempt: 'Attempt',
  chartsTitle: 'Over time',
  unexplainedTitle: 'Unexplained balance difference',
  unexplainedHint:
    'Each night, the sum over accounts regardless of sign. A gap: an account could not be proven that night.',
  balancesTitle: 'Balances',
  balancesHint:
    'Sum of the accounts shown. A gap: a balance is not known that night. The axis does not begin at zero.',
  chartNone: 'There is nothing to show for these days.',
  chartLeft: (nights) =>
    `${counted(nights, ['more night is', 'more nights are'])} being read: refresh to see all.`,
  chartText: ({ title, from, to, last }) => `${title}, ${from} to ${to}, latest: ${last}`,
  asTable: 'As a table',
  day: 'Day',
  vouchersTitle: 'Vouchers due',
  vouchersHint:
    'By the month in which the money moved. What the platform has not ready is asked for again every night.',
  vouchersNone: 'No voucher is due.',
  voucherMonth: 'Month',
  neverAsked: 'Not asked for yet',
  askedBefore: 'Asked for, not had',
  filesTitle: 'Downloads',
  filesOf: (day) => `Files of ${day}`,
  filesNone: 'No file has been published.',
  file: 'File',
  fileKinds: { workbook: 'Workbook', result: 'Result data', manifest: 'Manifest', other: 'File' },
  size: 'Size',
  superseded: 'superseded',
  notes:
    'Difference = platform − ledger; positive: the platform has more. Amounts in CNY yuan. This page is read-only.',
  enterTitle: 'Access token',
  enterHint: 'The administrator sets it as PAGE_TOKEN. Once entered it holds for 12 hours.',
  token: 'Token',
  enter: 'Enter',
  wrongToken: 'This is not the token.',
  tooMany: 'Too many wrong tokens: try again in a minute.',
  closed: 'This page is closed',
  closedHint:
    'Other machines can reach the address it listens on, and PAGE_TOKEN is not set. Set PAGE_TOKEN (at least 16 characters), or HEALTH_HOST to 127.0.0.1, and start again.',
  stranger: 'Not this address',
  strangerHint: 'Without PAGE_TOKEN this page is opened as localhost or 127.0.0.1 only.',
  noFile: {
    unknown: 'There is no such file.',
    gone: 'The file is not where it was written. recon report writes it again; recon verify tells what happened.',
    pruned:
      'The file is older than it is to be kept, and recon prune removed it. recon report --run writes it again.',
    changed: 'The file is not what was published, and is not handed out: run recon verify.',
  },
  unreachable: 'The database does not answer',
  unreachableHint: 'Nothing of the books is touched. Refresh in a while; if it lasts, run recon doctor.',
  busy: 'Too many are looking at once: refresh in a while.',
  back: 'Back',
};
