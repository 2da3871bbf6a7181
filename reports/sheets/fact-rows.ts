/** The facts a run recorded about itself, whatever they are, as label and value. */
import { maskPersonal } from '../../src/core/mask.ts';
import { isJsonObject, jsonText } from '../../src/core/json.ts';
import { numberCell, overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';

/** Every leaf is a row; a known path has a name, an unknown one is shown by its path. */
export function factRows(facts: unknown, names: Readonly<Record<string, string>>): Row[] {
  return leavesOf(facts, '').map(({ path, value }) => {
    const name = Object.hasOwn(names, path) ? (names[path] ?? path) : path;
    return [textCell(name, 'label'), valueCell(path, value)];
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
/** Lists whose members have a place of their own elsewhere: how many there are is enough. */
const COUNTED: ReadonlySet<string> = new Set(['vouchers.bundles']);

function valueCell(path: string, value: unknown): Cell {
  if (typeof value === 'number' && path.endsWith('Ms')) return numberCell(value / MS_A_SECOND, 'seconds');
  if (typeof value === 'number') return numberCell(value);
  if (Array.isArray(value) && COUNTED.has(path)) return numberCell(value.length);
  return overflowCell(maskPersonal(typeof value === 'string' ? value : jsonText(value)), 'text');
}
