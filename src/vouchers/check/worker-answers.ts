/** The other end of a `WorkerProcess`: questions are answered in their order, each after the one before. */
import module from 'node:module';
import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 1_000;

/** `answer` must not throw: what went wrong is an answer too. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what is asked, once for each worker
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  if (process.send === undefined) throw new Error('Bug: this file runs as a process of its own only');
  // Who asks decides when this ends; a terminal or a service manager that stops both would end a file's check midway.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  endWithAsker(Number(process.argv[2]));
  // It is killed in the end, and would keep nothing of what it compiled for the next one.
  module.flushCompileCache();
  let last: Promise<void> = Promise.resolve();
  process.on('message', (question: Question) => {
    last = last
      .then(() => answer(question))
      .then((reply) => {
        process.send?.(reply);
        return undefined;
      });
  });
}

/** A file may keep this process busy for ever, so that it does not see that nobody waits any more: a thread looks. */
function endWithAsker(asker: number): void {
  const look = `if (process.ppid !== ${asker}) process.kill(process.pid, 'SIGKILL')`;
  new Worker(`setInterval(() => { ${look}; }, ${LOOK_EVERY_MS})`, { eval: true }).unref();
}
