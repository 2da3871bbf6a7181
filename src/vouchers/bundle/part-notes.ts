/**
 * What a part says of itself to who goes on with it: which originals lie on which pages, what can be shared, and what
 * it was made of. Each making notes what it added, and where the notes of the one before lie in the same file.
 */
import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';

import { isJsonObject, jsonText, member, parseJson } from '../../core/json.ts';
import type { Layer } from '../pdf/import-pages.ts';
import { chunksOf, readAt, readEnd, withFile } from '../pdf/pdf-end.ts';
import type { FormerFile, NotesPlace, PdfEnd } from '../pdf/pdf-end.ts';

/** Pages of an original that were copied; each lies in the file once. */
export interface HeldOriginal {
  sha256: string;
  /** Numbers of their objects. */
  pages: number[];
  /** Numbers of the objects in which these pages say their number; none of pages that were merged before any did. */
  digits: number[];
  layers: Layer[];
}

export interface PartNotes {
  before: NotesPlace | null;
  /** Digest of the plan that the part shows (`planDigest`). */
  plan: string;
  pageRoot: number;
  originals: HeldOriginal[];
  /** Objects that are written once, by their digests (`WrittenOnce`). */
  once: [string, number][];
  /** Which page an object of digits says. */
  numbered: [number, number][];
}

/** A part that can be gone on with. */
export interface FormerPart extends Omit<PartNotes, 'before'> {
  file: FormerFile;
  end: PdfEnd;
  /** Nothing follows what is on record. */
  isExact: boolean;
}

/** Another form of these notes is another number: a part with notes of one that is not known is made anew. */
const FORM = 2;
/** That of parts whose slips have no numbers: they are kept and gone on with as they are. */
const UNNUMBERED_FORM = 1;
/** Notes of a part of 2,000 files take some hundred kB; what follows a part may be anything. */
const NOTES_BYTES_MAX = 67_108_864;

export function notesBytes(notes: PartNotes): Uint8Array {
  return deflateSync(jsonText({ form: FORM, ...notes }));
}

/**
 * Undefined where the part is not gone on with but made anew: it is no longer what is on record, another program made
 * it, or something follows that we did not write, which has to be kept.
 */
export function readFormerPart(file: FormerFile): FormerPart | undefined {
  return withFile(file.path, (descriptor, size) => {
    if (size < file.bytes || digestOf(file) !== file.sha256) return undefined;
    const end = readEnd(descriptor, file.bytes);
    const newest = end && notesAt(descriptor, end.notes);
    const isExact = size === file.bytes;
    if (end === undefined || newest === undefined) return undefined;
    if (!isExact && !follows(descriptor, { size, end })) return undefined;
    const { plan, pageRoot } = newest;
    const part: FormerPart = { file, end, isExact, plan, pageRoot, originals: [], once: [], numbered: [] };
    for (let notes: PartNotes | undefined = newest; notes !== undefined;) {
      part.originals.unshift(...notes.originals);
      part.once.unshift(...notes.once);
      part.numbered.unshift(...notes.numbered);
      notes = notes.before === null ? undefined : notesAt(descriptor, notes.before);
    }
    return part;
  });
}

function digestOf(file: FormerFile): string {
  const digest = createHash('sha256');
  for (const chunk of chunksOf(file)) digest.update(chunk);
  return digest.digest('hex');
}

/** A process that died had gone on with the part already: what it wrote was never recorded. */
function follows(descriptor: number, { size, end }: { size: number; end: PdfEnd }): boolean {
  const last = readEnd(descriptor, size);
  return last !== undefined && notesAt(descriptor, last.notes)?.before?.at === end.notes.at;
}

/** Undefined where they are not ours, or of another form. */
function notesAt(descriptor: number, place: NotesPlace): PartNotes | undefined {
  if (place.bytes > NOTES_BYTES_MAX) return undefined;
  let read: unknown;
  try {
    const text = inflateSync(readAt(descriptor, place), { maxOutputLength: NOTES_BYTES_MAX });
    read = parseJson(text.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isJsonObject(read)) return undefined;
  switch (member(read, 'form')) {
    case FORM:
      return read as unknown as PartNotes;
    case UNNUMBERED_FORM:
      return numberedNowhere(read as unknown as UnnumberedNotes);
    default:
      return undefined;
  }
}

type UnnumberedNotes = Omit<PartNotes, 'originals' | 'numbered'> & {
  originals: Omit<HeldOriginal, 'digits'>[];
};

function numberedNowhere(notes: UnnumberedNotes): PartNotes {
  return {
    ...notes,
    originals: notes.originals.map((original) => ({ ...original, digits: [] })),
    numbered: [],
  };
}
