/** Asks for vouchers and reads what comes, with another PDF library than the one that made them. */
import { inflateSync } from 'node:zlib';

import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import type { PDFPage } from 'pdf-lib';
import { expect } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { Answered, Members } from '../caller.ts';
import { call } from '../orders/orders-caller.ts';

export function askFiles(sandbox: Sandbox, biz: Members): Answered {
  return call(sandbox, 'get/transFiles', biz);
}

/** The Base64 texts of an answer. */
export function fileTexts({ biz, ok }: Answered): string[] {
  expect(ok).toBe(true);
  return (biz['fileList'] as Members[]).map(({ file }) => file as string);
}

/** The files of an answer, each strictly decoded. */
export function filesOf(answer: Answered): Buffer[] {
  return fileTexts(answer).map((text) => {
    const bytes = Buffer.from(text, 'base64');
    expect(bytes.toString('base64')).toBe(text);
    return bytes;
  });
}

/** The one file of an order. */
export function theFile(sandbox: Sandbox, biz: Members): Buffer {
  const [file, ...others] = filesOf(askFiles(sandbox, biz));
  expect(others).toEqual([]);
  return file ?? Buffer.alloc(0);
}

export function openPdf(bytes: Buffer): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
}

/** What each page of a file says, without blanks: its own text and that of the forms drawn on it. */
export async function pageTexts(bytes: Buffer): Promise<string[]> {
  const pdf = await openPdf(bytes);
  return pdf.getPages().map((page) => textOfPage(page).replaceAll(' ', ''));
}

function textOfPage({ node }: PDFPage): string {
  const resources = node.Resources();
  const contents = node.Contents();
  if (!resources || !(contents instanceof PDFRawStream)) return '';
  const forms = resources.lookup(PDFName.of('XObject'), PDFDict);
  const drawn = forms.keys().map((name) => {
    const form = forms.lookup(name);
    const own = form instanceof PDFRawStream ? form.dict.lookup(PDFName.of('Resources')) : undefined;
    return form instanceof PDFRawStream && own instanceof PDFDict ? textOf(form, own) : '';
  });
  return [textOf(contents, resources), ...drawn].join('\n');
}

/** The hexadecimal strings of a content stream, read by the fonts' own account of what their codes mean. */
function textOf(stream: PDFRawStream, resources: PDFDict): string {
  const fonts = resources.lookup(PDFName.of('Font'), PDFDict);
  const meanings = new Map(
    fonts.keys().map((name) => [name.asString(), meaningsOf(fonts.lookup(name, PDFDict))]),
  );
  let [text, codes] = ['', new Map<string, string>()];
  for (const [, font, shown, end] of unpacked(stream).matchAll(/(\/F\d) |<([0-9a-f]+)> Tj|(\bET\b)/g)) {
    if (font !== undefined) codes = meanings.get(font) ?? new Map<string, string>();
    for (const code of shown?.match(/.{4}/g) ?? []) text += codes.get(code) ?? '?';
    if (end !== undefined) text += '\n';
  }
  return text;
}

function meaningsOf(font: PDFDict): Map<string, string> {
  const map = font.lookup(PDFName.of('ToUnicode'));
  if (!(map instanceof PDFRawStream)) throw new Error('a font does not say what its codes mean');
  const lines = [...unpacked(map).matchAll(/^<([0-9a-f]{4})><([0-9a-f]+)>$/gm)];
  return new Map(
    lines.map(([, code = '', text = '']) => [code, Buffer.from(text, 'hex').swap16().toString('utf16le')]),
  );
}

function unpacked(stream: PDFRawStream): string {
  return inflateSync(stream.contents).toString('latin1');
}

/** The streams of a file that weigh something, as they lie in it: fonts and pictures. */
export async function heavyStreams(bytes: Buffer): Promise<{ no: number; bytes: Buffer }[]> {
  const pdf = await openPdf(bytes);
  return pdf.context
    .enumerateIndirectObjects()
    .flatMap(([ref, object]) =>
      object instanceof PDFRawStream && isHeavy(object)
        ? [{ no: ref.objectNumber, bytes: Buffer.from(object.contents) }]
        : [],
    );
}

function isHeavy({ dict }: PDFRawStream): boolean {
  return dict.has(PDFName.of('Length1')) || dict.get(PDFName.of('Subtype')) === PDFName.of('Image');
}
