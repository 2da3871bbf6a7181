/**
 * Where requests go: a sandbox in this process, one behind a real socket, or a platform somewhere else. What a
 * rule sees is the same each time: a request and its reply.
 */
import { systemClock } from '../../src/core/clock.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { NOON } from '../sandbox/caller.ts';

export interface WireRequest {
  method: string;
  path: string;
  contentType: string;
  body: string;
}

export interface WireReply {
  status: number;
  body: string;
}

/** @throws Error when no whole reply comes back */
export type Wire = (request: WireRequest) => Promise<WireReply>;

/** A sandbox that can be spoken to and controlled. */
export interface Target extends AsyncDisposable {
  name: 'in process' | 'over HTTP';
  sandbox: Sandbox;
  wire: Wire;
  /** Where it listens; empty in this process. */
  url: string;
  /** A new world: what the last rule left is gone. */
  renew(): void;
}

export function inProcess(): Target {
  let sandbox = createSandbox({ now: NOON });
  return {
    name: 'in process',
    get sandbox() {
      return sandbox;
    },
    wire: (request) => Promise.resolve(answeredBy(sandbox, request)),
    url: '',
    renew: () => {
      sandbox = createSandbox({ now: NOON });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function answeredBy(sandbox: Sandbox, request: WireRequest): WireReply {
  if (request.path.startsWith('/control/')) return sandbox.control(request);
  const { status, body, fault } = sandbox.answer(request);
  if (fault?.kind === 'drop') throw new Error('the connection was cut');
  return { status, body };
}

export async function overHttp(): Promise<Target> {
  const sandbox = createSandbox({ now: NOON });
  const served = await serve(sandbox, { port: 0, controls: true, clock: systemClock() });
  return {
    name: 'over HTTP',
    sandbox,
    wire: wireTo(served.url),
    url: served.url,
    renew: () => sandbox.reset(),
    [Symbol.asyncDispose]: () => served.close(),
  };
}

/** Requests to an address: one fetch each, nothing repeated or redirected. */
export function wireTo(baseUrl: string): Wire {
  return async ({ method, path, contentType, body }) => {
    const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method,
      redirect: 'manual',
      ...(method === 'GET' ? {} : { headers: { 'content-type': contentType }, body }),
    });
    return { status: reply.status, body: await reply.text() };
  };
}
