/** What a database writes of a value, as a file would write it. */
import { addMs } from '../../core/time.ts';
import type { Zone } from '../../core/time.ts';
import { twoDecimals } from '../spreadsheet-cell.ts';
import type { CellForm } from '../table-layout.ts';

/** A time with a fraction or an offset, as `timestamptz`, `timestamp` and `datetime(6)` are written. */
const TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:([+-]\d{2})(?::?(\d{2}))?|(Z))?$/;
const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

export function queriedCell(value: string | null, form: CellForm, zone: Zone): string {
  const text = (value ?? '').trim();
  if (form === 'time') return timeText(text, zone);
  return form === 'fen' || form === 'yuan' ? amountText(text, form) : text;
}

/** To the ms; what comes after it is cut, so that a time never becomes a later one. */
function timeText(text: string, zone: Zone): string {
  const parts = TIME.exec(text);
  if (parts === null) return text;
  const [, day = '', time = '', fraction = '', hours, minutes = '00', z] = parts;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  if (hours !== undefined) return `${day}T${time}.${ms}${hours}:${minutes}`;
  if (z !== undefined) return `${day}T${time}.${ms}Z`;
  const local = zone.parseLocal(`${day} ${time}`);
  return ms === '000' || local === undefined ? `${day} ${time}` : addMs(local, Number(ms));
}

/** A column with more places shows zeros that say nothing; other digits are left to be refused. */
function amountText(text: string, form: 'fen' | 'yuan'): string {
  const parts = DECIMAL.exec(text);
  if (parts === null) return text;
  const [, whole = '', places = ''] = parts;
  const kept = places.replace(/0+$/, '');
  const short = kept === '' ? whole : `${whole}.${kept}`;
  return form === 'yuan' ? twoDecimals(short) : short;
}
