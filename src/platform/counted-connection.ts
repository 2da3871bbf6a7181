/**
 * A connection that knows of each request whether anything came back for it. undici tells of whole heads alone, and one
 * that is cut within them may have begun an acceptance (docs/reliability.md 2.3 a).
 */
import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { systemClock } from '../core/clock.ts';

/** By the options it was dispatched with; a request that was given to no connection has none. */
export type Carriages = WeakMap<object, Carriage>;

export interface Carriage {
  /** Whether a byte came back. */
  isHeard(): boolean;
  /** Since when it has its connection, on the monotonic clock; undefined: one is being opened. */
  sinceMs(): number | undefined;
}

const HTTPS_PORT = '443';

/**
 * One of a pool, which carries one request at a time. Bytes are counted as they come over the wire, below TLS: half of an
 * encrypted record is nothing to who decrypts it, and may be half of an acceptance. What TLS itself sends counts too.
 */
export class CountedConnection extends Client {
  readonly #carriages: Carriages;
  readonly #carried: Carried;

  constructor(
    origin: URL,
    {
      connect,
      carriages,
      ...options
    }: Client.Options & { connect: buildConnector.connector; carriages: Carriages },
  ) {
    const carried: Carried = { request: undefined, socket: undefined };
    super(origin, {
      ...options,
      connect: (to, callback) => {
        const isTls = to.protocol === 'https:';
        const plain = isTls ? { ...to, protocol: 'http:', port: to.port || HTTPS_PORT } : to;
        connect(plain, (...outcome) => {
          const [failure, socket] = outcome;
          if (failure !== null || socket === null) return callback(...outcome);
          if (!isTls) {
            useSocket(carried, socket);
            return callback(...outcome);
          }
          connect({ ...to, httpSocket: socket }, (...secured) => {
            if (secured[1]) useSocket(carried, socket);
            else socket.destroy();
            callback(...secured);
          });
        });
      },
    });
    [this.#carriages, this.#carried] = [carriages, carried];
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { socket } = this.#carried;
    const request: Counted = socket === undefined ? { over: [] } : { over: [since(socket)] };
    this.#carried.request = request;
    this.#carriages.set(options, {
      isHeard: () => request.over.some(({ socket, bytesBefore }) => socket.bytesRead > bytesBefore),
      sinceMs: () => request.over.at(-1)?.sinceMs,
    });
    return super.dispatch(options, handler);
  }
}

interface Carried {
  /** The request that was given to it last. */
  request: Counted | undefined;
  /** In use, or used last; below TLS. */
  socket: Socket | undefined;
}

interface Counted {
  /** The connection that was open for it, and those that were opened instead. */
  over: { socket: Socket; bytesBefore: number; sinceMs: number }[];
}

function useSocket(carried: Carried, socket: Socket): void {
  carried.socket = socket;
  carried.request?.over.push(since(socket));
}

function since(socket: Socket): Counted['over'][number] {
  return { socket, bytesBefore: socket.bytesRead, sinceMs: clock.monoMs() };
}

const clock = systemClock();
