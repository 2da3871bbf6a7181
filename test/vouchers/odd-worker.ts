/** A process that does on request what a hostile file may make one do. */
import { answerQuestions } from '../../src/vouchers/check/worker-answers.ts';

export type OddQuestion = 'what it knows' | 'endless' | 'end';

export interface Knowledge {
  pid: number;
  /** Of its settings. */
  names: string[];
}

// oxlint-disable-next-line typescript/require-await -- the other end waits for an answer
async function answer(question: OddQuestion): Promise<Knowledge> {
  if (question === 'end') process.exit(3);
  if (question === 'endless') for (;;);
  return { pid: process.pid, names: Object.keys(process.env) };
}

answerQuestions(answer);
