/**
 * The sandbox: an emulator of the service as a state machine over a clock, deterministic for a seed. It
 * needs no socket; `serve.ts` puts one around it.
 */
import { WrongInput } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import { readProfile } from '../core/profile.ts';
import type { Profile } from '../core/profile.ts';
import { Zone } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import { answer, pathsOf } from './answer.ts';
import { SandboxClock } from './clock.ts';
import { control } from './control.ts';
import type { ControlReply, ControlRequest } from './control.ts';
import { DEFAULT_CREDENTIALS, RsaKeyring } from './credentials.ts';
import type { ClientRsaKeys, Credential, RsaKeys } from './credentials.ts';
import type { SandboxReply, SandboxRequest } from './exchange.ts';
import { FaultPlan } from './fault-plan.ts';
import { faultSchema } from './fault-schema.ts';
import type { FaultSeed } from './fault-schema.ts';
import { LocalTime } from './local-time.ts';
import { seedMovements } from './movements.ts';
import { ApplicationShelf } from './openings/application-shelf.ts';
import { DecisionPlan, planDecisions } from './openings/decision-plan.ts';
import type { DecisionSeed } from './openings/decision-schema.ts';
import type { OutcomeSeed, TransferSeed, WithdrawalSeed } from './orders/order-schema.ts';
import { OrderShelf } from './orders/order-shelf.ts';
import { OutcomePlan, planOutcomes } from './orders/outcome-plan.ts';
import { seedTransfers, seedWithdrawals } from './orders/seed-orders.ts';
import { listPayouts } from './orders/settlement.ts';
import type { Payout } from './orders/settlement.ts';
import { PushPlan } from './pushes.ts';
import type { LoggedPush, PushSender } from './pushes.ts';
import { Seeded } from './random.ts';
import type { Recorder } from './recorder.ts';
import { ReqIds } from './req-ids.ts';
import { RequestLog } from './request-log.ts';
import type { LoggedRequest } from './request-log.ts';
import { buildScenario } from './scenarios/scenario.ts';
import type { ScenarioChoice } from './scenarios/scenario.ts';
import { checked } from './seed-schema.ts';
import type { AccountSeed, DepositSeed, MovementSeed } from './seed-schema.ts';
import { seedArrival, seedAccounts, seedDeposits } from './seed.ts';
import { SmsCodes } from './sms-codes.ts';
import type { SmsCode } from './sms-codes.ts';
import { defaultSwitches, switchesPatchSchema } from './switches.ts';
import type { SandboxSwitches, SwitchesPatch } from './switches.ts';
import { VoucherPress } from './vouchers/press.ts';
import { VoucherPlan } from './vouchers/voucher-plan.ts';
import { planVouchers } from './vouchers/plan-vouchers.ts';
import type { VoucherSeed } from './vouchers/voucher-schema.ts';
import type { World } from './world.ts';

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

export interface Sandbox {
  readonly clock: SandboxClock;
  readonly credentials: readonly Credential[];
  readonly channelCode: string;
  /** The client's half of the RSA keys, as PEM; made at the first call. */
  clientRsaKeys(): ClientRsaKeys;
  /** One request below the service's prefix. */
  answer(request: SandboxRequest): SandboxReply;
  /** One request of the control surface, which `serve` offers only when asked to (CTL). */
  control(request: ControlRequest): ControlReply;
  seedAccounts(seeds: readonly AccountSeed[]): void;
  /** @returns the orderNos */
  seedDeposits(seeds: readonly DepositSeed[]): string[];
  /** A deposit that is booked once so many more pages of its account have been answered. */
  seedArrival(arrival: { afterPages: number; deposit: DepositSeed }): void;
  seedMovements(seeds: readonly MovementSeed[]): void;
  /** Batches with their orders and refunds, past or to come; all or none. */
  seedTransfers(seeds: readonly TransferSeed[]): void;
  seedWithdrawals(seeds: readonly WithdrawalSeed[]): void;
  /** Decides what the next calls make. @returns the numbers under which the plans can be dropped */
  planOutcomes(outcomes: readonly OutcomeSeed[]): number[];
  /** Decides how the next openings and changes go. @returns the numbers under which the plans can be dropped */
  planDecisions(seeds: readonly DecisionSeed[]): number[];
  /**
   * What banks were really paid by settlements, automatic or retried, or will be: the truth that answers are
   * measured by. Ordered by instant.
   */
  payouts(): readonly Payout[];
  /** Decides what the next answers with vouchers hold. @returns the numbers under which the plans can be dropped */
  planVouchers(seeds: readonly VoucherSeed[]): number[];
  /** The codes that were sent, with their flow numbers: what a phone would show. */
  smsCodes(): readonly SmsCode[];
  /** Tries every push that is due by now. @returns how many tries that took */
  deliverPushes(send: PushSender): Promise<number>;
  /** When the next try of a push is due, by the sandbox's clock. */
  nextPushMs(): number | undefined;
  pushes(): readonly LoggedPush[];
  /** Tries a push once more, acknowledged or not. @throws WrongInput when there is none of that number */
  repeatPush(no: number): void;
  /** @returns its number, under which it can be lifted */
  addFault(fault: FaultSeed): number;
  liftFaults(no?: number): void;
  setSwitches(patch: SwitchesPatch): void;
  switches(): SandboxSwitches;
  requests(after?: number): readonly LoggedRequest[];
  /** Back to the beginning, or to the beginning of another scenario; the clock too. */
  reset(change?: { scenario?: ScenarioChoice; seed?: number }): void;
}

/** The service's one channel code, as long as nobody says otherwise (SMS-01, OPN-06). */
export const DEFAULT_CHANNEL_CODE = 'SANDBOX';

export function createSandbox(options: SandboxOptions): Sandbox {
  const rsa = new RsaKeyring(options.rsa);
  const press = new VoucherPress();
  const { recorder } = options;
  let chosen = options;
  let world = newWorld(options, { rsa, press, startedAt: options.startedAt });
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
      world = newWorld(next, { rsa, press });
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

/** What is made once and outlives a reset. */
interface Lasting {
  rsa: RsaKeyring;
  press: VoucherPress;
}

/** Built in one instant, so that it can be built again. */
function newWorld(options: SandboxOptions, lasting: Lasting & { startedAt?: Instant | undefined }): World {
  const clock = new SandboxClock(options.clock, options.now);
  return clock.during(() => {
    if (lasting.startedAt !== undefined) clock.set(lasting.startedAt);
    const world = emptyWorld(options, clock, lasting);
    buildScenario(world, options.scenario ?? 'empty');
    return world;
  });
}

function emptyWorld(options: SandboxOptions, clock: SandboxClock, { rsa, press }: Lasting): World {
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
    orders: new OrderShelf(),
    outcomes: new OutcomePlan(),
    applications: new ApplicationShelf(),
    decisions: new DecisionPlan(),
    pushes: new PushPlan(),
    smsCodes: new SmsCodes(),
    press,
    vouchers: new VoucherPlan(),
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
