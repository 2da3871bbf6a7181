/** Text that goes to a file as it is made, with its digest. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { WriteText } from './json-document.ts';

export interface WrittenFile {
  sha256: string;
  bytes: number;
}

/** Fills a file that is there and empty, such as the temporary one of `Files.writeWholeWith`. */
export async function fillFile(
  path: string,
  produce: (write: WriteText) => Promise<void>,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'r+');
  try {
    await produce(async (text) => {
      const piece = Buffer.from(text, 'utf8');
      hash.update(piece);
      bytes += piece.byteLength;
      await handle.writeFile(piece);
    });
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}
