/** On the summary: which periods were signed off when the run was proven, by whom, when, and the digest of each. */
import { numberCell, overflowCell, textCell, timeCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import type { SignOff } from '../../../src/store/periods/sign-offs.ts';
import { maskedText } from '../../words/masked-text.ts';
import type { Report } from '../../read/report.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';

/** Lines of restated periods: who has so many looks at `recon verify`. */
const RESTATED_MAX = 10;

/** Nothing where nobody signs: who does not use it need not read of it. */
export function signedSections(report: Report): Section[] {
  const { words, signed, head } = report;
  const w = words.signOff;
  const { preparedBy, reviewedBy } = words.summary;
  const shown = [...signed.own, ...(signed.before === undefined ? [] : [signed.before])];
  if (shown.length === 0) return [];
  const others = signed.own.filter(({ details }) => !details.runs.includes(head.runId));
  const notes = [
    ...others.map(({ period: { name: period }, details }) => {
      const run = details.runs.find((signedRun) => isVersionOf(head.runId, signedRun));
      return run === undefined ? w.notSigned(period) : w.otherVersion({ period, run });
    }),
    ...signed.restated.slice(0, RESTATED_MAX).map((restated) => w.restated(restated)),
  ];
  return [
    {
      tall: shown.map((_signOff, at) => at + 3),
      rows: [
        titleRow(w.title),
        headerRow([w.period, preparedBy, reviewedBy, w.signedAt, w.open, w.run, w.reason, '', w.digest], [4]),
        ...shown.map((signOff) => signedRow(report, signOff)),
        ...notes.map((note): Row => [overflowCell(note, 'tone-bad')]),
      ],
    },
  ];
}

/** `nightly-2026-03-01-v2` and `nightly-2026-03-01-v1` are two versions of one night. */
function isVersionOf(runId: string, other: string): boolean {
  const withoutVersion = (id: string): string => id.replace(/-v\d+$/, '');
  return withoutVersion(runId) === withoutVersion(other);
}

function signedRow(report: Report, { period, by, at, details }: SignOff): Row {
  return [
    textCell(period.name),
    textCell(maskedText(report, details.preparedBy)),
    textCell(maskedText(report, by)),
    timeCell(at, report.zone),
    numberCell(details.open),
    textCell(details.runs.at(-1) ?? ''),
    overflowCell(maskedText(report, details.reason), 'text'),
    undefined,
    textCell(details.digest, 'textWrap'),
  ];
}
