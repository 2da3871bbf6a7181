/** What alerts say, as a type: a language that lacks a sentence does not compile. */
import type { Terms } from '../../../reports/words/terms.ts';

export interface Sum {
  count: number;
  /** For people, without a unit. */
  yuan: string;
}

export interface AlertWords {
  terms: Pick<Terms, 'classes' | 'reasons' | 'verdicts'>;
  more: string;
  titles: {
    breaks: (day: string, of: Sum) => string;
    attention: (day: string, count: number) => string;
    incomplete: (day: string, accounts: number) => string;
    noLedger: (day: string, ledgers: string) => string;
    unverified: (day: string, accounts: number) => string;
    green: (day: string, accounts: number) => string;
    failed: (day: string) => string;
    failedAfter: (day: string) => string;
    late: (of: { day: string; by: string }) => string;
    missed: (of: { from: string; through: string; days: number }) => string;
    inbox: (files: number) => string;
    pull: (day: string) => string;
    settlement: (day: string, of: Sum) => string;
    writeOffs: (of: Sum) => string;
    plan: (of: { orders: number }) => string;
    awaiting: (of: Sum) => string;
    test: (channel: string) => string;
  };
  lines: {
    /** `金额不符 1 笔，100.00 元` */
    found: (name: string, of: Sum) => string;
    timing: (of: Sum) => string;
    attention: (name: string, count: number) => string;
    accounts: (of: { verdict: string; count: number; why: string }) => string;
    breaksBeside: (of: Sum) => string;
    ledger: (of: { source: string; completeTo: string }) => string;
    cause: (text: string) => string;
    file: (of: { file: string; outcome: string }) => string;
    outcomes: Record<'failed' | 'misplaced', string>;
    doBreaks: string;
    doAgain: (day: string) => string;
    doLedger: (day: string) => string;
    doBackfill: (of: { from: string; through: string }) => string;
    doInbox: string;
    doPull: (day: string) => string;
    doSettle: string;
    doApproveWriteOffs: string;
    doLook: string;
    test: string;
  };
}
