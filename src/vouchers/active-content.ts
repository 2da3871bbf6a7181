/**
 * What the merged copy leaves out: everything that acts, opens, sends or carries a file (I6). The untouched original
 * keeps it. Pages are copied by a list of what is wanted; this is the second net, under all that hangs on them.
 */
import { PDFDict, PDFName, PDFStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

/** Keys that hold actions, files, or ties to parts of the document that are not copied. */
const DROPPED_KEYS: ReadonlySet<string> = new Set([
  'A',
  'AA',
  'AF',
  'Dest',
  'EF',
  'EmbeddedFiles',
  'JS',
  'JavaScript',
  'Launch',
  'Metadata',
  'Names',
  'OPI',
  'OpenAction',
  'PieceInfo',
  'Ref',
  'RichMediaContent',
  'StructParent',
  'StructParents',
  'URI',
  'XFA',
]);

/** A stream whose data lies in another file, and its length, which is written anew. */
const DROPPED_STREAM_KEYS: ReadonlySet<string> = new Set(['DL', 'F', 'FDecodeParms', 'FFilter', 'Length']);

/** Dictionaries in which every key is a name that the page's content made up: none of them means anything. */
const NAME_TABLES: ReadonlySet<string> = new Set([
  'CharProcs',
  'ColorSpace',
  'ExtGState',
  'Font',
  'Pattern',
  'Properties',
  'Shading',
  'XObject',
]);

const ACTION_KINDS: ReadonlySet<string> = new Set([
  'GoTo',
  'GoTo3DView',
  'GoToDp',
  'GoToE',
  'GoToR',
  'Hide',
  'ImportData',
  'JavaScript',
  'Launch',
  'Movie',
  'Named',
  'Rendition',
  'ResetForm',
  'RichMediaExecute',
  'SetOCGState',
  'Sound',
  'SubmitForm',
  'Thread',
  'Trans',
  'URI',
]);

const ACTIVE_TYPES: ReadonlySet<string> = new Set(['Action', 'EmbeddedFile', 'Filespec', 'Sig']);

/** How the keys of a dictionary are to be read: as the format's own, or as names the content made up. */
export type KeyMeaning = 'format' | 'names';

export function meaningBelow(key: string): KeyMeaning {
  return NAME_TABLES.has(key) ? 'names' : 'format';
}

export function isKeyDropped(key: string, of: { meaning: KeyMeaning; isStream: boolean }): boolean {
  if (of.isStream && DROPPED_STREAM_KEYS.has(key)) return true;
  return of.meaning === 'format' && DROPPED_KEYS.has(key);
}

/** An action, a file, a signature, or a program for a printer: null stands for it in the copy. */
export function isActive(object: PDFObject): boolean {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict)) return false;
  if (object instanceof PDFStream && nameIn(dict, 'Subtype') === 'PS') return true;
  return ACTIVE_TYPES.has(nameIn(dict, 'Type')) || ACTION_KINDS.has(nameIn(dict, 'S'));
}

/** The name under a key, without its slash; empty where there is none. */
export function nameIn(dict: PDFDict, key: string): string {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? plainName(value) : '';
}

/** A name without its slash. Decoding is slow and almost never needed. */
export function plainName(name: PDFName): string {
  const encoded = name.asString();
  return encoded.includes('#') ? name.decodeText() : encoded.slice(1);
}
