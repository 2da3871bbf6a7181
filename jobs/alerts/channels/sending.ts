/** What every way of telling is given. */
import type { AlertDocument } from '../alert-document.ts';

export interface Sending {
  document: AlertDocument;
  /** The same for messengers. */
  text: string;
  /** By the real clock: receivers compare it with theirs. */
  nowMs: number;
  signal: AbortSignal;
  /** Where the workbook lies that goes along; undefined: none does. */
  attachment: { path: string; name: string } | undefined;
}

/** The beginning that fits, whole characters only. */
export function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  const mark = '…';
  const room = bytesMax - Buffer.byteLength(mark, 'utf8');
  return `${new TextDecoder('utf-8').decode(bytes.subarray(0, room)).replace(/\uFFFD+$/, '')}${mark}`;
}
