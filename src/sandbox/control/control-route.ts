/** What a path of the control surface is made of. */
import { z } from 'zod';

import type { Sandbox } from '../server/sandbox.ts';
import type { PlanList } from '../world/plan-list.ts';
import type { World } from '../world/world.ts';

export interface Controlled {
  sandbox: Sandbox;
  world: World;
}

export interface ControlRoute {
  method: 'GET' | 'POST';
  /** Below the control prefix. */
  path: string;
  /** For the table: the members of the body (POST) or of the query (GET). */
  takes: string;
  does: string;
  schema: z.ZodType;
  /** By member: what checks it, or each item of it, where it is seeded. */
  items?: Readonly<Record<string, z.ZodType>>;
  /** Gives what is answered; nothing means `{"done": true}`. */
  run(controlled: Controlled, given: unknown): unknown;
}

/** Keeps a route's own types together: what its schema gives is what its `run` takes. */
export function route<S extends z.ZodType>(
  of: Omit<ControlRoute, 'schema' | 'run'> & {
    schema: S;
    run: (controlled: Controlled, given: z.output<S>) => unknown;
  },
): ControlRoute {
  return { ...of, run: (controlled, given) => of.run(controlled, given as z.output<S>) };
}

export const nothing = z.strictObject({});
/** The items are checked where they are seeded; this bounds how many. */
export const list = z.array(z.unknown()).max(200_000);

/** How plans of one kind are listed, made and dropped. */
export function planRoutes<T extends { times: number | null }>(of: {
  name: 'outcomes' | 'decisions' | 'vouchers';
  /** What each of them still decides, for the table. */
  listed: string;
  takes: string;
  does: string;
  /** What checks each plan. */
  seed: z.ZodType;
  plansOf: (world: World) => PlanList<T>;
  plan: (sandbox: Sandbox, seeds: readonly unknown[]) => number[];
}): ControlRoute[] {
  const { name, takes, does } = of;
  const path = `/${name}`;
  return [
    route({
      method: 'GET',
      path,
      takes: '',
      does: `the ${name} that are planned${of.listed}`,
      schema: nothing,
      run: ({ world }) => ({ [name]: of.plansOf(world).list() }),
    }),
    route({
      method: 'POST',
      path,
      takes: `\`${name}\`: ${takes}`,
      does: `${does}; answers the numbers of the plans`,
      schema: z.strictObject({ [name]: list }),
      items: { [name]: of.seed },
      run: ({ sandbox }, given) => ({ nos: of.plan(sandbox, given[name] ?? []) }),
    }),
    route({
      method: 'POST',
      path: `${path}/drop`,
      takes: '`no`, or nothing for all',
      does: `drops planned ${name}`,
      schema: z.strictObject({ no: z.int().optional() }),
      run: ({ world }, { no }) => of.plansOf(world).drop(no),
    }),
  ];
}
