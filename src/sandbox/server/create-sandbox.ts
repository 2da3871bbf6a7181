/**
 * The sandbox: an emulator of the service as a state machine over a clock, deterministic for a seed. It
 * needs no socket; `serve.ts` puts one around it.
 */
import { WrongInput } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import { readProfile } from '../../core/profile/profile.ts';
import type { Profile } from '../../core/profile/profile.ts';
import { Zone } from '../../core/time.ts';
import type { Instant } from '../../core/time.ts';
import { answer, pathsOf } from './answer.ts';
import { SandboxClock } from '../world/clock.ts';
import { control } from '../control/control.ts';
import { DEFAULT_CREDENTIALS, RsaKeyring } from '../protocol/sandbox-keys.ts';
import type { Credential, RsaKeys } from '../protocol/sandbox-keys.ts';
import type { ControlReply, SandboxReply } from '../protocol/exchange.ts';
import { FaultPlan } from '../faults/fault-plan.ts';
import { faultSchema } from '../faults/fault-schema.ts';
import { LocalTime } from '../world/local-time.ts';
import { seedMovements } from '../world/movements.ts';
import { ApplicationIndex } from '../openings/application-index.ts';
import { planDecisions, planOutcomes, planVouchers } from '../control/plans.ts';
import { OrderIndex } from '../orders/order-index.ts';
import { seedTransfers, seedWithdrawals } from '../orders/seed-orders.ts';
import { listRefunds } from '../orders/refunds.ts';
import { listPayouts } from '../orders/settlement.ts';
import { PlanList } from '../world/plan-list.ts';
import { PushPlan } from '../world/pushes.ts';
import { Seeded } from '../world/random.ts';
import type { Recorder } from './recorder.ts';
import { ReqIds } from '../protocol/req-ids.ts';
import { RequestLog } from '../protocol/request-log.ts';
import type { Sandbox } from './sandbox.ts';
import { buildScenario } from '../scenarios/scenario.ts';
import type { ScenarioChoice } from '../scenarios/scenario.ts';
import { checked } from '../world/seed-schema.ts';
import { seedArrival, seedAccounts, seedDeposits } from '../world/seed.ts';
import { SmsCodes } from '../world/sms-codes.ts';
import { defaultSwitches, switchesPatchSchema } from '../control/switches.ts';
import type { SandboxSwitches, SwitchesPatch } from '../control/switches.ts';
import type { World } from '../world/world.ts';

export interface SandboxOptions {
  /** What it is filled with; nothing by default. */
  scenario?: ScenarioChoice;
  /** Where all chance begins; 1 by default. */
  seed?: number;
  /** The clock to follow. Without one the sandbox's clock stands still until it is set or advanced. */
  clock?: Clock;
  /** Where the sandbox's clock begins; by default at the time of the clock it follows. */
  now?: Instant;
  profile?: Profile;
  switches?: SwitchesPatch;
  credentials?: readonly Credential[];
  /** Keys of app mode with RSA2; without them `clientRsaKeys()` makes them. */
  rsa?: RsaKeys;
  channelCode?: string;
  /** Where its first world was built at another time, that time (state/): a reset begins as it would without. */
  startedAt?: Instant;
  /** Sees every input, and what came of it (state/). */
  recorder?: Recorder;
}

/** The service's one channel code, as long as nobody says otherwise (SMS-01, OPN-06). */
export const DEFAULT_CHANNEL_CODE = 'SANDBOX';

export function createSandbox(options: SandboxOptions): Sandbox {
  const rsa = new RsaKeyring(options.rsa);
  const { recorder } = options;
  let chosen = options;
  let world = newWorld(options, { rsa, startedAt: options.startedAt });
  const sandbox: Sandbox = {
    get clock() {
      return world.clock;
    },
    credentials: options.credentials ?? DEFAULT_CREDENTIALS,
    channelCode: options.channelCode ?? DEFAULT_CHANNEL_CODE,
    clientRsaKeys: () => {
      const keys = rsa.clientKeys();
      recorder?.keysMade(world);
      return keys;
    },
    answer: (request) => {
      const carryOut = (): SandboxReply => answer(world, request);
      return world.clock.during(() => (recorder ? recorder.answer(world, request, carryOut) : carryOut()));
    },
    control: (request) => {
      const carryOut = (): ControlReply => control(sandbox, world, request);
      return world.clock.during(() => (recorder ? recorder.control(world, request, carryOut) : carryOut()));
    },
    ...filling(() => world),
    payouts: () => listPayouts(world),
    refunds: () => listRefunds(world),
    planVouchers: (seeds) => planVouchers(world, seeds),
    smsCodes: () => world.smsCodes.list(),
    deliverPushes: (send) => {
      const current = world;
      return current.pushes.deliver(current, send, (tried) => recorder?.pushTried(current, tried));
    },
    nextPushMs: () => world.pushes.nextMs(world),
    pushes: () => world.pushes.log(),
    repeatPush: (no) => {
      if (!world.pushes.repeat(no)) throw new WrongInput(`there is no push ${no}`);
    },
    addFault: (fault) => world.faults.add(checked(faultSchema, fault, 'fault')),
    liftFaults: (no) => world.faults.lift(no),
    setSwitches: (patch) => {
      world.switches = withSwitches(world.switches, patch);
    },
    switches: () => world.switches,
    requests: (after = 0) => world.log.after(after),
    reset: (change = {}) => {
      const next = { ...chosen, ...change };
      world = newWorld(next, { rsa });
      chosen = next;
      recorder?.begun(world, chosen.scenario ?? 'empty');
    },
  };
  recorder?.begun(world, chosen.scenario ?? 'empty');
  return sandbox;
}

type Filling = Extract<keyof Sandbox, `seed${string}` | 'planOutcomes' | 'planDecisions'>;

/** What is put into the world that there is by then, and what is planned for it. */
function filling(world: () => World): Pick<Sandbox, Filling> {
  return {
    seedAccounts: (seeds) => seedAccounts(world(), seeds),
    seedDeposits: (seeds) => seedDeposits(world(), seeds),
    seedArrival: (arrival) => seedArrival(world(), arrival),
    seedMovements: (seeds) => seedMovements(world(), seeds),
    seedTransfers: (seeds) => seedTransfers(world(), seeds),
    seedWithdrawals: (seeds) => seedWithdrawals(world(), seeds),
    planOutcomes: (outcomes) => planOutcomes(world(), outcomes),
    planDecisions: (seeds) => planDecisions(world(), seeds),
  };
}

/** Built in one instant, so that it can be built again. @param lasting.rsa outlives a reset */
function newWorld(
  options: SandboxOptions,
  lasting: { rsa: RsaKeyring; startedAt?: Instant | undefined },
): World {
  const clock = new SandboxClock(options.clock, options.now);
  return clock.during(() => {
    if (lasting.startedAt !== undefined) clock.set(lasting.startedAt);
    const world = emptyWorld(options, clock, lasting.rsa);
    buildScenario(world, options.scenario ?? 'empty');
    return world;
  });
}

function emptyWorld(options: SandboxOptions, clock: SandboxClock, rsa: RsaKeyring): World {
  const profile = options.profile ?? defaultProfile();
  const seed = options.seed ?? 1;
  const channelCode = options.channelCode ?? DEFAULT_CHANNEL_CODE;
  const zone = zoneOf(profile.service.timeZone);
  return {
    clock,
    zone,
    localTime: new LocalTime(zone),
    random: new Seeded(seed),
    credentials: options.credentials ?? DEFAULT_CREDENTIALS,
    paths: pathsOf(channelCode),
    faults: new FaultPlan(),
    log: new RequestLog(),
    accounts: new Map(),
    arrivals: [],
    orders: new OrderIndex(),
    outcomes: new PlanList('outcome'),
    applications: new ApplicationIndex(),
    decisions: new PlanList('decision'),
    pushes: new PushPlan(),
    smsCodes: new SmsCodes(),
    vouchers: new PlanList('voucher'),
    voucherAsks: new Map(),
    reqIds: new ReqIds(),
    readEffects: 0,
    startedAt: clock.now(),
    calls: { second: 0, count: 0 },
    switches: options.switches
      ? withSwitches(defaultSwitches(profile), options.switches)
      : defaultSwitches(profile),
    numbersGiven: 0,
    profile,
    seed,
    channelCode,
    rsa,
  };
}

/** Profile and zone are the same in every sandbox and take longer to make than one: a simulation makes very many. */
let usualProfile: Profile | undefined;
const zones = new Map<string, Zone>();

function defaultProfile(): Profile {
  usualProfile ??= readProfile(undefined, 'defaults');
  return usualProfile;
}

function zoneOf(name: string): Zone {
  const zone = zones.get(name) ?? new Zone(name);
  zones.set(name, zone);
  return zone;
}

function withSwitches(switches: SandboxSwitches, patch: SwitchesPatch): SandboxSwitches {
  const given = Object.entries(checked(switchesPatchSchema, patch, 'switches'));
  const set = given.filter(([, value]) => value !== undefined);
  return { ...switches, ...(Object.fromEntries(set) as Partial<SandboxSwitches>) };
}
