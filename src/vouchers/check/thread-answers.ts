/** The other end of a `Thread`: questions are answered in their order, each after the one before. */
import { parentPort } from 'node:worker_threads';

/** `answer` must not throw: what went wrong is an answer too. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what is asked, once for each thread
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  const port = parentPort;
  if (port === null) throw new Error('Bug: this file runs as a thread only');
  let last: Promise<void> = Promise.resolve();
  port.on('message', (question: Question) => {
    last = last
      .then(() => answer(question))
      .then((reply) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        port.postMessage(reply);
        return undefined;
      });
  });
}
