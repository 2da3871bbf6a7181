/** A database that is open. */
import type { Db } from '../schema/schema.ts';

export interface OpenDatabase {
  db: Db;
  kind: 'postgres' | 'embedded';
  /** For people: no password. */
  place: string;
  close(): Promise<void>;
}
