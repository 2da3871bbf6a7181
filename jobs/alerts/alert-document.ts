/** An alert as receivers get it (schemas/1/alert.json): one cause, what it means in a line, and what to do about it. */
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import type { ReportLocale } from '../../src/core/config/config.ts';
import type { Verdict } from '../../src/store/schema/schema.ts';

export const ALERT_KINDS = [
  'verdict',
  'run_failed',
  'late',
  'missed',
  'inbox',
  'pull',
  'settlement',
  'approval',
  'test',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface AlertDocument {
  schema: 1;
  /** The same for the same cause: whoever gets it twice has got it once. */
  id: string;
  kind: AlertKind;
  /** `info`: nothing is to be done; `critical`: there is no conclusion. */
  severity: 'info' | 'warning' | 'critical';
  /** The night it is about; null where it is about none. */
  day: Day | null;
  runId: string | null;
  verdict: Verdict | null;
  /** `company.name` of the profile. */
  company: string;
  locale: ReportLocale;
  /** What a person reads who reads one line. */
  title: string;
  /** What it consists of, and what to do. */
  lines: string[];
  /** How many, and their sum whichever way they go; of a night its breaks. */
  count: number | null;
  sumFen: Fen | null;
  workbook: AlertWorkbook | null;
  raisedAt: Instant;
}

export interface AlertWorkbook {
  /** Below `RECON_HOME`. */
  path: string;
  bytes: bigint;
  /** Where it is seen from elsewhere (ALERT_FILES_URL); else null. */
  url: string | null;
}

/** A message has a beginning that is read and an end that is not. */
const LINES_MAX = 20;

/** What messengers show. */
export function alertText({ title, lines, company, workbook }: AlertDocument, more: string): string {
  const shown = lines.slice(0, LINES_MAX);
  return [
    title,
    ...(company === '' ? [] : [company]),
    ...shown,
    ...(lines.length > shown.length ? [more] : []),
    ...(workbook === null ? [] : [workbook.url ?? workbook.path]),
  ].join('\n');
}
