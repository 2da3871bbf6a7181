/**
 * The network between the processes and the platform. Unlike a fault of the sandbox, a request that is under way in
 * it arrives although its sender is dead by then; that is what makes a kill dangerous (docs/reliability.md 0.1).
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** What happens to one settlement on its way. */
export interface Passage {
  /** It arrives so much later; its sender may have given up, or died. */
  lateMs: number;
  /** It never arrives. */
  isLost: boolean;
  /** It arrives, and its answer does not. */
  isUnanswered: boolean;
  /** It is delivered twice; the sender sees the second answer (N12). */
  isTwice: boolean;
}

export const STRAIGHT: Passage = { lateMs: 0, isLost: false, isUnanswered: false, isTwice: false };

export interface Hooks {
  /** A settlement that a process sent, before anything becomes of it. */
  onSend: (reqId: string) => Promise<void>;
  passage: () => Passage;
  /** How long a query takes. */
  queryMs: () => number;
}

export class Network {
  readonly #server: Server;
  readonly #target: string;
  readonly #underWay = new Set<Promise<void>>();
  hooks: Hooks = { onSend: () => Promise.resolve(), passage: () => STRAIGHT, queryMs: () => 0 };
  /** The numbers of the settlements that reached the platform. */
  readonly arrived = new Set<string>();

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      const carried = this.#carry(request, response).catch(() => void response.destroy());
      this.#underWay.add(carried);
      void carried.finally(() => this.#underWay.delete(carried));
    });
  }

  static async open(target: string): Promise<Network> {
    const network = new Network(target);
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits until nothing is on its way any more. */
  async calm(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async close(): Promise<void> {
    await this.calm();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await text(request);
    if (!path.endsWith('/order/settle')) {
      await pause(this.hooks.queryMs());
      return answer(response, await this.#deliver(path, body));
    }
    const { reqId } = JSON.parse(body) as { reqId: string };
    const passage = this.hooks.passage();
    await this.hooks.onSend(reqId);
    await pause(passage.lateMs);
    if (passage.isLost) return void response.destroy();
    this.arrived.add(reqId);
    const first = await this.#deliver(path, body);
    const answered = passage.isTwice ? await this.#deliver(path, body) : first;
    if (passage.isUnanswered) return void response.destroy();
    answer(response, answered);
  }

  async #deliver(path: string, body: string): Promise<Answered> {
    const response = await fetch(`${this.#target}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
    });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, body: await response.text() };
  }
}

interface Answered {
  status: number;
  contentType: string;
  body: string;
}

function answer(response: ServerResponse, { status, contentType, body }: Answered): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
