/**
 * Which encoding a text file has. Whole files are looked at, not their beginnings: the first Chinese name may
 * stand in the last row, and a file of digits is valid in every encoding.
 */
import { WrongInput } from '../core/errors.ts';

/** GB18030 holds GBK and GB2312. */
export type TextEncoding = 'utf-8' | 'gb18030';

/** Looks at a file's bytes as they pass. */
export class Utf8Probe {
  readonly #strict = new TextDecoder('utf-8', { fatal: true });
  #valid = true;

  get valid(): boolean {
    return this.#valid;
  }

  feed(bytes: Uint8Array): void {
    if (this.#valid) this.#valid = this.#accepts(bytes, true);
  }

  /** To be called once, after the last bytes: a character that was begun must be finished. */
  end(): void {
    if (this.#valid) this.#valid = this.#accepts(new Uint8Array(), false);
  }

  #accepts(bytes: Uint8Array, stream: boolean): boolean {
    try {
      this.#strict.decode(bytes, { stream });
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false; // the decoder's way of saying "not UTF-8"
      throw error;
    }
  }
}

/**
 * The encoding of a file that is not valid UTF-8. Read as UTF-8, GBK text is rubble with hardly a character of
 * three bytes in it; a UTF-8 text with a few corrupt bytes is nearly whole, and reading it as GBK would store
 * rubble for every name.
 * @throws WrongInput for corrupt UTF-8
 */
export async function encodingOfInvalidUtf8(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): Promise<TextEncoding> {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  let corrupt = 0;
  let whole = 0;
  let marked: boolean | undefined;
  for await (const chunk of chunks) {
    const text = lenient.decode(chunk, { stream: true });
    marked ??= text.startsWith('\uFEFF');
    corrupt += text.match(/\uFFFD/g)?.length ?? 0;
    whole += text.match(/[\u2E80-\uFEFE\uFF00-\uFFEF]/g)?.length ?? 0;
  }
  if (marked || whole > corrupt) {
    throw new WrongInput(`${file} is UTF-8 with corrupt characters in it; save it as CSV UTF-8 again`);
  }
  return 'gb18030';
}

/** Decodes GBK as it passes. @throws WrongInput when it is not GBK either */
export async function* decodeGbk(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder('gb18030');
  for await (const chunk of chunks) yield checked(decoder.write(Buffer.from(chunk)), file);
  yield checked(decoder.end() ?? '', file);
}

function checked(text: string, file: string): string {
  if (text.includes('\uFFFD')) {
    throw new WrongInput(`${file} is neither UTF-8 nor GBK; save it as CSV UTF-8`);
  }
  return text;
}
