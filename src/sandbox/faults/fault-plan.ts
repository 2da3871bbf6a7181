/** Which faults meet which call: the rules count the calls of their path. */
import type { EndpointName } from '../../platform/contract.ts';
import type { Fault } from './fault-schema.ts';

/** A fault on one call; `nth` counts the calls it has met, from 1. */
export interface MetFault {
  fault: Fault;
  nth: number;
}

interface Planned {
  no: number;
  fault: Fault;
  callsSeen: number;
  callsMet: number;
}

export class FaultPlan {
  #planned: Planned[] = [];
  #count = 0;
  /** How many calls all rules have counted, those included that are gone. */
  callsCounted = 0;

  /** @returns the number under which it can be lifted */
  add(fault: Fault): number {
    this.#planned.push({ no: ++this.#count, fault, callsSeen: 0, callsMet: 0 });
    return this.#count;
  }

  /** Lifts one fault, or all. */
  lift(no?: number): void {
    this.#planned = no === undefined ? [] : this.#planned.filter((planned) => planned.no !== no);
  }

  list(): readonly { no: number; fault: Fault; callsMet: number }[] {
    return this.#planned.map(({ no, fault, callsMet }) => ({ no, fault, callsMet }));
  }

  /** The faults that meet this call, in the order in which they were planned; used-up rules are dropped. */
  meet(endpoint: EndpointName, body: string): MetFault[] {
    if (this.#planned.length === 0) return [];
    const met: MetFault[] = [];
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.path !== '*' && fault.path !== endpoint) continue;
      if (fault.about !== undefined && !body.includes(fault.about)) continue;
      this.callsCounted++;
      const counted = ++planned.callsSeen - fault.skip;
      if (counted < 1 || counted % fault.everyKth !== 0) continue;
      met.push({ fault, nth: ++planned.callsMet });
    }
    this.#planned = this.#planned.filter((planned) => planned.callsMet < timesOf(planned.fault));
    return met;
  }
}

function timesOf(fault: Fault): number {
  if (fault.times !== undefined) return fault.times ?? Infinity;
  return fault.everyKth > 1 ? Infinity : 1;
}
