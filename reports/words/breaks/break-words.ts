/** What the sheet of breaks says, as a type. */
import type { WorkAction, WorkStatus } from '../../../src/store/schema/schema.ts';
import type { HappenedWords } from './happened.ts';

export interface BreakWords {
  empty: string;
  attentionTitle: string;
  attentionEmpty: string;
  platformRef: string;
  platformFen: string;
  platformState: string;
  platformAt: string;
  ledgerRef: string;
  ledgerFen: string;
  ledgerState: string;
  ledgerAt: string;
  /** Number of the group of one cause. */
  group: string;
  /** What happened, in words. */
  note: string;
  happened: HappenedWords;
  status: string;
  owner: string;
  reason: string;
  remark: string;
  action: string;
  writeOff: string;
  /** Between two sentences of one cell. */
  between: string;
  /** The hidden column that says what a row was written with. */
  checkCode: string;
  /** `approvedBy` empty: it awaits approval. */
  writeOffState: (what: { until: string; by: string; approvedBy: string }) => string;
  statuses: Readonly<Record<WorkStatus, string>>;
  /** The action that a proposed write-off stands for. */
  proposeWriteOff: string;
  /** Everything else that can be proposed, in the order of the drop-down. */
  actions: Readonly<Record<WorkAction, string>>;
  counts: string;
  gross: string;
  net: string;
  inStatement: string;
}
