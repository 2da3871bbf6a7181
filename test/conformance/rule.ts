/** What is checked for one number of the interface, and by whom. */
import type { Bench } from './bench.ts';
import type { Caller } from './caller.ts';
import type { Desk } from './desk.ts';

export interface Rule {
  /** Requests that do no harm anywhere: refused ones and queries. They are asked of a real platform too. */
  harmless?: (caller: Caller) => Promise<void>;
  /** The sandbox does it: request and what is expected, seen from outside. */
  sandbox?: (bench: Bench) => Promise<void>;
  /** The client of `src/platform` does its part. */
  client?: (desk: Desk) => Promise<void>;
  /** The job around the client does: it opens a database. */
  job?: (desk: Desk) => Promise<void>;
}

/** By number. */
export type Rules = Readonly<Record<string, Rule>>;

/** Two rules of one number: each side one after the other. */
export function both(first: Rule, second: Rule): Rule {
  const harmless = joined(first.harmless, second.harmless);
  const sandbox = joined(first.sandbox, second.sandbox);
  const client = joined(first.client, second.client);
  const job = joined(first.job, second.job);
  return {
    ...(harmless && { harmless }),
    ...(sandbox && { sandbox }),
    ...(client && { client }),
    ...(job && { job }),
  };
}

type Check<T> = ((of: T) => Promise<void>) | undefined;

function joined<T>(first: Check<T>, second: Check<T>): Check<T> {
  if (!first || !second) return first ?? second;
  return async (of) => {
    await first(of);
    await second(of);
  };
}
