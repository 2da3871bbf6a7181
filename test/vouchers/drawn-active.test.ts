/** What is drawn and says that it acts: viewers draw it, and a copy without it would show less than the original. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { openChecker } from '../../src/vouchers/check/check.ts';
import type { Checker } from '../../src/vouchers/check/check.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

let checker: Checker;
beforeAll(() => {
  checker = openChecker({ clock: systemClock(), timeoutMs: 20_000 });
});
afterAll(() => checker.close());

const FONT = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica';
const FORM = '/Subtype /Form /BBox [0 0 90 90]';
const text = Buffer.from('BT /F 12 Tf 40 200 Td (1,234.56) Tj ET /X Do');
const area = Buffer.from('0 0 80 20 re f');

interface Slip {
  content?: string;
  resources?: string;
  more?: string;
  fifth?: string | Uint8Array;
}

function slip({ content = '', resources = '', more = '', fifth = 'null' }: Slip): Uint8Array {
  const pageOf = page(`/Contents 4 0 R /Resources << /Font << /F << ${FONT} >> >> ${resources} >> ${more}`);
  return rawPdf([CATALOG, ONE_PAGE, pageOf, rawStream(content, text), fifth]);
}

test.each<[string, Slip]>([
  ['the content of a page', { content: '/Type /EmbeddedFile' }],
  ['a form', { resources: '/XObject << /X 5 0 R >>', fifth: rawStream(`${FORM} /S /Hide`, area) }],
  ['a pattern', { resources: '/Pattern << /P << /PatternType 2 /Shading 5 0 R /S /Named >> >>' }],
  [
    'what a mark looks like',
    {
      more: '/Annots [<< /Type /Annot /Subtype /Stamp /Rect [9 9 99 99] /AP << /N 5 0 R >> >>]',
      fifth: rawStream(`${FORM} /Type /Filespec`, area),
    },
  ],
  ['all that a page is drawn with', { resources: '/S /URI' }],
])('%s is not left out', async (_what, of) => {
  expect(await checker.check(slip(of))).toMatchObject({ condition: 'hostile' });
});

test('a program for a printer, which no viewer draws, is left out, but no content of a page', async () => {
  const program = { resources: '/XObject << /X 5 0 R >>', fifth: rawStream('/Subtype /PS', area) };
  expect(await checker.check(slip(program))).toMatchObject({ condition: 'whole' });
  expect(await checker.check(slip({ content: '/Subtype /PS' }))).toMatchObject({ condition: 'damaged' });
});
