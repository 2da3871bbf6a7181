/**
 * The thread in which parts are merged, so that the night's event loop stays free. Only files that were checked get
 * here, by the steps they were checked with, so that none of them can hold it up.
 */
import { messageOf } from '../../core/errors.ts';
import type { PartPlan } from './bundle-plan.ts';
import { cutFonts } from '../pdf/fonts.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import { openPart } from './part-maker.ts';
import type { PartMade, PartMaker } from './part-maker.ts';
import { PdfFault } from '../pdf/pdf-fault.ts';
import { answerQuestions } from '../check/thread-answers.ts';

export type MergeQuestion =
  | { step: 'fonts'; texts: readonly string[] }
  | { step: 'open'; path: string }
  | { step: 'add'; bytes: Uint8Array }
  | { step: 'finish'; plan: PartPlan }
  | { step: 'close' };

/** An error of the disk crosses threads with what `diskFiles` tells it by. */
export interface CarriedError {
  message: string;
  code: string | undefined;
  syscall: string | undefined;
}

export type MergeAnswer =
  | { done: true }
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
    case 'open':
      if (faces === undefined) throw new Error('Bug: a part is opened before its fonts were cut');
      part = openPart(question.path, faces);
      return { done: true };
    case 'add':
      return await addOriginal(question.bytes);
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

async function addOriginal(bytes: Uint8Array): Promise<MergeAnswer> {
  try {
    return { pages: await openPartOrThrow().add(bytes) };
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
