/** Failed settlements on the sandbox, collected and stored, and the step over them as `recon settle` runs it. */
import { makeCall } from '../../../jobs/call/call.ts';
import type { Context } from '../../../jobs/context/context.ts';
import { openPlatform } from '../../../jobs/context/platform.ts';
import { fileMark } from '../../../jobs/night/settle/high-water-mark.ts';
import { callLagMs } from '../../../jobs/night/settle/settle-cooling.ts';
import type { MarkState, SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { SettlePorts, SettleRequest } from '../../../jobs/night/settle/settle-ports.ts';
import { settleStep } from '../../../jobs/night/settle/settle-step.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { addMs } from '../../../src/core/time.ts';
import type { TransferSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import { recheckRules } from '../../../src/orders/order-due-next.ts';
import { sqlAttemptStore } from '../../../src/settlements/settle-attempts.ts';
import { booksId, serverStart } from '../../../src/settlements/settle-guard.ts';
import { lastSettleSequence, listAttempts, resultOfAttempt } from '../../../src/settlements/settle-list.ts';
import { smsCode } from '../../sandbox/orders/orders-caller.ts';
import type { CallDocument } from '../call-world.ts';
import { at, zone } from '../../helpers/night.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { register } from '../../helpers/company/order-registering.ts';
import { lines } from '../../helpers/company/order-answers.ts';

export const SETTLE_PATH = '/order/settle';

type OrderSeed = Partial<TransferSeed['orders'][number]>;

export class SettleWorld {
  readonly orders: OrderNight;
  #lease: Lease;
  #skippedMs = 0;

  private constructor(orders: OrderNight, lease: Lease) {
    this.orders = orders;
    this.#lease = lease;
    const { clock } = orders.night;
    const real = clock.monoMs.bind(clock);
    // Ten times slower than the host's: a busy machine must not make a request stale (N15).
    clock.monoMs = () => real() / 10 + this.#skippedMs;
  }

  /** Lines that whoever watches was told. */
  readonly told: string[] = [];

  /** Which start of the machine it is. */
  boot = 'boot-1';

  /** So much time goes by on the clock that only runs forward. */
  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  /** A clock whose long pauses are lived through at once, and are over on every clock then. */
  living(meanwhile: () => Promise<void> | void = () => undefined): { clock: Clock } {
    const { clock } = this.orders.night;
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms < 60_000) return clock.sleep(ms, signal);
      clock.cutShort.push(ms);
      clock.moveTo(addMs(clock.wall(), ms));
      this.skip(ms);
      await meanwhile();
    };
    return { clock: { wall: () => clock.wall(), monoMs: () => clock.monoMs(), sleep } };
  }

  static async open(): Promise<SettleWorld> {
    const orders = await OrderNight.open();
    const world = new SettleWorld(orders, await leaseOf(orders));
    await world.mark().write(await world.sure());
    return world;
  }

  /** On this very machine, which is known not to be restored; and the platform pays whatever it is asked for. */
  static async openUnguarded(): Promise<SettleWorld> {
    const world = await SettleWorld.open();
    world.boot = bootIdentity();
    await world.mark().write(await world.sure());
    world.sandbox.setSwitches({ settleGuard: false });
    return world;
  }

  close(): Promise<void> {
    return this.orders.close();
  }

  get sandbox() {
    return this.orders.night.sandbox;
  }

  get db() {
    return this.orders.night.db;
  }

  /** The file the mark lies in. */
  get markFile(): string {
    return this.orders.night.markFile;
  }

  /** A batch of orders whose settlement has failed, each seeded with what the test cares about, and the look at it. */
  async failed(no: string, ...orders: readonly OrderSeed[]): Promise<void> {
    const usual = { settle: { state: 'FAIL', remark: '账户异常' } };
    this.orders.batch(
      no,
      orders.map((order) => ({ ...usual, ...order })),
    );
    await this.orders.registerBatches(no);
    await this.orders.collect();
  }

  /** One number, used by the payers P (100 yuan) and R (70 yuan), in a batch each; both settlements failed. */
  async failedOfTwoPayers(outOrderNo: string): Promise<void> {
    const { orders } = this;
    this.sandbox.setSwitches({ numberScope: 'batch' });
    await orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
    const settle = { state: 'FAIL', remark: '账户异常' };
    orders.batch('BP', [{ outOrderNo, settle }]);
    orders.batch('BR', [{ outOrderNo, settle, amountFen: 7_000n }], { payerAcctNo: 'R' });
    for (const payer of ['P', 'R']) {
      const numbers = { out_batch_no: `B${payer}`, out_order_no: `B${payer}-1`, payer_account_no: payer };
      await register(this.db, { kind: 'transfer', ...numbers, submitted_at: at('2026-03-01 09:00:00') });
    }
    await orders.collect();
  }

  /** One number, used by one payer in two batches; both settlements failed. */
  async failedInTwoBatches(outOrderNo: string): Promise<void> {
    this.sandbox.setSwitches({ numberScope: 'batch' });
    const settle = { state: 'FAIL', remark: '账户异常' };
    for (const no of ['B1', 'B2']) {
      this.orders.batch(no, [{ outOrderNo, settle }]);
      await this.orders.registerBatches(no);
      await this.orders.collect();
    }
  }

  /** What came of all attempts, as the report of a night has it. */
  async reported(): Promise<string[]> {
    const attempts = await listAttempts(this.db, { after: 0n, upTo: await lastSettleSequence(this.db) });
    return attempts.map(
      (attempt) => `${attempt.outOrderNo} ${attempt.attemptNo} ${resultOfAttempt(attempt)}`,
    );
  }

  /** The lease is another's from now on. */
  async loseLease(): Promise<void> {
    await this.db.updateTable('lease').set({ fence: 99n }).where('name', '=', 'settle').execute();
  }

  /** Another process begins: it has a name of its own. */
  async restart(): Promise<void> {
    await this.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
    this.#lease = await leaseOf(this.orders);
  }

  async ports(over: Partial<SettlePorts> = {}, runId = 'run-1'): Promise<SettlePorts> {
    const { job, night } = this.orders;
    const { clock, ids, log, profile, signal } = job;
    const today = zone.dayOf(clock.wall());
    return {
      book: sqlAttemptStore(night.db, {
        lease: this.#lease,
        saving: { runId, day: today, today, zone, rules: recheckRules(profile), keepsList: false },
        amountRule: profile.settle.amountRule,
        callLagMs: (slowestLookMs) => callLagMs(profile, slowestLookMs),
        now: () => clock.wall(),
      }),
      client: await job.platform(),
      mark: this.mark(),
      boot: this.boot,
      clock,
      ids,
      log,
      profile,
      zone,
      tell: (line) => void this.told.push(line),
      signal,
      runner: `runner-${this.#lease.fence}`,
      ...over,
    };
  }

  /** What the mark says of a machine and a server that have been in use. */
  async sure(over: Partial<MarkState> = {}): Promise<MarkState> {
    const now = { books: await booksId(this.db), boot: this.boot, server: await serverStart(this.db) };
    return { sequence: 0n, reqId: '', ...now, heldUntil: undefined, isDoubtful: false, ...over };
  }

  mark(): SettleMark {
    return fileMark(this.orders.job.files, this.markFile);
  }

  async step(request: Partial<SettleRequest> = {}, over: Partial<SettlePorts> = {}): Promise<SettleOutcome> {
    const whole: SettleRequest = { runId: 'run-1', mode: 'retry', ...request };
    return settleStep(await this.ports(over, whole.runId), whole);
  }

  /** As `recon call division/refund BIZ --yes --unchecked`, with the code of the payee Q where no other one is given. */
  async refundByHand(
    named: { outBatchNo: string; outOrderNos: string },
    code: object = smsCode(this.sandbox, { reqNo: 'RQQ' }),
  ): Promise<CallDocument> {
    await this.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
    const biz = { ...named, channelExtra: JSON.stringify(code) };
    const plain = { isUnchecked: true, said: ['all'], warnings: [], lookUp: undefined, approve: undefined };
    const call = { endpoint: 'division/refund', biz, ...plain } as const;
    try {
      return (await makeCall(this.orders.job, call, () => undefined)).document as CallDocument;
    } finally {
      await this.restart();
    }
  }

  /** The service's time goes on; the process's own clock does not. */
  moveTo(local: string): void {
    this.orders.night.moveTo(`2026-03-${local}`);
  }

  /** How often a settlement was asked for. */
  sends(): number {
    return this.orders.asked(SETTLE_PATH);
  }

  /** The paths that were asked at since, in order. */
  paths(after: number): string[] {
    return this.sandbox.requests(after).map((request) => request.path.replace('/api/open/virtualBank', ''));
  }

  /** Requests seen so far. */
  get requestNo(): number {
    return this.sandbox.requests().at(-1)?.no ?? 0;
  }

  /** What banks were paid for these orders by now, retried or not. */
  paid(outOrderNo: string): number {
    const now = Date.parse(this.orders.night.clock.wall());
    return this.sandbox.payouts().filter((payout) => payout.outOrderNo === outOrderNo && payout.atMs <= now)
      .length;
  }

  attempts(): Promise<string[]> {
    return lines(this.db, 'settle_attempt', ['out_order_no', 'attempt_no', 'state', 'outcome']);
  }
}

/**
 * Another machine, whose clock is off by so much, with a client of its own.
 * @param isSetRight its clock is set right the first time that it pauses
 */
export async function machineOff(
  { job, night }: OrderNight,
  aheadMs: number,
  isSetRight = false,
): Promise<Pick<Context, 'clock' | 'platform'> & Pick<SettlePorts, 'client'>> {
  const { clock } = night;
  let isRight = false;
  const wall = () => addMs(clock.wall(), isRight ? 0 : aheadMs);
  const sleep = (ms: number, until?: AbortSignal) => {
    isRight ||= isSetRight;
    return clock.sleep(ms, until);
  };
  const off = { wall, monoMs: () => clock.monoMs(), sleep };
  const { settings, profile, log, signal } = job;
  const parts = { settings, profile, clock: off, log, credentials: undefined };
  const { client } = await openPlatform(parts, { everSigned: true, signal });
  return { clock: off, client, platform: () => Promise.resolve(client) };
}

function leaseOf(orders: OrderNight): Promise<Lease> {
  return takeLease(orders.night.db, { name: 'settle', holder: 'test', realClock: orders.job.realClock });
}

/** `order attempt outcome`, line by line. */
export function settledLines({ settlements }: SettleOutcome): string[] {
  return settlements.map(({ outOrderNo, attemptNo, outcome }) => `${outOrderNo} ${attemptNo} ${outcome}`);
}

export function leftLines({ notRetried }: SettleOutcome): string[] {
  return notRetried.map(({ outOrderNo, code }) => `${outOrderNo} ${code}`);
}

export { at };
