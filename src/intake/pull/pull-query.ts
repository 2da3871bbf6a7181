/**
 * A query of the company's, which yields the columns of the file layout and `changed_at`: when the row was last written.
 * It is put into another one, which asks for what is new in the order of its changes, or for what was booked on some
 * days. What is put in beside it are times of ours alone.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WrongInput, messageOf } from '../../core/errors.ts';
import { addDays, addMs } from '../../core/time.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import { LEDGER_LAYOUT } from '../read-ledger.ts';
import { ORDERS_LAYOUT } from '../read-orders.ts';
import type { TableLayout } from '../table-layout.ts';
import type { BooksDatabase } from './books-reading.ts';

export const CHANGED_AT = 'changed_at';

export type PullKind = 'ledger' | 'orders';

/**
 * What a query is asked for: what was changed from an instant on (null: all) with what was booked from a day on, whenever
 * it was changed, or what is of these days.
 */
export type Asked =
  { changedFrom: Instant | null; bookedFrom: Day | undefined } | { fromDay: Day; toDay: Day };

export interface PullQuery {
  /** The name of its file, for people. */
  file: string;
  text: string;
}

/** What people write behind a statement: its end, and what they say of it. */
const ENDING = /;(?:\s|--[^\n]*(?:\n|$))*$/;

/** @throws WrongInput where there is none to be read */
export function readQuery(file: string): PullQuery {
  const name = path.basename(file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongInput(`cannot read ${name}: ${messageOf(error)}`, [], {}, { cause: error });
  }
  const query = text
    .replace(/^\uFEFF/, '')
    .replace(ENDING, '')
    .trim();
  if (query === '') throw new WrongInput(`${name} is empty`);
  return { file: name, text: query };
}

/** Whose mark it is: of this query, put to this database. */
export function queryDigest(place: string, { text }: PullQuery): string {
  return createHash('sha256').update(`${place}\n${text}`).digest('hex');
}

export const BOOKED = { ledger: 'booked_at', orders: 'submitted_at' } as const;
const IN_ORDER = { ledger: `${CHANGED_AT}, entry_id`, orders: CHANGED_AT } as const;

export function pullLayout(kind: PullKind): TableLayout {
  const layout = kind === 'ledger' ? LEDGER_LAYOUT : ORDERS_LAYOUT;
  return { ...layout, columns: [...layout.columns, { name: CHANGED_AT, form: 'time', required: true }] };
}

/** For its columns alone. */
export function bareQuery({ text }: PullQuery, selected = '*'): string {
  return `select ${selected} from (\n${text}\n) pulled`;
}

export function askedQuery(
  query: PullQuery,
  kind: PullKind,
  { asked, zone }: { asked: Asked; zone: Zone },
): string {
  return `${bareQuery(query)}${conditionOf(kind, asked, zone)} order by ${IN_ORDER[kind]}`;
}

/** What an id may have around it beside spaces, and is taken in without: databases of every encoding hold them. */
const BLANKS = ['\t', '\n', '\v', '\f', '\r'];

/** As an id is compared: a blank around it that not every database holds is a sign of it. */
export function comparedId(value: string): string {
  return value.replaceAll(/^[ \t-\r]+|[ \t-\r]+$/g, '');
}

/** Of ids that are asked for and are yielded for more than one row, so many; as they are taken in, without blanks around them. */
export function repeatedQuery(
  query: PullQuery,
  { asked, zone, exact, limit }: { asked: Asked; zone: Zone; exact: BooksDatabase['exact']; limit: number },
): string {
  const id = `trim(${BLANKS.reduce((text, blank) => `replace(${text}, '${blank}', ' ')`, exact('entry_id'))})`;
  const condition = conditionOf('ledger', asked, zone);
  const news = `select ${id} from (\n${query.text}\n) news${condition}`;
  const isAsked = condition === '' ? '' : ` and ${id} in (${news})`;
  return `${bareQuery(query, id)} where entry_id is not null${isAsked} group by ${id} having count(*) > 1 order by 1 limit ${limit}`;
}

/** A row that does not say when it was changed is read, and refused: one that nobody ever sees would be worse. */
function conditionOf(kind: PullKind, asked: Asked, zone: Zone): string {
  if ('fromDay' in asked) {
    const column = BOOKED[kind];
    return ` where ${column} >= '${asked.fromDay} 00:00:00' and ${column} < '${addDays(asked.toDay, 1)} 00:00:00'`;
  }
  if (asked.changedFrom === null) return '';
  // A second earlier, for what the text of a time leaves out.
  const from = zone.localText(addMs(asked.changedFrom, -1_000));
  const booked =
    asked.bookedFrom === undefined ? '' : ` or ${BOOKED[kind]} >= '${asked.bookedFrom} 00:00:00'`;
  return ` where (${CHANGED_AT} >= '${from}' or ${CHANGED_AT} is null${booked})`;
}
