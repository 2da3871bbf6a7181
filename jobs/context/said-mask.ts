/** What people said of breaks and periods, as commands show it: kept in full, shown masked (S6). */
import { isJsonObject } from '../../src/core/json.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { maskedText } from '../../reports/words/masked-text.ts';

/** A text of people without its personal numbers; the company's own registry accounts are left open. */
export type SaidMask = (text: string) => string;

export async function saidMask(db: Db): Promise<SaidMask> {
  const rows = await db.selectFrom('account').select('account_no').execute();
  const accountNames = new Set(rows.map((row) => row.account_no));
  return (text) => maskedText({ accountNames }, text);
}

/** Where people type; all else in an event is a number, a name of ours or a digest. */
const TYPED: ReadonlySet<string> = new Set([
  'reason',
  'text',
  'note',
  'remark',
  'owner',
  'to',
  'file',
  'proposedBy',
  'approvedBy',
  'preparedBy',
]);

/** What an event holds, with what people typed in it masked, as deep as it goes. */
export function maskedEvent<Value>(value: Value, mask: SaidMask): Value {
  return maskedIn(value, mask, '') as Value;
}

function maskedIn(value: unknown, mask: SaidMask, name: string): unknown {
  if (Array.isArray(value)) return value.map((element) => maskedIn(element, mask, name));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedIn(inner, mask, key)]));
  }
  return typeof value === 'string' && TYPED.has(name) ? mask(value) : value;
}
