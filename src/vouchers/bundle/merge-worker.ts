/**
 * The process in which parts are merged, so that the night's event loop stays free. Only files that were checked get
 * here, by the steps they were checked with, so that none of them can hold it up.
 */
import { messageOf } from '../../core/errors.ts';
import type { PartPlan } from './bundle-plan.ts';
import type { BundleLocale } from './bundle-words.ts';
import { cutFonts } from '../pdf/fonts.ts';
import type { Typefaces, Weight } from '../pdf/fonts.ts';
import { keptPart, openPart } from './part-maker.ts';
import type { PartMade, PartMaker } from './part-maker.ts';
import { readFormerPart } from './part-notes.ts';
import type { FormerFile } from '../pdf/pdf-end.ts';
import { PdfFault } from '../pdf/pdf-fault.ts';
import { bundleWords } from './words-of-bundle.ts';
import { answerQuestions } from '../check/worker-answers.ts';

/** Everything that the fonts of a bundle have to show. */
export type FontTexts = Readonly<Record<Weight, readonly string[]>>;

export type MergeQuestion =
  | { step: 'fonts'; texts: FontTexts }
  | { step: 'keep'; former: FormerFile; plan: PartPlan }
  | { step: 'open'; path: string; locale: BundleLocale; former: FormerFile | undefined }
  | { step: 'add'; sha256: string; bytes: Uint8Array }
  | { step: 'finish'; plan: PartPlan }
  | { step: 'close' };

/** An error of the disk crosses processes with what `diskFiles` tells it by. */
export interface CarriedError {
  message: string;
  code: string | undefined;
  syscall: string | undefined;
}

export type MergeAnswer =
  | { done: true }
  | { held: readonly string[] }
  | { pages: number }
  | { fault: { condition: PdfFault['condition']; remark: string } }
  | { made: PartMade }
  | { error: CarriedError };

let faces: Typefaces | undefined;
let part: PartMaker | undefined;

async function answer(question: MergeQuestion): Promise<MergeAnswer> {
  switch (question.step) {
    case 'fonts':
      faces = await cutFonts(question.texts);
      return { done: true };
    case 'keep': {
      const former = readFormerPart(question.former);
      const made = former && keptPart(former, question.plan);
      return made === undefined ? { done: true } : { made };
    }
    case 'open': {
      if (faces === undefined) throw new Error('Bug: a part is opened before its fonts were cut');
      const former = question.former && readFormerPart(question.former);
      const label = bundleWords(question.locale).slipPage;
      part = openPart(question.path, { faces, label, former });
      return { held: former?.originals.map(({ sha256 }) => sha256) ?? [] };
    }
    case 'add':
      return await addOriginal(question);
    case 'finish': {
      const made = await openPartOrThrow().finish(question.plan);
      part = undefined;
      return { made };
    }
    case 'close':
      part?.close();
      part = undefined;
      return { done: true };
  }
}

async function addOriginal(original: { sha256: string; bytes: Uint8Array }): Promise<MergeAnswer> {
  try {
    return { pages: await openPartOrThrow().add(original) };
  } catch (error) {
    if (error instanceof PdfFault) return { fault: { condition: error.condition, remark: error.message } };
    // Of the disk, or of this program; the check knows what is of the file.
    throw error;
  }
}

function openPartOrThrow(): PartMaker {
  if (part === undefined) throw new Error('Bug: no part is open');
  return part;
}

function carried(error: unknown): CarriedError {
  const textOf = (name: 'code' | 'syscall'): string | undefined => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return { message: messageOf(error), code: textOf('code'), syscall: textOf('syscall') };
}

answerQuestions(async (question: MergeQuestion): Promise<MergeAnswer> => {
  try {
    return await answer(question);
  } catch (error) {
    return { error: carried(error) };
  }
});
