/** A seed that is running: everything its parts share. */
import type { Bank } from './bank.ts';
import type { BookStore } from '../book-store.ts';
import type { SeedPlan } from './draw-plan.ts';
import type { Host } from './host.ts';
import type { Kernel } from './kernel.ts';
import type { FateOfSeed } from './fate.ts';
import type { MortalProcess } from './mortal-process.ts';
import type { Network } from './network.ts';
import type { Oracle } from '../oracle.ts';
import type { Protections } from '../protections/protections.ts';
import type { Stream } from './random.ts';
import type { ProcessRequest } from '../process.ts';
import type { Trace } from '../trace.ts';

export interface Running {
  plan: SeedPlan;
  kernel: Kernel;
  trace: Trace;
  bank: Bank;
  network: Network;
  store: BookStore;
  oracle: Oracle;
  hosts: readonly Host[];
  fate: FateOfSeed;
  protections: Protections;
  ids: Stream;
  /** What earlier runs saw of the platform's signing. */
  everSigned: boolean;
  /** Port calls of all processes so far. */
  calls: number;
  processes: number;
  living: Set<MortalProcess>;
  /** The ends of those that stood still, and in whose place others went on. */
  standing: Promise<unknown>[];
  /** Of processes without one of their protections. */
  remembered: Map<string, unknown>;
  counted: (what: string) => void;
  /** Somebody else goes on in place of a process that lives on without its lease. */
  leaseWasLost: (of: ProcessRequest) => void;
}
