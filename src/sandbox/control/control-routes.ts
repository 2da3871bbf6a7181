/** The paths of the control surface: what each takes, checks and does. */
import { z } from 'zod';

import { WrongInput } from '../../core/errors.ts';
import type { Sandbox } from '../server/sandbox.ts';
import { FAULT_NOTES, faultSchema } from '../faults/fault-schema.ts';
import type { Fault } from '../faults/fault-schema.ts';
import { DATA_ROUTES } from './control-routes-data.ts';
import { OPENING_ROUTES } from './control-routes-openings.ts';
import { ORDER_ROUTES } from './control-routes-orders.ts';
import { VOUCHER_ROUTES } from './control-routes-vouchers.ts';
import { nothing, route } from './control-route.ts';
import type { ControlRoute } from './control-route.ts';
import { scenarioSchema } from '../scenarios/scenario.ts';
import { timeMs } from '../world/seed-schema.ts';
import { switchesPatchSchema } from './switches.ts';
import { instantOf } from '../../core/time.ts';

const CLOCK_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/clock',
    takes: '',
    does: 'the sandbox’s time, and whether it runs',
    schema: nothing,
    run: ({ sandbox }) => clockNow(sandbox),
  }),
  route({
    method: 'POST',
    path: '/clock',
    takes: '`set` (time), `advanceMs`, `running`: any of them, in this order',
    does: 'moves, stops or starts the clock',
    schema: z.strictObject({
      set: z.string().max(40).optional(),
      advanceMs: z.int().min(-1e13).max(1e13).optional(),
      running: z.boolean().optional(),
    }),
    run: ({ sandbox, world }, given) => {
      if (given.set !== undefined) sandbox.clock.set(instantOf(timeMs(world.zone, given.set)));
      if (given.advanceMs !== undefined) sandbox.clock.advance(given.advanceMs);
      if (given.running === false) sandbox.clock.freeze();
      if (given.running === true && !sandbox.clock.canRun)
        throw new WrongInput('this sandbox follows no clock');
      if (given.running === true) sandbox.clock.run();
      return clockNow(sandbox);
    },
  }),
];

function clockNow({ clock }: Sandbox): unknown {
  return { now: clock.now(), running: clock.running };
}

const FAULT_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/faults',
    takes: '',
    does: 'the faults that are planned, with their numbers and how many calls they have met',
    schema: nothing,
    run: ({ world }) => ({ faults: world.faults.list() }),
  }),
  route({
    method: 'POST',
    path: '/faults',
    takes:
      '`faults`: `kind` and its members (below), `path` (such as `query/deposit`, or `*`), `about` (what stands in the request), `skip`, `times`, `everyKth`',
    does: 'plans faults for the next calls; answers their numbers',
    schema: z.strictObject({ faults: z.array(faultSchema).max(1_000) }),
    run: ({ world }, { faults }) => ({ nos: faults.map((fault: Fault) => world.faults.add(fault)) }),
  }),
  route({
    method: 'POST',
    path: '/faults/lift',
    takes: '`no`, or nothing for all',
    does: 'lifts faults',
    schema: z.strictObject({ no: z.int().optional() }),
    run: ({ sandbox }, { no }) => sandbox.liftFaults(no),
  }),
  route({
    method: 'GET',
    path: '/switches',
    takes: '',
    does: 'the switches in force',
    schema: nothing,
    run: ({ sandbox }) => sandbox.switches(),
  }),
  route({
    method: 'POST',
    path: '/switches',
    takes: Object.keys(switchesPatchSchema.shape)
      .map((name) => `\`${name}\``)
      .join(', '),
    does: 'turns switches; the others stay',
    schema: switchesPatchSchema,
    run: ({ sandbox }, patch) => {
      sandbox.setSwitches(patch);
      return sandbox.switches();
    },
  }),
];

const RUN_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/requests',
    takes: '`after`: a number',
    does: 'the requests received since, with raw bodies; the newest 20,000 are kept',
    schema: z.strictObject({ after: z.coerce.number().int().min(0).default(0) }),
    run: ({ sandbox }, { after }) => ({ requests: sandbox.requests(after) }),
  }),
  route({
    method: 'POST',
    path: '/reset',
    takes: '',
    does: 'back to the beginning of the scenario: data, clock, faults, switches, requests',
    schema: nothing,
    run: ({ sandbox }) => sandbox.reset(),
  }),
  route({
    method: 'POST',
    path: '/scenario',
    takes: '`scenario` (`empty`, `demo`, `volume`, or an object with `name` and its members), `seed`',
    does: 'begins that scenario',
    schema: z.strictObject({ scenario: scenarioSchema, seed: z.int().optional() }),
    run: ({ sandbox }, { scenario, seed }) =>
      sandbox.reset({ scenario, ...(seed === undefined ? {} : { seed }) }),
  }),
];

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...CLOCK_ROUTES,
  ...DATA_ROUTES,
  ...ORDER_ROUTES,
  ...OPENING_ROUTES,
  ...VOUCHER_ROUTES,
  ...FAULT_ROUTES,
  ...RUN_ROUTES,
];

/** The kinds of faults as a Markdown table, for docs/sandbox.md. */
export function faultTable(): string {
  const rows = Object.entries(FAULT_NOTES).map(([kind, note]) => `| \`${kind}\` | ${note} |`);
  return ['| kind | what happens |', '|---|---|', ...rows].join('\n');
}
