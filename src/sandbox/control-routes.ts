/** The paths of the control surface: what each takes, checks and does. */
import { z } from 'zod';

import { WrongInput } from '../core/errors.ts';
import type { Sandbox } from './create-sandbox.ts';
import { FAULT_NOTES, faultSchema } from './fault-schema.ts';
import type { Fault } from './fault-schema.ts';
import { scenarioSchema } from './scenarios/scenario.ts';
import { timeMs } from './seed-schema.ts';
import type { AccountSeed, DepositSeed, MovementSeed } from './seed-schema.ts';
import { switchesPatchSchema } from './switches.ts';
import { stateAt } from './world.ts';
import type { World } from './world.ts';
import { instantOf } from '../core/time.ts';

interface Controlled {
  sandbox: Sandbox;
  world: World;
}

interface ControlRoute {
  method: 'GET' | 'POST';
  /** Below the control prefix. */
  path: string;
  /** For the table: the members of the body (POST) or of the query (GET). */
  takes: string;
  does: string;
  schema: z.ZodType;
  /** Gives what is answered; nothing means `{"done": true}`. */
  run(controlled: Controlled, given: unknown): unknown;
}

/** Keeps a route's own types together: what its schema gives is what its `run` takes. */
function route<S extends z.ZodType>(
  of: Omit<ControlRoute, 'schema' | 'run'> & {
    schema: S;
    run: (controlled: Controlled, given: z.output<S>) => unknown;
  },
): ControlRoute {
  return { ...of, run: (controlled, given) => of.run(controlled, given as z.output<S>) };
}

const nothing = z.strictObject({});
/** The items are checked where they are seeded; this bounds how many. */
const list = z.array(z.unknown()).max(200_000);

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

const DATA_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/accounts',
    takes: '',
    does: 'every account with state, balance and frozen amount now, and the effects on its balance so far',
    schema: nothing,
    run: ({ world }) => ({ accounts: [...world.accounts.keys()].map((no) => accountNow(world, no)) }),
  }),
  route({
    method: 'POST',
    path: '/accounts',
    takes:
      '`accounts`: `accountNo`, `eleAcctNo`, `name`, `role`, `merchant`, `subjectId`, `autoSettle`, `state`, `balanceFen`, `frozenFen`, `bindCard`, `whiteCards`, `openReqNo`, `remark`, `paymentPassword`, `passwordFree`, `drift` (`fen`, `queries`)',
    does: 'opens accounts',
    schema: z.strictObject({ accounts: list }),
    run: ({ sandbox }, { accounts }) => sandbox.seedAccounts(accounts as AccountSeed[]),
  }),
  route({
    method: 'POST',
    path: '/deposits',
    takes:
      '`deposits`: `payeeAcctNo`, `amountFen`, `depositTime`, `orderNo`, `feeFen`, `feeType`, `realFen`, `payerAcctNo`, `payerName`, `payerBankNo`, `payeeBankNo`, `remark`, `errCode`, `bookedAt`, `visibleFrom`, `vanishesAt`, `listed` and `changes` (`at`; `set`, `raw`, `remove`), `creditedFen`, `failed`',
    does: 'books deposits; answers their `orderNos`',
    schema: z.strictObject({ deposits: list }),
    run: ({ sandbox }, { deposits }) => ({ orderNos: sandbox.seedDeposits(deposits as DepositSeed[]) }),
  }),
  route({
    method: 'POST',
    path: '/arrivals',
    takes: '`afterPages`, `deposit`',
    does: 'books a deposit once so many more pages of its account have been answered',
    schema: z.strictObject({ afterPages: z.int().min(1), deposit: z.unknown() }),
    run: ({ sandbox }, { afterPages, deposit }) =>
      sandbox.seedArrival({ afterPages, deposit: deposit as DepositSeed }),
  }),
  route({
    method: 'POST',
    path: '/movements',
    takes:
      '`movements`: `kind` (`interest`, `hidden_fee`, `adjustment`, `freeze`, `unfreeze`, `replacement`, `state`), `accountNo`, `amountFen`, `toAccountNo`, `state`, `at`',
    does: 'moves money outside the interface',
    schema: z.strictObject({ movements: list }),
    run: ({ sandbox }, { movements }) => sandbox.seedMovements(movements as MovementSeed[]),
  }),
];

function accountNow(world: World, accountNo: string): unknown {
  const account = world.accounts.get(accountNo);
  if (!account) throw new Error(`Bug: account ${accountNo} is gone`);
  const nowMs = world.clock.nowMs();
  const { eleAcctNo, merchant, name, role, replacedBy } = account;
  return {
    accountNo,
    eleAcctNo,
    merchant,
    name,
    role,
    replacedBy,
    state: stateAt(account, nowMs),
    balanceFen: account.balance.atMs(nowMs),
    frozenFen: account.frozen.atMs(nowMs),
    effects: account.balance
      .effects()
      .filter((effect) => effect.atMs <= nowMs)
      .slice(-EFFECTS_SHOWN_MAX)
      .map(({ atMs, ...effect }) => ({ at: instantOf(atMs), ...effect })),
  };
}

/** The newest effects of an account; more would be unreadable. */
const EFFECTS_SHOWN_MAX = 1_000;

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
      '`faults`: `kind` and its members (below), `path` (such as `query/deposit`, or `*`), `skip`, `times`, `everyKth`',
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
  ...FAULT_ROUTES,
  ...RUN_ROUTES,
];

/** The kinds of faults as a Markdown table, for README. */
export function faultTable(): string {
  const rows = Object.entries(FAULT_NOTES).map(([kind, note]) => `| \`${kind}\` | ${note} |`);
  return ['| kind | what happens |', '|---|---|', ...rows].join('\n');
}
