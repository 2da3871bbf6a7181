/**
 * The process that opens what nobody has seen before. It does what the merge will do, without writing: a file that
 * passes here is merged by the same steps. It may be killed at any moment.
 */
import { messageOf } from '../../core/errors.ts';
import { importPages } from '../pdf/import-pages.ts';
import type { ObjectWriter } from '../pdf/object-copy.ts';
import type { PageNumbers } from '../pdf/page-number.ts';
import { PdfFault } from '../pdf/pdf-fault.ts';
import { openSource } from '../pdf/pdf-source.ts';
import { answerQuestions } from './worker-answers.ts';

export interface CheckRequest {
  bytes: Uint8Array;
  pagesMax: number;
}

export type CheckReply =
  { condition: 'whole'; pages: number } | { condition: 'encrypted' | 'damaged' | 'hostile'; remark: string };

/** Counts objects and keeps none. */
function discardingWriter(): ObjectWriter {
  let last = 0;
  return {
    reserve: () => {
      last += 1;
      return last;
    },
    write: () => undefined,
  };
}

/** Pages of no bundle. */
const UNNUMBERED: PageNumbers = { font: 0, around: (contents) => ({ contents: [...contents], digits: 0 }) };

async function check({ bytes, pagesMax }: CheckRequest): Promise<CheckReply> {
  try {
    const source = openSource(bytes, pagesMax);
    importPages(source, { writer: discardingWriter(), once: new Map() }, UNNUMBERED);
    return { condition: 'whole', pages: source.pages.length };
  } catch (error) {
    if (error instanceof PdfFault) return { condition: error.condition, remark: error.message };
    if (error instanceof RangeError) {
      return { condition: 'hostile', remark: 'it is nested too deeply or asks for too much' };
    }
    return { condition: 'damaged', remark: `it cannot be read: ${messageOf(error).slice(0, 200)}` };
  }
}

answerQuestions(check);
