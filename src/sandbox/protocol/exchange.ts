/** What goes in and out of the sandbox's core, with or without a socket around it. */

export interface SandboxRequest {
  method: string;
  /** From the first slash; a query string is ignored. */
  path: string;
  contentType: string;
  /** As received, decoded from UTF-8. */
  body: string;
}

export interface SandboxReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** How the transport misbehaves on this reply; without a socket the caller decides what that means. */
  fault?: TransportFault;
}

/** One request of the control surface (CTL). */
export interface ControlRequest {
  method: string;
  /** With the prefix. */
  path: string;
  contentType: string;
  body: string;
}

export interface ControlReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export type TransportFault =
  /** No byte comes back. */
  | { kind: 'drop' }
  /** The request is processed only after that long: `resume` does it, once. */
  | { kind: 'hold'; ms: number; resume: () => SandboxReply }
  | { kind: 'delay'; ms: number }
  | { kind: 'reset'; afterBytes: number; framing: 'length' | 'chunked' | 'close' }
  | { kind: 'stall'; afterBytes: number }
  | { kind: 'drip'; bytesPerChunk: number; everyMs: number }
  | { kind: 'flood'; bytes: number }
  | { kind: 'gzip' };

export const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonReply(status: number, document: unknown): SandboxReply {
  return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(document) };
}
