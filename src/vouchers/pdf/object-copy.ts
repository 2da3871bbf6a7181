/**
 * Objects of one file, written into another. Each is written after what it refers to, so that equal objects have
 * equal bytes and are written once, whichever file they came from: fonts, logos and forms that all vouchers share
 * (bench/vouchers.ts).
 */
import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import type { PDFContext, PDFObject } from 'pdf-lib';

import {
  isForPrinters,
  isKeyDropped,
  isResource,
  looksActive,
  meaningBelow,
  nameIn,
  plainName,
  requireInert,
  requireUnflagged,
} from './active-content.ts';
import type { KeyMeaning } from './active-content.ts';
import { nestingOf } from './content-nesting.ts';
import type { Nesting } from './content-nesting.ts';
import { PdfFault } from './pdf-fault.ts';
import type { PdfSource } from './pdf-source.ts';
import { requireFitStream } from './stream-check.ts';

/** What an object is written as: Latin-1 text, and for a stream its bytes. */
export interface ObjectBody {
  text: string;
  stream?: Uint8Array;
}

export interface ObjectWriter {
  /** A number for an object that is written later. */
  reserve(): number;
  write(number: number, body: ObjectBody): void;
}

/** Objects already written, by the digest of their bytes; one for a whole merged file. */
export type WrittenOnce = Map<string, number>;

export interface CopyTarget {
  writer: ObjectWriter;
  once: WrittenOnce;
}

/** No tool nests resources like this; a chain that long was made to break readers. */
const DEPTH_MAX = 400;
/** Objects of one file; two hundred pages of pictures have a tenth of it. */
const COPIED_MAX = 20_000;
/** What all vouchers share is among the first; the rest would only fill memory. */
const ONCE_MAX = 500_000;

interface Copied {
  /** Undefined while the object is being copied and nothing has referred back to it. */
  number: number | undefined;
  isOpen: boolean;
}

/** The copy of one source file's objects. */
export class ObjectCopy {
  readonly #context: PDFContext;
  readonly #source: Pick<PdfSource, 'context' | 'unpacker'>;
  readonly #target: CopyTarget;
  readonly #copied: Record<KeyMeaning, Map<PDFRef, Copied>> = { format: new Map(), names: new Map() };
  readonly #withFont = new Map<PDFObject | undefined, { token: string; fontName: string }>();
  readonly #nestings = new Map<PDFObject, Nesting>();
  /** The content of a page that is being copied. */
  #content: PDFObject | undefined;
  #depth = 0;
  #copies = 0;

  constructor(source: Pick<PdfSource, 'context' | 'unpacker'>, target: CopyTarget) {
    this.#source = source;
    this.#context = source.context;
    this.#target = target;
  }

  /** The object as it is written in place, with all it refers to written before it. @throws PdfFault */
  token(object: PDFObject, meaning: KeyMeaning = 'format'): string {
    if (object instanceof PDFRef) return this.#reference(object, meaning);
    if (object instanceof PDFInvalidObject)
      throw new PdfFault('damaged', 'an object of a page cannot be read');
    if (isForPrinters(object)) return 'null';
    requireInert(object);
    if (object instanceof PDFArray) {
      return this.#nested(
        () =>
          `[${object
            .asArray()
            .map((item) => this.token(item))
            .join(' ')}]`,
      );
    }
    if (object instanceof PDFDict) return this.#nested(() => this.#dictionary(object, meaning));
    // As digits: a text of an invoice may read like an action, and a scanner reads texts too.
    if (object instanceof PDFString) return `<${Buffer.from(object.asBytes()).toString('hex')}>`;
    if (object instanceof PDFName) requireUnflagged(plainName(object));
    return object.toString();
  }

  /** The number under which the object was copied; undefined where it was not. */
  numberOf(ref: PDFRef): number | undefined {
    return this.#copied.format.get(ref)?.number;
  }

  /** A content of a page, and how it leaves the graphics state. @throws PdfFault */
  content(ref: PDFObject, stream: PDFRawStream): { token: string; nesting: Nesting } {
    this.#content = stream;
    const token = this.token(ref);
    if (token === 'null') throw new PdfFault('damaged', 'the content of a page is missing');
    // Known already as something else than a content, it was not looked at.
    const nesting = this.#nestings.get(stream) ?? nestingOf(this.#source.unpacker.unpack(stream));
    this.#nestings.set(stream, nesting);
    return { token, nesting };
  }

  /** Resources with one more font, which is in the target already, and what they call it. @throws PdfFault */
  resourcesWith(font: number, resources: PDFObject | undefined): { token: string; fontName: string } {
    const known = this.#withFont.get(resources);
    if (known !== undefined) return known;
    if (resources !== undefined) requireInert(resources);
    const given = resources instanceof PDFDict ? resources : undefined;
    const listed = given?.lookup(key('Font'));
    if (listed !== undefined) requireInert(listed);
    const fonts = listed instanceof PDFDict ? listed : undefined;
    let fontName = 'RECON';
    while (fonts?.has(key(fontName)) === true) fontName += '0';
    const others = new Map(given?.entries().filter(([name]) => plainName(name) !== 'Font'));
    const text = this.#nested(() =>
      [
        this.#dictionary(PDFDict.fromMapWithContext(others, this.#context), 'format').slice(0, -2),
        '/Font ',
        fonts === undefined ? '<< ' : this.#dictionary(fonts, 'names').slice(0, -2),
        `/${fontName} ${font} 0 R >> >>`,
      ].join(''),
    );
    const made = { token: `${writeOnce(this.#target, { text })} 0 R`, fontName };
    this.#withFont.set(resources, made);
    return made;
  }

  /** Writes an object that stands for itself, even where an equal one is there. */
  writeAlone(text: string): number {
    const number = this.#target.writer.reserve();
    this.#target.writer.write(number, { text });
    return number;
  }

  #reference(ref: PDFRef, meaning: KeyMeaning): string {
    const known = this.#copied[meaning].get(ref);
    if (known !== undefined) {
      if (known.isOpen) known.number ??= this.#target.writer.reserve();
      return known.number === undefined ? 'null' : `${known.number} 0 R`;
    }
    const object = this.#context.lookup(ref);
    const isNothing =
      object === undefined || object === PDFNull || object instanceof PDFRef || isForPrinters(object);
    if (!isNothing) requireInert(object);
    this.#copies += 1;
    if (this.#copies > COPIED_MAX) throw new PdfFault('hostile', `it holds more than ${COPIED_MAX} objects`);
    const copied: Copied = { number: undefined, isOpen: !isNothing };
    this.#copied[meaning].set(ref, copied);
    if (isNothing) return 'null';
    const body = this.#nested(() => this.#body(object, meaning));
    copied.number = this.#place(body, copied.number, object);
    copied.isOpen = false;
    return `${copied.number} 0 R`;
  }

  #body(object: PDFObject, meaning: KeyMeaning): ObjectBody {
    if (!(object instanceof PDFStream)) return { text: this.token(object, meaning) };
    if (!(object instanceof PDFRawStream)) throw new PdfFault('damaged', 'a stream cannot be read');
    const plain = requireFitStream(object, this.#source.unpacker);
    if (object === this.#content) this.#nestings.set(object, nestingOf(plain));
    const { packings, bytes } = inertBytes(object.contents);
    const dict = packings.length === 0 ? object.dict : this.#packedAgain(object.dict, packings);
    const text = this.#dictionary(dict, 'format').slice(0, -2);
    return { text: `${text}/Length ${bytes.byteLength} >>`, stream: bytes };
  }

  /** Its filters with others before them. */
  #packedAgain(dict: PDFDict, packings: readonly string[]): PDFDict {
    const listed = (name: string): PDFObject[] => {
      const value = dict.lookup(key(name));
      if (value === undefined || value === PDFNull) return [];
      return value instanceof PDFArray ? value.asArray() : [value];
    };
    const [filters, parameters] = [listed('Filter'), listed('DecodeParms')];
    const entries = new Map(dict.entries().filter(([name]) => !PACKING_KEYS.has(plainName(name))));
    entries.set(key('Filter'), this.#context.obj([...packings.map(key), ...filters]));
    if (parameters.length > 0) {
      entries.set(key('DecodeParms'), this.#context.obj([...packings.map(() => PDFNull), ...parameters]));
    }
    return PDFDict.fromMapWithContext(entries, this.#context);
  }

  #dictionary(dict: PDFDict, meaning: KeyMeaning): string {
    let text = '<<';
    for (const [name, value] of dict.entries()) {
      const plain = plainName(name);
      if (isKeyDropped(plain, meaning)) continue;
      if (meaning === 'names' && !isResource(value)) continue;
      const below = meaning === 'format' ? meaningBelow(plain) : 'format';
      text += ` ${name.toString()} ${this.token(value, below)}`;
    }
    return `${text} >>`;
  }

  /** Layers are switched one by one, and what refers back to itself has no bytes of its own yet: neither is shared. */
  #place(body: ObjectBody, reserved: number | undefined, object: PDFObject): number {
    const isLayer = object instanceof PDFDict && nameIn(object, 'Type') === 'OCG';
    if (reserved !== undefined || isLayer) {
      const number = reserved ?? this.#target.writer.reserve();
      this.#target.writer.write(number, body);
      return number;
    }
    return writeOnce(this.#target, body);
  }

  #nested<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new PdfFault('hostile', 'its objects are nested too deeply');
    const made = work();
    this.#depth -= 1;
    return made;
  }
}

/** Writes an object, or finds the equal one that is there; its number. */
export function writeOnce({ writer, once }: CopyTarget, body: ObjectBody): number {
  const digest = digestOf(body);
  const known = once.get(digest);
  if (known !== undefined) return known;
  const number = writer.reserve();
  if (once.size < ONCE_MAX) once.set(digest, number);
  writer.write(number, body);
  return number;
}

const PACKING_KEYS: ReadonlySet<string> = new Set(['Filter', 'DecodeParms']);

/** A content may be packed as it stands, and a picture has comments: what would look active is packed once more. */
function inertBytes(contents: Uint8Array): { packings: string[]; bytes: Uint8Array } {
  if (!looksActive(contents)) return { packings: [], bytes: contents };
  const deflated = deflateSync(contents);
  if (!looksActive(deflated)) return { packings: ['FlateDecode'], bytes: deflated };
  const digits = `${Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength).toString('hex')}>`;
  return { packings: ['ASCIIHexDecode'], bytes: Buffer.from(digits, 'latin1') };
}

/** Streams are told apart by their own digest, so that the text is never joined to a copy of the bytes. */
function digestOf({ text, stream }: ObjectBody): string {
  if (stream === undefined) return hash('sha256', text, 'base64');
  return hash('sha256', `${hash('sha256', stream, 'base64')} ${text}`, 'base64');
}

/** The name object of a key, without a slash. */
export function key(name: string): PDFName {
  return PDFName.of(name);
}
