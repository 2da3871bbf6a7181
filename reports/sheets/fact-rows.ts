/** The facts a run recorded about itself, whatever they are, as label and value. */
import { maskPersonal } from '../../src/core/mask.ts';
import { isJsonObject, jsonText } from '../../src/core/json.ts';
import { numberCell, overflowCell, textCell, timeCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Report } from '../read/report.ts';
import type { Words } from '../words/words.ts';

/** Every leaf is a row; a known path has a name, an unknown one is shown by its path. */
export function factRows({ words, zone }: Pick<Report, 'words' | 'zone'>, facts: unknown): Row[] {
  const names = words.runLog.factNames;
  return leavesOf(facts, '').map(({ path, value }) => {
    const name = Object.hasOwn(names, path) ? (names[path] ?? path) : path;
    return [textCell(name, 'label'), valueCell({ words, zone }, { path, value })];
  });
}

interface Leaf {
  path: string;
  value: unknown;
}

function leavesOf(value: unknown, path: string): Leaf[] {
  if (!isJsonObject(value)) return path === '' ? [] : [{ path, value }];
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => leavesOf(value[key], path === '' ? key : `${path}.${key}`));
}

const MS_A_SECOND = 1_000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** Lists whose members have a place of their own elsewhere: how many there are is enough. */
const COUNTED: ReadonlySet<string> = new Set(['vouchers.bundles']);

function valueCell({ words, zone }: Pick<Report, 'words' | 'zone'>, { path, value }: Leaf): Cell {
  if (typeof value === 'number' && path.endsWith('Ms')) return numberCell(value / MS_A_SECOND, 'seconds');
  if (typeof value === 'number') return numberCell(value);
  if (Array.isArray(value) && COUNTED.has(path)) return numberCell(value.length);
  if (typeof value === 'string' && INSTANT.test(value)) return timeCell(value, zone);
  return overflowCell(maskPersonal(textOf(words, value)), 'text');
}

/** A list by its members, a restated night by its day and version, a word of the run by its name. */
function textOf(words: Words, value: unknown): string {
  if (Array.isArray(value)) return value.map((member) => textOf(words, member)).join(', ');
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no;
  if (typeof value === 'string') {
    const { factWords } = words.runLog;
    return Object.hasOwn(factWords, value) ? (factWords[value] ?? value) : value;
  }
  if (!isJsonObject(value)) return jsonText(value);
  const { day, version } = value;
  return typeof day === 'string' && typeof version === 'number'
    ? `${day} ${words.common.version(version)}`
    : Object.keys(value)
        .toSorted()
        .map((key) => `${key} ${textOf(words, value[key])}`)
        .join(' ');
}
