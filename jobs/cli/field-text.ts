/** Fields of a record for people: no name of a program, and yuan where the field is in fen. */
import { yuanForPeople } from '../../src/core/fen.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { jsonText } from '../../src/core/json.ts';

const FEN = /Fen$/;

/** `adjustedLedgerFen` → `adjusted ledger, yuan`. */
export function fieldName(field: string): string {
  const words = field.replace(FEN, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return FEN.test(field) ? `${words}, yuan` : words;
}

/** `class: fee; difference, yuan: -30.00` */
export function fieldsText(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([field, value]) => `${fieldName(field)}: ${valueText(field, value)}`)
    .join('; ');
}

function valueText(field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const isFen = FEN.test(field) && (typeof value === 'bigint' || Number.isSafeInteger(value));
  return isFen ? yuanForPeople(BigInt(value as bigint | number)) : jsonText(value);
}
