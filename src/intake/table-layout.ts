/** What a table must look like, and how its header row is held against that. */
import { WrongInput } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';

/**
 * How the cells of a column are meant, which decides what a spreadsheet's numbers and dates become:
 * `number` is a number of ours or of the platform (an identifier), `text` is free text.
 */
export type CellForm = 'number' | 'text' | 'fen' | 'yuan' | 'time';

export interface TableColumn {
  name: string;
  form: CellForm;
  required?: true;
}

export interface TableLayout {
  /** What the table is, for people: `ledger`. */
  noun: string;
  columns: readonly TableColumn[];
  /** Amounts: one of the two columns, or at most one of them. */
  amount: { names: readonly [string, string]; required: boolean };
}

/** The column of each cell of a row, in the order of the file; undefined where the header cell is empty. */
export type Header = readonly (TableColumn | undefined)[];

/** A name is shown only so far; a file without line ends must not become one endless message. */
const SHOWN_MAX = 40;
const SHOWN_NAMES_MAX = 20;

/**
 * Finds the columns of a header row; letter case and blanks around a name do not matter.
 * @throws WrongInput naming everything that is wrong with the header at once
 */
export function readHeader(cells: readonly string[], layout: TableLayout, file: string): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const header = names.map((name) => layout.columns.find((column) => column.name === name));
  const known = layout.columns.map((column) => column.name);
  if (header.every((column) => column === undefined)) {
    throw new WrongInput(
      `${file} is not a table of ${layout.noun}: its first row holds none of the columns ${known.join(', ')}`,
    );
  }
  const faults = [
    ...unknownColumns(names, known),
    ...repeatedColumns(names),
    ...absentColumns(names, layout),
  ];
  if (faults.length > 0)
    throw new WrongInput(`wrong columns in ${file}:`, [...faults, ...otherTable(names, layout)]);
  return header;
}

/** A column that tables of one kind alone have; by the noun of its layout. */
const TOLD_BY: readonly { noun: string; column: string; command: string }[] = [
  { noun: 'ledger entries', column: 'entry_id', command: 'recon ledger import' },
  { noun: 'orders', column: 'payer_account_no', command: 'recon orders import' },
  { noun: 'accounts', column: 'ele_acct_no', command: 'recon accounts import' },
];

function otherTable(names: readonly string[], layout: TableLayout): string[] {
  const told = TOLD_BY.filter(({ column }) => names.includes(column));
  return told.length !== 1 || told[0]?.noun === layout.noun
    ? []
    : told.map(({ noun, command }) => `it looks like a table of ${noun}, which ${command} takes`);
}

function unknownColumns(names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter((name) => name !== '' && !known.includes(name));
  const faults = unknown.slice(0, SHOWN_NAMES_MAX).map((name) => {
    const meant = nearest(name, known);
    return `unknown column "${shownName(name)}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
  });
  if (unknown.length > SHOWN_NAMES_MAX)
    faults.push(`and ${unknown.length - SHOWN_NAMES_MAX} unknown columns more`);
  return faults;
}

function shownName(name: string): string {
  const short = name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name;
  return short.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '?');
}

function repeatedColumns(names: readonly string[]): string[] {
  const repeated = names.filter((name, at) => name !== '' && names.indexOf(name) < at);
  return [...new Set(repeated)]
    .slice(0, SHOWN_NAMES_MAX)
    .map((name) => `column "${shownName(name)}" is there twice`);
}

function absentColumns(names: readonly string[], layout: TableLayout): string[] {
  const absent = layout.columns
    .filter((column) => column.required && !names.includes(column.name))
    .map((column) => `column "${column.name}" is missing`);
  const [fen, yuan] = layout.amount.names;
  const amounts = layout.amount.names.filter((name) => names.includes(name)).length;
  if (amounts === 2) absent.push(`give either "${fen}" or "${yuan}", not both`);
  if (amounts === 0 && layout.amount.required) absent.push(`column "${fen}" or "${yuan}" is missing`);
  return absent;
}
