/**
 * Text of any origin as a cell's XML (I3, I4, P16). Every character a sheet cannot hold becomes
 * visible instead of breaking the workbook, and nothing a text says can become a formula: cells of text are
 * inline strings and never anything else.
 */

/** What one cell holds at most, in UTF-16 units, as Excel counts. */
export const CELL_TEXT_MAX = 32_767;

/** Room for the note at the end of a text that was cut. */
const CUT_NOTE_LENGTH = 24;

const LONE_SURROGATE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
/** What XML 1.0 cannot hold: control characters but tab, line feed and carriage return, and half characters. */
const ILLEGAL = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]|${LONE_SURROGATE}`,
  'g',
);
/** Markup, the carriage return that parsers turn into a line feed, and what Excel reads as an escape of its own. */
const DELICATE = /[&<>\r]|_(?=x[0-9A-Fa-f]{4}_)/g;
/** Whether any of the above can be in a text; most texts have none of it and pass unchanged. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what it looks for
const SUSPECT = /[&<>\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_x/;
/** Blanks that an XML reader may drop unless it is told to keep them. */
const FRAGILE_BLANKS = /^\s|\s$|[\t\n]|_x000D_| {2}/;

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '_x000D_',
  _: '_x005F_',
};

/**
 * The characters of an XML text node for one cell. Illegal characters are written visibly (`\ufffe`), `_x0041_`
 * keeps meaning itself, and a text over 32,767 characters is cut and ends in `…[+n]`, the number left out.
 */
export function escapeText(text: string): string {
  const fitting = cellText(text);
  return SUSPECT.test(fitting)
    ? fitting.replace(DELICATE, (character) => REPLACEMENTS[character] ?? '')
    : fitting;
}

/** The text that a cell holds, as whoever opens the file reads it: legal, and cut where it is too long. */
export function cellText(text: string): string {
  const fitting = text.length > CELL_TEXT_MAX ? cutText(text) : text;
  if (!SUSPECT.test(fitting)) return fitting;
  const legal = visibleText(fitting);
  return legal.length > CELL_TEXT_MAX ? cutText(legal) : legal;
}

/** The text with every character XML cannot hold made visible, for places where the library escapes the rest. */
export function visibleText(text: string): string {
  return text.replace(ILLEGAL, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function cutText(text: string): string {
  const wanted = CELL_TEXT_MAX - CUT_NOTE_LENGTH;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(wanted - 1));
  const kept = text.slice(0, splitsPair ? wanted - 1 : wanted);
  return `${kept}…[+${text.length - kept.length}]`;
}

/** The `<is>` of an inline string cell. */
export function inlineString(text: string): string {
  const escaped = escapeText(text);
  return FRAGILE_BLANKS.test(escaped)
    ? `<is><t xml:space="preserve">${escaped}</t></is>`
    : `<is><t>${escaped}</t></is>`;
}

/**
 * How wide a text is shown, in digits of the font: a Chinese character or another wide one counts two, a
 * line break starts anew.
 */
export function shownWidth(text: string): number {
  let widest = 0;
  for (const line of text.split('\n')) {
    let width = 0;
    for (const character of line) width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
    widest = Math.max(widest, width);
  }
  return widest;
}

/** How wide a text of one line is shown in two: broken where it stays narrowest, at a blank or between wide characters. */
export function brokenWidth(text: string): number {
  let narrowest = shownWidth(text);
  let isAfterWide = false;
  let at = 0;
  for (const character of text) {
    const isWideOne = isWide(character.codePointAt(0) ?? 0);
    if (character === ' ' || (isAfterWide && isWideOne)) {
      const halves = [text.slice(0, at), text.slice(at).trimStart()].map((half) => shownWidth(half));
      narrowest = Math.min(narrowest, Math.max(...halves));
    }
    isAfterWide = isWideOne;
    at += character.length;
  }
  return narrowest;
}

/** East Asian wide and full-width forms, and emoji. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x3fffd)
  );
}
