/** What a pattern paints with is copied with it: an area that it fills looks as it did. */
import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';

import { MemoryArchive, anEntry, bundle } from './bundling.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

const SHADING = `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 400 0] /Extend [true true]
  /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>`;
const FILLED = Buffer.from('/Pattern cs /P scn 20 60 300 200 re f');

function filledWith(pattern: string): Uint8Array {
  const resources = `/Resources << /Pattern << /P << /PatternType 2 ${pattern} >> >> >>`;
  return rawPdf([CATALOG, ONE_PAGE, page(`/Contents 4 0 R ${resources}`), rawStream('', FILLED), SHADING]);
}

test.each([
  ['in place', `/Shading ${SHADING}`],
  ['of its own', '/Shading 5 0 R'],
  ['with a graphics state', '/Shading 5 0 R /ExtGState << /BM /Multiply /ca 0.5 >>'],
])('a pattern keeps its shading %s', async (_how, pattern) => {
  const archive = new MemoryArchive();
  const { parts } = await bundle({
    archive,
    entries: [anEntry({ files: [archive.add(filledWith(pattern))] })],
  });
  const { context } = await PDFDocument.load(parts[0] ?? new Uint8Array());
  const copied = context.enumerateIndirectObjects().map(String).join('\n');
  const shading = /\/ShadingType 2\b/;
  expect(copied).toMatch(shading);
  expect(copied).toMatch(/\/FunctionType 2\b/);
  if (pattern.includes('ExtGState')) expect(copied).toMatch(/\/ca 0\.5\b/);
});
