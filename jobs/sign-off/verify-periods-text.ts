/** What `recon verify` prints of signed periods. */
import { yuanForPeople } from '../../src/core/fen.ts';
import { fieldName } from '../cli/field-text.ts';
import { tableText } from '../cli/table-text.ts';
import type { ChangeKind, PeriodChange, PeriodsVerified } from './verify-periods.ts';

/** Rows shown; `--json` has all. */
const SHOWN_MAX = 200;

const WHAT: Readonly<Record<ChangeKind, string>> = {
  altered: 'not as signed',
  restated: 'restated',
  books: 'books changed',
  rows: 'sign-off changed',
};

export function periodsText({ periods, changes }: PeriodsVerified): string {
  const of = new Set(changes.map(({ period }) => period));
  const counts = `signed periods: ${periods} read, ${of.size} not as signed`;
  if (changes.length === 0) return counts;
  const table = tableText(
    ['period', 'what', 'row', 'figure', 'Recorded', 'Actual', 'Difference', 'since'],
    changes.slice(0, SHOWN_MAX).map(cellsOf),
    { right: [4, 5, 6], widest: { 2: 34, 4: 32, 5: 32, 7: 48 } },
  );
  const more = changes.length - SHOWN_MAX;
  return [counts, table, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function cellsOf(change: PeriodChange): string[] {
  const { period, kind, day, key, field, recorded, actual, difference, note } = change;
  const text = (value: bigint | string | null): string => shown(value, field);
  return [
    period,
    WHAT[change.change],
    `${kind} ${key}${day === period ? '' : ` of ${day}`}`,
    field === '' ? 'the row itself' : fieldName(field),
    text(recorded),
    text(actual),
    text(difference),
    note,
  ];
}

/** Amounts are named …Fen; of a row as a whole it is its amount; counts and versions are numbers. */
function shown(value: bigint | string | null, field: string): string {
  if (value === null) return field === '' ? 'none' : '–';
  if (typeof value === 'string') return value;
  return field === '' || field.endsWith('Fen') ? yuanForPeople(value) : String(value);
}
