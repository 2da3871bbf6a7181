/**
 * The network between the job and the platform, with its faults: a swarm of them, each on or off for a whole seed.
 * Requests and answers travel in virtual time; what a process that died had sent still arrives.
 */
import { NoAnswer, NotSent, OutcomeUnknown } from '../../../src/core/errors.ts';
import type { HttpAnswer, HttpRequest } from '../../../src/core/ports.ts';
import type { SandboxReply } from '../../../src/sandbox/protocol/exchange.ts';
import { corrupt } from './answer-faults.ts';
import type { AnswerFault } from './answer-faults.ts';
import type { Kernel } from './kernel.ts';
import type { Stream } from './random.ts';

/** Refused before the first byte; lost on the way there or back; late; twice; or the answer is corrupt. */
export const NETWORK_FAULTS = [
  'refuse',
  'drop',
  'lose',
  'slowRequest',
  'slowAnswer',
  'dup',
  'garble',
  'truncate',
  'html',
  'badsig',
  'nosig',
  'oversize',
] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];
export type NetworkRates = Readonly<Record<NetworkFault, number>>;

/** The process stood still past its time: whatever the platform answered, it heard nothing. */
export interface Standing {
  rate: number;
  /** Of its own, so that everything else of a seed stays as it was. */
  chance: Stream;
}

/** What such a process says of a call. */
export const STOOD_STILL = 'sim: it stood still past its time';

const SLOW_MS_MAX = 20_000;
const USUAL_MS = { least: 3, most: 80 };

export interface NetworkOptions {
  kernel: Kernel;
  chance: Stream;
  rates: NetworkRates;
  standing: Standing;
  /** What the platform makes of a request at the moment it arrives. */
  arrive: (request: HttpRequest) => SandboxReply;
  met: (fault: NetworkFault | 'standStill') => void;
  /** No byte of it left. */
  refused: (request: HttpRequest) => void;
}

export class Network {
  readonly #options: NetworkOptions;
  #isCalm = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    this.#isCalm = true;
  }

  /** @throws NotSent, OutcomeUnknown as the real transport does */
  async post(request: HttpRequest): Promise<HttpAnswer> {
    const { kernel, chance } = this.#options;
    if (this.#meets('refuse')) {
      this.#options.refused(request);
      await kernel.sleep(chance.whole(1, 2_000));
      throw new NotSent('sim: connection refused');
    }
    const stands = this.#standsStill(request);
    const silence = stands
      ? new OutcomeUnknown(STOOD_STILL)
      : new NoAnswer(`sim: no whole answer within ${request.deadlineMs} ms`);
    return await new Promise<HttpAnswer>((resolve, reject) => {
      const deadline = kernel.at(kernel.nowMs + request.deadlineMs, () => reject(silence));
      this.#travel(request, (heard) => {
        if (stands) return;
        kernel.callOff(deadline);
        if (heard instanceof Error) reject(heard);
        else resolve(heard);
      });
    });
  }

  /**
   * Who sent it stands still for so long, and reads then what lies in its socket.
   * @throws OutcomeUnknown where nothing does
   */
  async postLate(request: HttpRequest, ms: number): Promise<HttpAnswer> {
    let inSocket: HttpAnswer | OutcomeUnknown = new OutcomeUnknown(STOOD_STILL);
    this.#travel(request, (heard) => (inSocket = heard));
    await this.#options.kernel.sleep(ms);
    const heard: HttpAnswer | OutcomeUnknown = inSocket;
    if (heard instanceof Error) throw heard;
    return heard;
  }

  #travel(request: HttpRequest, hear: (heard: HttpAnswer | OutcomeUnknown) => void): void {
    const copies = this.#meets('dup') ? 2 : 1;
    const heard = this.#options.chance.whole(1, copies);
    const isDropped = this.#meets('drop');
    const isLost = this.#meets('lose');
    const spoils = this.#spoils();
    for (let copy = 1; copy <= copies; copy++) {
      // Of a request that is delivered twice one may be lost.
      if (isDropped && copy === 1) continue;
      this.#after(this.#latencyMs('slowRequest'), () => {
        const reply = this.#options.arrive(request);
        if (isLost || copy !== heard) return;
        this.#after(this.#latencyMs('slowAnswer'), () => hear(this.#heard(reply, spoils)));
      });
    }
  }

  #heard(reply: SandboxReply, spoils: AnswerFault | undefined): HttpAnswer | OutcomeUnknown {
    const answer: HttpAnswer = {
      status: reply.status,
      contentType: reply.headers['content-type'] ?? '',
      retryAfterMs: undefined,
      text: reply.body,
    };
    return spoils === undefined ? answer : corrupt(answer, spoils, this.#options.chance);
  }

  /** Only where what it did not hear may be money. */
  #standsStill({ url }: HttpRequest): boolean {
    const { standing, met } = this.#options;
    const isMoney = url.endsWith('/order/settle') || url.endsWith('/division/refund');
    if (this.#isCalm || !isMoney || !standing.chance.chance(standing.rate)) return false;
    met('standStill');
    return true;
  }

  #after(ms: number, happen: () => void): void {
    const { kernel } = this.#options;
    kernel.at(kernel.nowMs + ms, happen);
  }

  #latencyMs(slow: 'slowRequest' | 'slowAnswer'): number {
    const { chance } = this.#options;
    return this.#meets(slow) ? chance.whole(0, SLOW_MS_MAX) : chance.whole(USUAL_MS.least, USUAL_MS.most);
  }

  #spoils(): AnswerFault | undefined {
    const faults: AnswerFault[] = ['garble', 'truncate', 'html', 'badsig', 'nosig', 'oversize'];
    return faults.find((fault) => this.#meets(fault));
  }

  #meets(fault: NetworkFault): boolean {
    const { rates, chance, met } = this.#options;
    if (this.#isCalm || rates[fault] === 0 || !chance.chance(rates[fault])) return false;
    met(fault);
    return true;
  }
}
