/** The table of docs/conformance.md: how many numbers there are of each subject, and who is asked about them. */
import { ALL_RULES } from '../conformance/all-rules.ts';
import { REQUIREMENTS } from '../conformance/requirements.ts';
import type { Rule } from '../conformance/rule.ts';
import { table } from './markdown.ts';

const SUBJECTS: Readonly<Record<string, string>> = {
  ENV: 'the envelope of requests and answers',
  SIG: 'signatures',
  OPN: 'opening an account',
  CHG: 'changing the data of a subject',
  ACC: 'account and balance',
  DIV: 'transfers',
  REF: 'refunds',
  WDR: 'withdrawals',
  DEP: 'the deposit listing',
  VCH: 'vouchers',
  STL: 'retrying a failed settlement',
  SMS: 'SMS codes',
  EVT: 'pushes',
  ERR: 'refusals',
  LIM: 'limits',
  VER: 'versions and tolerance',
  CTL: 'the sandbox’s control surface',
};

function conformanceTable(): string {
  const ids = REQUIREMENTS.map(([id]) => id);
  const count = (of: readonly string[], has: (rule: Rule) => boolean): string =>
    String(of.filter((id) => has(ALL_RULES[id] ?? {})).length);
  const row = (name: string, subject: string, of: readonly string[]): string[] => [
    name,
    subject,
    String(of.length),
    count(of, ({ client, job }) => (client ?? job) !== undefined),
    count(of, ({ sandbox, harmless }) => (sandbox ?? harmless) !== undefined),
    count(of, ({ harmless }) => harmless !== undefined),
  ];
  const prefixes = [...new Set(ids.map(prefixOf))];
  const rows = prefixes.map((prefix) => {
    const subject = SUBJECTS[prefix];
    if (subject === undefined) throw new Error(`nothing says what the numbers ${prefix} are about`);
    return row(
      prefix,
      subject,
      ids.filter((id) => prefixOf(id) === prefix),
    );
  });
  return table(
    ['numbers', 'subject', 'requirements', 'client', 'sandbox', 'platform'],
    [...rows, row('', 'all', ids)],
  );
}

function prefixOf(id: string): string {
  return id.split('-', 1)[0] ?? id;
}

export const CONFORMANCE_TABLES = { 'conformance-numbers': conformanceTable } as const;
