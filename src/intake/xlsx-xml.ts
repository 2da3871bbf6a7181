/** XML of an .xlsx part as events, chunk by chunk; namespace prefixes are dropped. */
import { SaxesParser } from 'saxes';

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

export function xmlReader(handler: XmlHandler): XmlReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => handler.open(localName(tag.name), tag.attributes));
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));
  parser.on('closetag', (tag) => handler.close(localName(tag.name)));
  return {
    write(chunk) {
      parser.write(decoder.decode(chunk, { stream: true }));
    },
    end() {
      parser.write(decoder.decode()).close();
    },
  };
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
