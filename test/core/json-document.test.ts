import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeJson } from '../../src/core/json-document.ts';
import { jsonText } from '../../src/core/json.ts';
import { LongList } from '../../src/core/long-list.ts';
import { fillFile } from '../../src/core/text-file.ts';
import { fc, runs } from '../helpers/properties.ts';

function inPieces<T>(items: readonly T[], size: number): LongList<T> {
  return new LongList(async (consume) => {
    for (let at = 0; at < items.length; at += size) await consume(items.slice(at, at + size));
  });
}

async function written(document: object, indent?: number): Promise<string> {
  let text = '';
  const write = async (piece: string): Promise<void> => void (text += piece);
  await writeJson(document, write, indent);
  return text;
}

test('a document with long lists has the bytes of the one that is held whole', async () => {
  const item = fc.oneof(
    fc.record({
      id: fc.string({ unit: 'binary' }),
      fen: fc.bigInt(-(10n ** 15n), 10n ** 15n),
      none: fc.constant(null),
    }),
    fc.string(),
    fc.constant({}),
  );
  const draws = fc.asyncProperty(
    fc.dictionary(fc.string(), fc.oneof(fc.array(item), fc.constant(undefined), fc.jsonValue())),
    fc.uniqueArray(fc.string(), { maxLength: 3 }),
    fc.array(item, { maxLength: 7 }),
    fc.integer({ min: 1, max: 4 }),
    async (members, names, items, size) => {
      const long = names.map((name) => [name, inPieces(items, size)] as const);
      const whole = names.map((name) => [name, items] as const);
      for (const indent of [0, 1, 2]) {
        const found = await written({ ...members, ...Object.fromEntries(long) }, indent);
        expect(found).toBe(jsonText({ ...members, ...Object.fromEntries(whole) }, indent));
      }
    },
  );
  await fc.assert(draws, { numRuns: runs(200) });
});

test('a long list is read anew by each walk, and by none before', async () => {
  let walks = 0;
  const list = new LongList<number>(async (consume) => {
    walks += 1;
    await consume([walks]);
  }).map((walk) => `walk ${walk}`);
  expect(walks).toBe(0);
  expect(await list.whole()).toEqual(['walk 1']);
  expect(await list.whole()).toEqual(['walk 2']);
});

test('a file that is filled piece by piece has the digest and the bytes that are told of it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-text-'));
  const file = path.join(folder, 'result.json');
  await writeFile(file, '');
  const told = await fillFile(file, (write) =>
    writeJson({ 名称: inPieces(['甲', '乙', '丙'], 2) }, write, 2),
  );
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  expect(bytes.toString('utf8')).toBe(jsonText({ 名称: ['甲', '乙', '丙'] }, 2));
  expect(told).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength });
});
