/** XML of an .xlsx part as events, chunk by chunk; namespace prefixes are dropped. */
import { SaxesParser } from 'saxes';

import { DamagedArchive } from './xlsx-archive.ts';

export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

export interface XmlReader {
  /** @throws Error when it is not UTF-8 or not well-formed */
  write(chunk: Uint8Array): void;
  /** @throws Error when the document is not finished */
  end(): void;
}

/** The parts that are read nest some ten elements; each that is open is kept. */
const DEPTH_MAX = 64;
/** A cell holds 32,767 characters; a tag, text or comment longer than this is none of a spreadsheet. */
const TOKEN_BYTES_MAX = 1_048_576;
/** As many characters as a cell of a spreadsheet can hold. */
export const CELL_TEXT_MAX = 32_767;

export function xmlReader(handler: XmlHandler): XmlReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  let depth = 0;
  // What the parser keeps until it has seen its end.
  let tokenBytes = 0;
  const ended = (): void => void (tokenBytes = 0);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    ended();
    if (++depth > DEPTH_MAX) throw new DamagedArchive('its elements are nested too deep');
    handler.open(localName(tag.name), tag.attributes);
  });
  parser.on('text', (text) => {
    ended();
    handler.text(text);
  });
  parser.on('cdata', (text) => {
    ended();
    handler.text(text);
  });
  parser.on('comment', ended);
  parser.on('processinginstruction', ended);
  parser.on('closetag', (tag) => {
    ended();
    depth--;
    handler.close(localName(tag.name));
  });
  return {
    write(chunk) {
      tokenBytes += chunk.length;
      parser.write(decoder.decode(chunk, { stream: true }));
      if (tokenBytes > TOKEN_BYTES_MAX) throw new DamagedArchive('an element or text has no end');
    },
    end() {
      parser.write(decoder.decode()).close();
    },
  };
}

/** The text with what comes next of it. @throws DamagedArchive when no cell could hold it */
export function joinedText(text: string, piece: string): string {
  if (text.length + piece.length <= CELL_TEXT_MAX) return text + piece;
  throw new DamagedArchive(`a text has more than ${CELL_TEXT_MAX} characters`);
}

/** Reads a whole part through a handler. */
export async function readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const reader = xmlReader(handler);
  for await (const chunk of chunks) reader.write(chunk);
  reader.end();
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Text of a cell: characters that XML cannot hold are written as `_x000D_`, and a literal `_x` as `_x005F_x`. */
export function cellString(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
