/** What alerts say in English. */
import { termsEn } from '../../../reports/words/terms-en.ts';
import type { AlertWords } from './alert-words.ts';
import { counted } from '../../../src/core/text.ts';

export const alertWordsEn: AlertWords = {
  terms: termsEn,
  more: '… the rest is in the report',
  titles: {
    breaks: (day, { count, yuan }) =>
      `${day} reconciliation: ${counted(count, 'break')}, ${yuan} yuan in all`,
    attention: (day, count) => `${day} reconciliation: reconciled, ${counted(count, 'item')} for attention`,
    incomplete: (day, accounts) =>
      `${day} reconciliation: incomplete data, no conclusion on ${counted(accounts, 'account')}`,
    noLedger: (day, ledgers) =>
      `${day} reconciliation: the ledger of the day has not come, no conclusion${ledgers === '' ? '' : ` (${ledgers})`}`,
    unverified: (day, accounts) =>
      `${day} reconciliation: ${counted(accounts, 'account')} not verifiable, not to count as reconciled`,
    green: (day, accounts) => `${day} reconciliation: reconciled, ${counted(accounts, 'account')}`,
    failed: (day) => `${day} reconciliation: the run failed, there is no conclusion yet`,
    failedAfter: (day) => `${day} reconciliation: concluded, but a step after that failed`,
    late: ({ day, by }) => `${day} reconciliation: no conclusion by ${by}`,
    missed: ({ from, through, days }) =>
      `${from} to ${through} reconciliation: ${counted(days, 'day')} missed, to be run by hand`,
    inbox: (files) => `Inbox: ${counted(files, 'file')} not taken in`,
    pull: (day) => `${day} reconciliation: the books of the company's database were not taken in`,
    settlement: (day, { count, yuan }) => `${day} settlement retries: ${count} failed, ${yuan} yuan in all`,
    writeOffs: ({ count, yuan }) => `To approve: ${counted(count, 'write-off')}, ${yuan} yuan in all`,
    plan: ({ orders }) =>
      `To approve: ${counted(orders, 'settlement retry', 'settlement retries')}, held until then`,
    awaiting: ({ count, yuan }) =>
      `A person has to decide: ${counted(count, 'settlement')}, ${yuan} yuan in all, paid or not is unknown`,
    test: (channel) => `Test message (${channel}): it has arrived, so the channel works`,
  },
  lines: {
    found: (name, { count, yuan }) => `${name}: ${count}, ${yuan} yuan`,
    timing: ({ count, yuan }) => `Timing items: ${count}, ${yuan} yuan, expected to clear by themselves`,
    attention: (name, count) => `For attention: ${name} ${count}`,
    accounts: ({ verdict, count, why }) =>
      `${verdict}: ${counted(count, 'account')}${why === '' ? '' : `, ${why}`}`,
    breaksBeside: ({ count, yuan }) => `${counted(count, 'break')} found so far, ${yuan} yuan in all`,
    ledger: ({ source, completeTo }) => `${source} only to ${completeTo}`,
    cause: (text) => `Cause: ${text}`,
    file: ({ file, outcome }) => `${outcome}: ${file}`,
    outcomes: { failed: 'faults, not taken in', misplaced: 'in the wrong place' },
    doBreaks: 'To do: fill in sheet Breaks of the report, or recon breaks list',
    doAgain: (day) => `To do: mend the cause, then recon nightly --day ${day}`,
    doLedger: (day) => `To do: deliver the ledger, then recon nightly --day ${day}`,
    doBackfill: ({ from, through }) => `To do: recon backfill --from ${from} --to ${through}`,
    doInbox: 'To do: the faults stand in .faults.txt under failed; mend and deliver again',
    doPull: (day) =>
      `To do: mend the cause (recon ledger pull --dry-run shows it all), then recon nightly --day ${day}`,
    doSettle: 'To do: recon settle --dry-run, and approve as it says',
    doApproveWriteOffs: 'To do: recon breaks list --proposed, then recon breaks approve',
    doLook: 'To do: recon doctor; look at the log',
    test: 'Sent by recon alerts test; nothing is to be done',
  },
};
