/** What all traces on a terminal share: blocks of named lines and tables, amounts in yuan, times in the service's zone. */
import { explainWordsOf } from '../../reports/words/explain-words.ts';
import type { ExplainWords, MovementWord } from '../../reports/words/explain-words.ts';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import type { Words } from '../../reports/words/words.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { TextTable, tableText } from '../cli/table-text.ts';
import type { TableOptions } from '../cli/table-text.ts';
import type { AnswerShown } from './answer-place.ts';
import type { WorkbookPlace } from './run-places.ts';

export interface Screen {
  zone: Zone;
  words: Words;
  say: ExplainWords;
}

export function screenOf({ zone, locale }: { zone: Zone; locale: 'zh-CN' | 'en' }): Screen {
  return { zone, words: wordsOf(locale), say: explainWordsOf(locale) };
}

export function money(fen: Fen | null): string {
  return fen === null ? '?' : yuanForPeople(fen);
}

export function time({ zone }: Screen, at: Instant | null): string {
  return at === null ? '' : zone.localText(at);
}

/** Named lines below a title; a line without a value is left out. */
export function block(title: string, lines: readonly (readonly [string, string])[]): string {
  const table = new TextTable(['', '']);
  const shown = lines.filter(([, value]) => value !== '').map(([name, value]) => ['', name, value]);
  table.fit(shown.map(([, name = '', value = '']) => [name, value]));
  const rows = shown.flatMap(([, name = '', value = '']) => table.lines([name, value]));
  return [title, ...rows.map((row) => `  ${row}`)].join('\n');
}

/** A table below a title, or that there is nothing. */
export function listed(
  screen: Screen,
  title: string,
  table: { titles: readonly string[]; rows: readonly (readonly string[])[]; options?: TableOptions },
): string {
  if (table.rows.length === 0) return `${title}: ${screen.say.none}`;
  const text = tableText(table.titles, table.rows, table.options);
  return [title, ...text.split('\n').map((line) => `  ${line}`)].join('\n');
}

/** `query/deposit, request R1, 2026-03-02 02:00:01, at /list/0 · signature verified` */
export function answerLines(screen: Screen, answer: AnswerShown): [string, string][] {
  const { say } = screen;
  const { sha256, endpoint, reqId, requestedAt, signed, place, prunedAt } = answer;
  if (sha256 === '') return [];
  if (endpoint === null || reqId === null) {
    const why = prunedAt === null ? say.answerGone : say.answerPruned(screen.zone.dayOf(prunedAt));
    return [[say.answer, `${why} · ${say.digest} ${sha256}`]];
  }
  const where = place === null ? say.notFoundInAnswer : place === '' ? say.whole : place;
  const read = say.answerIs({ endpoint, reqId, at: time(screen, requestedAt), place: where });
  return [
    [say.answer, `${read} · ${signed === true ? say.signed : say.unsigned}`],
    [say.digest, sha256],
  ];
}

/** `reports/…/reconciliation-2026-03-02.xlsx 余额滚动!E12` */
export function placeText({ say }: Screen, place: WorkbookPlace | null): string {
  if (place === null) return say.noWorkbook;
  const { file, sheet, cell, row } = place;
  return cell === null ? `${file} ${sheet}, ${say.rowOf(row)}` : `${file} ${sheet}!${cell}`;
}

export function movementKind({ say }: Screen, kind: string): string {
  const isWord = (name: string): name is MovementWord => Object.hasOwn(say.movementKinds, name);
  if (isWord(kind)) return say.movementKinds[kind];
  const of = kind.replace(/_fee$/, '');
  const named = of === 'transfer' || of === 'refund' ? `${of}_out` : of;
  return isWord(named) ? say.feeOf(say.movementKinds[named]) : kind;
}

/** A fee is a movement of its own, named by what it belongs to. */
export function kindOfMovement({ kind, family }: { kind: string; family: string }): string {
  return kind === 'fee' ? `${family}_fee` : kind;
}
