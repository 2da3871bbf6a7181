/** Faults of the transport, played on the socket itself (N2–N5, N11, N14). */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { Clock } from '../../core/ports.ts';
import type { SandboxReply, TransportFault } from '../protocol/exchange.ts';

interface Surroundings {
  clock: Clock;
  /** Aborted when the server closes: nothing may wait on after that. */
  closing: AbortSignal;
}

/** Ends when the reply has been sent, cut or given up. */
export async function playFault(
  response: ServerResponse,
  answered: SandboxReply,
  around: Surroundings,
): Promise<void> {
  const { fault } = answered;
  const socket = response.socket;
  if (!fault || !socket) {
    sendWhole(response, answered);
    return;
  }
  switch (fault.kind) {
    case 'drop':
      socket.destroy();
      return;
    case 'hold':
      if (!(await pause(fault.ms, socket, around))) return;
      await playFault(response, fault.resume(), around);
      return;
    case 'delay':
      if (await pause(fault.ms, socket, around)) sendWhole(response, answered);
      return;
    case 'gzip':
      sendWhole(response, { ...answered, headers: { ...answered.headers, 'content-encoding': 'gzip' } });
      return;
    case 'reset':
      sendPart(socket, answered, { bytes: fault.afterBytes, framing: fault.framing });
      socket.destroySoon();
      return;
    case 'stall':
      sendPart(socket, answered, { bytes: fault.afterBytes, framing: 'length' });
      destroyWhenClosing(socket, around);
      return;
    case 'drip':
      await drip(response, answered, { ...fault, socket, around });
      return;
    case 'flood':
      await flood(response, fault.bytes, around);
  }
}

function sendWhole(response: ServerResponse, answered: SandboxReply): void {
  const gzipped = answered.headers['content-encoding'] === 'gzip';
  const bytes = gzipped ? gzipSync(answered.body) : Buffer.from(answered.body, 'utf8');
  response.writeHead(answered.status, { ...answered.headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Waits as long as somebody listens. */
async function pause(ms: number, socket: Socket, { clock, closing }: Surroundings): Promise<boolean> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  closing.addEventListener('abort', leave, { once: true });
  try {
    await clock.sleep(ms, gone.signal);
    return !socket.destroyed;
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    return false;
  } finally {
    socket.off('close', leave);
    closing.removeEventListener('abort', leave);
  }
}

type Framing = Extract<TransportFault, { kind: 'reset' }>['framing'];

/** The head as it would be for the whole body, and the first bytes of the body. */
function sendPart(socket: Socket, answered: SandboxReply, part: { bytes: number; framing: Framing }): void {
  const whole = Buffer.from(answered.body, 'utf8');
  const head = headOf(answered, { framing: part.framing, length: whole.length });
  const begin = whole.subarray(0, Math.min(part.bytes, Math.max(0, whole.length - 1)));
  const chunkHead = part.framing === 'chunked' ? `${whole.length.toString(16)}\r\n` : '';
  socket.write(Buffer.concat([Buffer.from(`${head}${chunkHead}`, 'latin1'), begin]));
}

function headOf(answered: SandboxReply, body: { framing: Framing; length: number }): string {
  const framing = {
    length: `content-length: ${body.length}`,
    chunked: 'transfer-encoding: chunked',
    close: 'connection: close',
  }[body.framing];
  const headers = Object.entries(answered.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answered.status} Faulty\r\n${headers.join('')}${framing}\r\n\r\n`;
}

function destroyWhenClosing(socket: Socket, { closing }: Surroundings): void {
  if (closing.aborted) socket.destroy();
  closing.addEventListener('abort', () => socket.destroy(), { once: true });
}

async function drip(
  response: ServerResponse,
  answered: SandboxReply,
  how: { bytesPerChunk: number; everyMs: number; socket: Socket; around: Surroundings },
): Promise<void> {
  const bytes = Buffer.from(answered.body, 'utf8');
  response.writeHead(answered.status, { ...answered.headers, 'content-length': bytes.length });
  response.flushHeaders();
  for (let begin = 0; begin < bytes.length; begin += how.bytesPerChunk) {
    if (!(await pause(how.everyMs, how.socket, how.around))) return;
    response.write(bytes.subarray(begin, begin + how.bytesPerChunk));
  }
  response.end();
}

/** A block of the flood; what a socket takes at once is of that order. */
const BLOCK_BYTES = 65_536;

async function flood(response: ServerResponse, bytes: number, { closing }: Surroundings): Promise<void> {
  const block = Buffer.alloc(BLOCK_BYTES, 'a');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"code":"000000","msg":"');
  for (let left = bytes; left > 0 && !response.destroyed && !closing.aborted; left -= BLOCK_BYTES) {
    if (!response.write(block.subarray(0, left))) await drained(response);
  }
  response.end('"}');
}

/** Resolves when there is room again, or nobody is there any more. */
function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  response.once('close', resolve);
  return promise.finally(() => {
    response.off('drain', resolve);
    response.off('close', resolve);
  });
}
