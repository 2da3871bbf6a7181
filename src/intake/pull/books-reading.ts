/** How a database of the company's is read, whichever it is. */
import { Stopped, WrongInput, messageOf } from '../../core/errors.ts';
import { maskPersonal } from '../../core/mask.ts';
import type { Instant } from '../../core/time.ts';

/** Values as the database writes them. */
export type QueriedRow = readonly (string | null)[];

export interface BooksDatabase {
  /** Host and name, without user and password. */
  place: string;
  /** By the clock of the database, when the state of it was fixed that is read. */
  readAt: Instant;
  /** The text of a column, in which the database tells each sign from every other. */
  exact: (column: string) => string;
  /** Names of what a query yields; reads no row. */
  columns(query: string): Promise<string[]>;
  /** In batches, from a cursor on the server: memory does not grow with the rows. */
  rows(query: string): AsyncGenerator<QueriedRow[]>;
  close(): Promise<void>;
}

/** How a driver is given the way to a database. */
export interface BooksWay {
  host: string;
  port: number | undefined;
  user: string;
  password: string;
  database: string;
  tls: false | { ca?: string; cert?: string; key?: string; rejectUnauthorized: true; servername?: string };
  place: string;
}

/** What a driver says may quote the data. @throws Stopped naming the database */
export async function reading<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreadable(place, error);
  }
}

export function unreadable(place: string, error: unknown): Error {
  if (error instanceof Stopped || error instanceof WrongInput) return error;
  const reason = maskPersonal(messageOf(error));
  return new Stopped(`cannot read the company's database ${place}: ${reason}`, {}, { cause: error });
}
