/** A document with its long lists read: what a program is handed once the job has ended. */
import { LongList } from '../../src/core/long-list.ts';

export type Whole<T> =
  T extends LongList<infer Item>
    ? Whole<Item>[]
    : T extends readonly (infer Item)[]
      ? Whole<Item>[]
      : T extends object
        ? { [K in keyof T]: Whole<T[K]> }
        : T;

/** Documents nest a few levels, and lists of them hold no further long ones. */
export async function whole<T extends object>(document: T): Promise<Whole<T>> {
  const read = Object.entries(document).map(async ([name, value]: [string, unknown]) => [
    name,
    value instanceof LongList ? await value.whole() : value,
  ]);
  return Object.fromEntries(await Promise.all(read)) as Whole<T>;
}
