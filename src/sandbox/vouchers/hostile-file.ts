/** The bytes of a voucher of any kind: the honest slip, something done to it, or another file altogether (I6–I8). */
import {
  deepNestingPdf,
  encryptedPdf,
  hugePageCountPdf,
  manyObjectsPdf,
  noPagesPdf,
  objectStreamBombPdf,
  pageCyclePdf,
  pageTreeBombPdf,
  statedPageCountPdf,
} from './hostile-pdf.ts';
import { streamOf, textString } from './slip-pdf.ts';
import type { PdfFile } from './slip-pdf.ts';
import { printVoucher } from './voucher-renderer.ts';
import type { Extension, Printing } from './voucher-renderer.ts';
import type { Slip } from './slip.ts';
import type { VoucherKind } from './voucher-schema.ts';

export interface FileAsked {
  kind: VoucherKind;
  slip: Slip;
  how: Printing;
  /** For the kinds that have a size. */
  bytes: number | undefined;
}

type Make = (asked: FileAsked, print: (extend?: (file: PdfFile) => Extension) => Buffer) => Buffer;

/** Larger than any voucher, and with its Base64 still within what a client takes by default as one answer. */
const OVERSIZE_BYTES = 22 * 1024 * 1024;
const MANY_OBJECTS_BYTES = 8 * 1024 * 1024;
const BOMB_BYTES = 1024 * 1024 * 1024;
/** More than the kilobyte that readers grant before `%PDF-` and behind `%%EOF`. */
const JUNK = Buffer.from('junk\n'.repeat(400), 'latin1');
const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const honest: Make = (_, print) => print();

/** Kinds that are made when the answer is put together have honest bytes here. */
const MAKERS: Readonly<Record<VoucherKind, Make>> = {
  slip: honest,
  empty_list: honest,
  null_list: honest,
  no_file: honest,
  file_number: honest,
  data_uri: honest,
  line_breaks: honest,
  url_safe: honest,
  bad_base64: honest,
  wrong_order: honest,
  zero_bytes: () => Buffer.alloc(0),
  html: () => Buffer.from(HTML, 'utf8'),
  truncated: (_, print) => halfOf(print()),
  no_end: (_, print) => Buffer.from(print().toString('latin1').replace('%%EOF\n', ''), 'latin1'),
  leading_junk: (_, print) => Buffer.concat([JUNK, print()]),
  trailing_junk: (_, print) => Buffer.concat([print(), JUNK]),
  oversize: ({ bytes }, print) => print((file) => padding(file, bytes ?? OVERSIZE_BYTES)),
  encrypted: ({ slip }) => encryptedPdf(slip.orderNo),
  no_pages: ({ slip }) => noPagesPdf(slip.orderNo),
  page_cycle: ({ slip }) => pageCyclePdf(slip.orderNo),
  page_tree_bomb: ({ slip }) => pageTreeBombPdf(slip.orderNo),
  many_objects: ({ slip, bytes }) => manyObjectsPdf(slip.orderNo, bytes ?? MANY_OBJECTS_BYTES),
  huge_page_count: ({ slip }) => hugePageCountPdf(slip.orderNo),
  stated_page_count: ({ slip }) => statedPageCountPdf(slip.orderNo),
  wrong_offsets: (_, print) => withWrongOffsets(print()),
  deep_nesting: ({ slip }) => deepNestingPdf(slip.orderNo),
  object_stream_bomb: ({ slip, bytes }) => objectStreamBombPdf(slip.orderNo, bytes ?? BOMB_BYTES),
  javascript: (_, print) => print(runningJavaScript),
  launch: (_, print) => print(launchingProgram),
  embedded_file: (_, print) => print(holdingFile),
  same_bytes: honest,
};

export function hostileFile(asked: FileAsked): Buffer {
  const isSame = asked.kind === 'same_bytes';
  const { slip, how } = isSame ? { slip: nobodysSlip(asked.slip), how: { ...asked.how, copy: ONLY } } : asked;
  return MAKERS[asked.kind](asked, (extend) => printVoucher(slip, how, extend));
}

const ONLY = { no: 1, of: 1 };

/** Says nothing of the order it is given for. */
function nobodysSlip(slip: Slip): Slip {
  const party = { name: '示例有限公司', accountNo: '-', bank: '-' };
  return {
    ...slip,
    kind: 'deposit',
    orderNo: 'DP19700101K000000',
    outOrderNo: '',
    batchNo: '',
    payer: party,
    payee: party,
    amountFen: 100n,
    feeFen: 0n,
    realFen: 100n,
    remark: '',
    time: '1970-01-01 08:00:00',
  };
}

function halfOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

function withWrongOffsets(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replace(/(?<=\n)\d{10}(?= 00000 n)/g, (offset) => offset.split('').toReversed().join('')),
    'latin1',
  );
}

/** Nothing that could be compressed away. */
function padding(file: PdfFile, bytes: number): Extension {
  const noise = Buffer.alloc(bytes);
  let state = 0x2545f491;
  for (let at = 0; at + 4 <= bytes; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    noise.writeInt32LE(state | 0, at);
  }
  return { catalog: `/PieceInfo<</Noise<</Private ${file.add(streamOf('', noise))} 0 R>>>>` };
}

function runningJavaScript(file: PdfFile): Extension {
  const script = file.add("<</S/JavaScript/JS(app.alert\\('voucher'\\);)>>");
  const reset = file.add('<</S/JavaScript/JS(this.resetForm\\(\\);)>>');
  return {
    catalog: `/OpenAction ${script} 0 R/Names<</JavaScript<</Names[(voucher) ${script} 0 R]>>>>`,
    page: `/AA<</O ${reset} 0 R>>`,
  };
}

function launchingProgram(file: PdfFile): Extension {
  const launch = file.add('<</S/Launch/F(calc.exe)/Win<</F(calc.exe)/O(open)>>>>');
  const link = file.add(`<</Type/Annot/Subtype/Link/Rect[0 0 595 420]/Border[0 0 0]/A ${launch} 0 R>>`);
  return { catalog: `/OpenAction ${launch} 0 R`, page: `/Annots[${link} 0 R]` };
}

function holdingFile(file: PdfFile): Extension {
  const held = file.addStream('/Type/EmbeddedFile/Subtype/application#2Fx-msdownload', 'MZ not a program');
  const specification = file.add(
    `<</Type/Filespec/F(voucher.exe)/UF${textString('voucher.exe')}/EF<</F ${held} 0 R>>>>`,
  );
  const pin = file.add(
    `<</Type/Annot/Subtype/FileAttachment/Rect[560 400 580 420]/FS ${specification} 0 R/Contents(voucher.exe)>>`,
  );
  return {
    catalog: `/Names<</EmbeddedFiles<</Names[(voucher.exe) ${specification} 0 R]>>>>`,
    page: `/Annots[${pin} 0 R]`,
  };
}
