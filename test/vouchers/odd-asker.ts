/** Asks what is never answered, for a test that kills it meanwhile. */
import { startWorker } from '../../src/vouchers/check/worker-process.ts';
import type { Knowledge, OddQuestion } from './odd-worker.ts';

const worker = startWorker<OddQuestion, Knowledge>(new URL('./odd-worker.ts', import.meta.url), {
  heapMb: 40,
});
await worker.ask('what it knows');
console.log('ready');
await worker.ask('endless');
