/**
 * Text from outside, made storable (P16): what a database or a workbook refuses is written as an escape that
 * can be read back, and a text without end is cut with a note of what it was.
 */
import { createHash } from 'node:crypto';

/** Names and remarks are some hundred characters; a megabyte of one must not fill a table or a cell. */
const LENGTH_MAX = 4_000;
/** What is kept of a longer text; the note takes the rest. */
const KEPT_LENGTH = 3_900;

/** NUL, surrogates (lone ones are found below), the two non-characters XML forbids, and our own escape. */
const SUSPECT = /[\0\ud800-\udfff\ufffe\uffff]|\\u/;
const LONE_SURROGATE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
/** A backslash is only escaped where it would read as an escape of ours. */
const UNSTORABLE = new RegExp(`[\\0\\ufffe\\uffff]|${LONE_SURROGATE}|\\\\(?=u[0-9a-f]{4})`, 'g');
const ESCAPE = /\\u([0-9a-f]{4})/g;
/** What the cut of an escape or of a surrogate pair leaves at the end. */
const CUT_REMAINS = /(?:\\(?:u[0-9a-f]{0,3})?|[\ud800-\udbff])$/;

/**
 * The text with every NUL, lone surrogate, U+FFFE and U+FFFF written as `\u0000` (lower-case hex), and a
 * literal `\u0000` as `\u005cu0000`; `textAsReceived` turns it back. Texts over 4,000 characters are cut and
 * end in their length and SHA-256.
 */
export function storableText(text: string): string {
  const escaped = SUSPECT.test(text) ? text.replace(UNSTORABLE, escapeOf) : text;
  if (escaped.length <= LENGTH_MAX) return escaped;
  const digest = createHash('sha256').update(text, 'utf8').digest('hex');
  const kept = escaped.slice(0, KEPT_LENGTH).replace(CUT_REMAINS, '');
  return `${kept}… [${text.length} characters, sha256 ${digest}]`;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The text before `storableText`; of one that was cut, the part that was kept. */
export function textAsReceived(stored: string): string {
  return stored.replace(ESCAPE, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What a ledger is called: a name that can stand in a list, a log and a file id. */
export const SOURCE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
export const SOURCE_SIGNS = '1 to 64 letters, digits, blanks, ".", "_" or "-"';

/** As one says it: "1 order", "2 orders". @param count a number, or its digits as they are shown */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : many}`;
}
