/** How a raw statement is found again: by what its template says between its blanks. */

/** By column: the results of `typeof` its values may have, `null` apart. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** Parts of a template as Kysely keeps them. */
export function keyOf(parts: readonly string[]): string {
  return parts.join('\u0000');
}
