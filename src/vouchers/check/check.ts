/**
 * Whether what came as a voucher is one (VCH-06, I6–I8): strict Base64 within a limit, a PDF from its first byte to
 * its last, and one that opens. What nobody has seen before is opened in a process that is killed on time or memory
 * (I6).
 */
import type { Clock } from '../../core/ports.ts';
import type { VoucherCondition } from '../../store/schema/schema-vouchers.ts';
import type { CheckReply, CheckRequest } from './check-worker.ts';
import { askWatched, CHECK_MEMORY_MB, startWorker } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Why no file came of a text; for people. */
export interface DecodeFault {
  fault: string;
}

const DATA_URI = /^data:[a-z0-9.+/-]{0,100}(?:;[a-z0-9=-]{1,40})*;base64,/i;

/**
 * The bytes of one element of `fileList`, or why there are none. Strict: the alphabet of RFC 4648 with its padding and
 * no blanks, and the only text those bytes are written as (I8). The size is looked at before anything is decoded.
 */
export function decodeFile(
  base64Text: string,
  limits: { bytesMax: number; stripDataUri: boolean },
): Uint8Array | DecodeFault {
  const prefix = limits.stripDataUri ? (DATA_URI.exec(base64Text.slice(0, 300))?.[0].length ?? 0) : 0;
  const length = base64Text.length - prefix;
  if (length === 0) return { fault: 'the file is empty' };
  if (Math.ceil(length / 4) * 3 - 2 > limits.bytesMax) {
    return { fault: `the file is larger than ${limits.bytesMax} bytes` };
  }
  const text = prefix === 0 ? base64Text : base64Text.slice(prefix);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return { fault: 'the file is not strict Base64' };
  if (bytes.byteLength > limits.bytesMax)
    return { fault: `the file is larger than ${limits.bytesMax} bytes` };
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface CheckedFile {
  /** rejected: no PDF at all, nothing of it is kept; encrypted, damaged, hostile: kept, and not merged. */
  condition: VoucherCondition;
  /** Null: it could not be opened. */
  pages: number | null;
  /** Why it is not whole, for people; empty when it is. */
  remark: string;
}

export interface Checker {
  /** Never throws for what a file holds. */
  check(bytes: Uint8Array): Promise<CheckedFile>;
  close(): Promise<void>;
}

export interface CheckerLimits {
  /** The real clock: a rehearsed one does not know how long a process takes. */
  clock: Clock;
  timeoutMs?: number;
  memoryMb?: number;
  pagesMax?: number;
}

/** A slip takes some ten milliseconds. */
const TIMEOUT_MS = 5_000;
const PAGES_MAX = 200;
/** What a process may take until it has loaded its library, on a busy machine. */
const START_MS = 30_000;

type CheckWorker = WorkerProcess<CheckRequest, CheckReply>;

/** One process, started when it is needed, used again, and replaced after it was killed; files wait for each other. */
export function openChecker(limits: CheckerLimits): Checker {
  let worker: CheckWorker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    check: async (bytes) => {
      const fault = envelopeFault(bytes);
      if (fault !== undefined) return { condition: 'rejected', pages: null, remark: fault };
      const mine = last.then(async () => {
        worker = await readyWorker(worker, limits.clock);
        return await checkIn(worker, { bytes, pagesMax: limits.pagesMax ?? PAGES_MAX }, limits);
      });
      last = mine.catch(() => undefined);
      return await mine;
    },
    close: async () => {
      await worker?.kill();
    },
  };
}

/** The smallest file that opens; asked of a new process, so that loading the library is not on a file's time. */
const SMALLEST = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n',
);

async function readyWorker(worker: CheckWorker | undefined, clock: Clock): Promise<CheckWorker> {
  if (worker?.isAlive() === true) return worker;
  const started: CheckWorker = startWorker(new URL('./check-worker.ts', import.meta.url), {
    heapMb: CHECK_MEMORY_MB,
  });
  const first = await askWatched(
    started,
    { bytes: SMALLEST, pagesMax: 1 },
    { clock, timeoutMs: START_MS, memoryBytesMax: Number.POSITIVE_INFINITY },
  );
  if ('answer' in first && first.answer.condition === 'whole') return started;
  await started.kill();
  throw new Error(
    'the process that checks vouchers does not start',
    'died' in first ? { cause: first.died } : {},
  );
}

async function checkIn(
  worker: CheckWorker,
  request: CheckRequest,
  limits: CheckerLimits,
): Promise<CheckedFile> {
  const timeoutMs = limits.timeoutMs ?? TIMEOUT_MS;
  const memoryMb = limits.memoryMb ?? CHECK_MEMORY_MB;
  const watched = await askWatched(worker, request, {
    clock: limits.clock,
    timeoutMs,
    memoryBytesMax: memoryMb * 1_048_576,
  });
  if ('answer' in watched) {
    const { answer } = watched;
    return answer.condition === 'whole'
      ? { condition: 'whole', pages: answer.pages, remark: '' }
      : { condition: answer.condition, pages: null, remark: answer.remark };
  }
  if ('died' in watched) return hostile('it made the reader fail');
  return watched.killed === 'time'
    ? hostile(`it could not be opened within ${timeoutMs / 1_000} s`)
    : hostile(`it took more than ${memoryMb} MB to open`);
}

function hostile(remark: string): CheckedFile {
  return { condition: 'hostile', pages: null, remark };
}

/** Some producers write a byte order mark or blank lines first. */
const PREFIX_MAX = 1_024;
const WHITE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What is wrong with a file before it is opened; undefined: it begins and ends as a PDF does. */
function envelopeFault(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = ORDER_MARK.every((byte, at) => file[at] === byte) ? ORDER_MARK.length : 0;
  while (start < PREFIX_MAX && WHITE.has(file[start] ?? -1)) start += 1;
  if (file.toString('latin1', start, start + 5) !== '%PDF-') return 'it does not begin with %PDF-';
  const end = file.lastIndexOf('%%EOF');
  if (end < 0) return 'it does not end with %%EOF';
  for (let at = end + 5; at < file.byteLength; at += 1) {
    if (!WHITE.has(file[at] ?? -1)) return 'something follows its end';
  }
  return undefined;
}
