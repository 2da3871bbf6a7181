/** On the summary: the extraction proof, the files read, and how many assumptions are in force. */
import { numberCell, overflowCell, textCell, timeCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import { depositCount } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';

export function evidenceSections(report: Report): Record<'extraction' | 'files' | 'assumptions', Section> {
  return {
    extraction: extractionSection(report),
    files: filesSection(report),
    assumptions: assumptionsSection(report),
  };
}

function extractionSection(report: Report): Section {
  const { extraction: e, words } = report;
  const w = words.summary;
  const figures: [string, number][] = [
    [w.windows, e.windows],
    [w.windowsVerified, e.verified],
    [w.pages, e.pages],
    [words.runLog.rereads, e.rereads],
    [w.records, depositCount(report)],
    [w.overlapsResolved, e.leftOut],
    [w.gaps, e.gapDays],
    [w.overlaps, e.overlapDays],
  ];
  const names: [string, string][] = [
    ['recon_windows', w.windows],
    ['recon_windows_verified', w.windowsVerified],
    ['recon_gaps', w.gaps],
    ['recon_overlaps', w.overlaps],
  ];
  return {
    names: names.map(([name, label]) => ({
      name,
      row: 2 + figures.findIndex(([figure]) => figure === label),
      column: 2,
    })),
    rows: [
      titleRow(w.extraction),
      ...figures.map(([label, figure]): Row => [textCell(label, 'label'), numberCell(figure)]),
    ],
  };
}

function filesSection(report: Report): Section {
  const { files, words, zone } = report;
  const w = words.summary;
  if (files.length === 0) return { rows: [titleRow(w.files), [overflowCell(w.noFiles, 'note')]] };
  const names = [w.fileKind, w.fileSource, w.fileRows, w.importedAt, w.fileName, '', '', '', 'SHA-256'];
  return {
    tall: files.map((_, at) => at + 3),
    rows: [
      titleRow(w.files),
      headerRow(names, [2]),
      ...files.map((file): Row => [
        textCell(words.fileKinds[file.kind]),
        textCell(file.source),
        numberCell(file.rows),
        timeCell(file.importedAt, zone),
        overflowCell(file.name, 'text'),
        undefined,
        undefined,
        undefined,
        textCell(file.sha256, 'textWrap'),
      ]),
    ],
  };
}

function assumptionsSection({ head, accounts, words }: Report): Section {
  const w = words.summary;
  const text = w.assumptionsInForce({
    values: String(head.assumptions.length),
    changed: String(head.assumptions.filter(({ changed }) => changed).length),
    accounts: String(accounts.reduce((sum, account) => sum + account.assumptions.length, 0)),
    sheet: words.sheets.runLog,
  });
  return { rows: [titleRow(w.assumptions), [overflowCell(text, 'note')]] };
}
