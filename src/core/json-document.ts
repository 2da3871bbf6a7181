/** JSON documents with long lists, written while these are read: the bytes are those of the document held whole. */
import { jsonText } from './json.ts';
import { LongList } from './long-list.ts';

/** Takes the next piece of a text; resolves when it may be followed by another. */
export type WriteText = (text: string) => Promise<void>;

/** @param document its own members may be long lists, those within them may not */
export async function writeJson(document: object, write: WriteText, indent = 0): Promise<void> {
  const line = (depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(depth * indent)}`);
  const textAt = (depth: number, value: unknown): string =>
    jsonText(value, indent).replaceAll('\n', line(depth));
  const colon = indent === 0 ? ':' : ': ';
  let before = '{';
  for (const [name, value] of Object.entries(document) as [string, unknown][]) {
    if (value === undefined) continue;
    const head = `${before}${line(1)}${JSON.stringify(name)}${colon}`;
    before = ',';
    if (value instanceof LongList) {
      await write(`${head}[`);
      const isEmpty = await writeItems(value, write, (item) => `${line(2)}${textAt(2, item)}`);
      await write(isEmpty ? ']' : `${line(1)}]`);
    } else {
      await write(`${head}${textAt(1, value)}`);
    }
  }
  await write(before === '{' ? '{}' : `${line(0)}}`);
}

/** @returns whether there was none */
async function writeItems(
  list: LongList<unknown>,
  write: WriteText,
  textOf: (item: unknown) => string,
): Promise<boolean> {
  let isEmpty = true;
  await list.forEachPiece(async (items) => {
    if (items.length === 0) return;
    await write(`${isEmpty ? '' : ','}${items.map(textOf).join(',')}`);
    isEmpty = false;
  });
  return isEmpty;
}
