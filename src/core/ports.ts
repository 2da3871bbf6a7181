/**
 * The ports: the only ways in which the job reaches the world. They are handed in by `jobs/context/context.ts`, so
 * that a whole night can run on a virtual clock with faults and crashes. The database port is the Kysely
 * instance of `store/database/database.ts`.
 */
import type { Instant } from './time.ts';

export interface Clock {
  /** Wall time now. */
  wall(): Instant;
  /** A clock that only runs forward, in ms since this process began: for durations and deadlines (N16). */
  monoMs(): number;
  /** Resolves after that long; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  /** A request number never used before: 128 random bits as 32 hex digits (ENV-15, N17). */
  reqId(): string;
  /** A name nobody else has, for a process, a lease or a run: 32 hex digits. */
  token(): string;
  /** A random fraction in [0, 1), for the jitter of pauses only. */
  jitter(): number;
}

export interface HttpRequest {
  url: string;
  body: string;
  /** Headers beside the transport's own content-type, accept and accept-encoding. */
  headers?: Readonly<Record<string, string>>;
  /** Whole time from now until the last byte, in ms. */
  deadlineMs: number;
  /** Bytes of the body that are read at most. */
  bytesMax: number;
}

export interface HttpAnswer {
  status: number;
  contentType: string;
  retryAfterMs: number | undefined;
  /** The body as UTF-8 text; an incomplete or oversize body never gets here. */
  text: string;
}

export interface Http {
  /**
   * One POST, never repeated, never redirected.
   * @throws NotSent when no byte can have left
   * @throws OutcomeUnknown for everything else that brings no whole answer
   */
  post(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface Files {
  /** Writes a file whole or not at all: temporary name, fsync, rename, fsync of the folder (H3). */
  writeWhole(path: string, bytes: Uint8Array | string): Promise<void>;
  /** The same for a producer that writes by itself to a temporary path it is given. */
  writeWholeWith(path: string, produce: (temporaryPath: string) => Promise<void>): Promise<void>;
  /** Writes a file that is not there, whole or not at all. @returns false where something bears the name already */
  writeNew(path: string, text: string): Promise<boolean>;
  read(path: string): Promise<Uint8Array>;
  /** Undefined when there is no such file. */
  size(path: string): Promise<number | undefined>;
  sha256(path: string): Promise<string>;
  makeFolder(path: string): Promise<void>;
}

export type LogFields = Readonly<Record<string, unknown>> & { readonly event: string };

/** Events with fields, not prose; names are `noun.verb`. */
export interface Log {
  debug(fields: LogFields): void;
  info(fields: LogFields): void;
  warn(fields: LogFields): void;
  error(fields: LogFields): void;
  /** A log whose lines all carry these fields too. */
  with(fields: Readonly<Record<string, unknown>>): Log;
}
