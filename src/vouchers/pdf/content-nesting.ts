/** How a page's content saves and restores the graphics state (`q`, `Q`), so that what is drawn after it begins as it did. */

export interface Nesting {
  /** States that it saves and does not restore; below zero where it restores more. */
  net: number;
  /** The least that was saved at any moment, against its beginning; below zero where it restores what it never saved. */
  least: number;
}

export const NO_CONTENT: Nesting = { net: 0, least: 0 };
/** It ends in the middle of a text or a picture: nothing can follow it. */
const OPEN_END: Nesting = { net: 0, least: Number.NEGATIVE_INFINITY };

/** Of one content and the one that goes on with it. */
export function nestingAfter(first: Nesting, second: Nesting): Nesting {
  return { net: first.net + second.net, least: Math.min(first.least, first.net + second.least) };
}

/** Blanks and delimiters: what ends a word (ISO 32000-1, 7.2.2). */
const ENDS_WORD = Uint8Array.from({ length: 256 }, (_, code) =>
  '\0\t\n\f\r ()<>[]{}/%'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const [SAVE, RESTORE, NAME, COMMENT, TEXT, TEXT_END, ESCAPE] = 'qQ/%()\\'
  .split('')
  .map((sign) => sign.charCodeAt(0)) as [number, number, number, number, number, number, number];

/** Texts, names, comments and pictures are passed over; of hexadecimal texts no letter is one of the two. */
export function nestingOf(content: Uint8Array): Nesting {
  let [net, least] = [0, 0];
  for (let at = 0; at < content.length;) {
    const code = content[at] ?? 0;
    if (code === TEXT) {
      at = textEnd(content, at);
      if (at < 0) return OPEN_END;
    } else if (code === COMMENT) {
      at = lineEnd(content, at);
    } else if (ENDS_WORD[code] === 1 && code !== NAME) {
      at += 1;
    } else {
      const end = wordEnd(content, at + 1);
      if (end === at + 1 && code === SAVE) net += 1;
      if (end === at + 1 && code === RESTORE) least = Math.min(least, (net -= 1));
      at = isPicture(content, { at, end }) ? pictureEnd(content, end) : end;
      if (at < 0) return OPEN_END;
    }
  }
  return { net, least };
}

function wordEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && ENDS_WORD[content[at] ?? 0] === 0) at += 1;
  return at;
}

function lineEnd(content: Uint8Array, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at += 1;
  return at;
}

/** Parentheses within a text are pairs, or escaped. */
function textEnd(content: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at += 1) {
    const code = content[at];
    if (code === ESCAPE) at += 1;
    else if (code === TEXT) depth += 1;
    else if (code === TEXT_END && (depth -= 1) === 0) return at + 1;
  }
  return -1;
}

function isPicture(content: Uint8Array, { at, end }: { at: number; end: number }): boolean {
  return end === at + 2 && content[at] === 0x42 && content[at + 1] === 0x49;
}

/** Its data may hold anything but its end. */
function pictureEnd(content: Uint8Array, from: number): number {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (let at = bytes.indexOf('EI', from); at >= 0; at = bytes.indexOf('EI', at + 1)) {
    const isWord = ENDS_WORD[content[at - 1] ?? 0] === 1 && wordEnd(content, at) === at + 2;
    if (isWord) return at + 2;
  }
  return -1;
}
