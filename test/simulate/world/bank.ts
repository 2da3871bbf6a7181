/**
 * The world of a seed: the platform as the sandbox plays it, on virtual time, with accounts, orders and the script of
 * their settlements; and what it truly accepted and paid, which the oracle holds against the books.
 */
import type { HttpRequest } from '../../../src/core/ports.ts';
import { instantOf } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { PATH_PREFIX } from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { openCredentials } from '../../../src/platform/credentials.ts';
import { sealRequest } from '../../../src/platform/envelope.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxReply } from '../../../src/sandbox/protocol/exchange.ts';
import type { TransferSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { CANARY } from '../canaries.ts';
import { failsMs } from './acceptance.ts';
import type { Acceptance } from './acceptance.ts';
import type { OrderPlan, SeedPlan } from './draw-plan.ts';
import type { Kernel } from './kernel.ts';
import { FIELDS_WITHOUT_TIME, profileOf, ZONE } from './profiles.ts';
import { Stream } from './random.ts';
import { QueryViews } from './views.ts';

/** So long before the beginning the orders were submitted. */
const SUBMITTED_BEFORE_MS = 86_400_000;
export const BASE_URL = 'http://platform.sim';
export const PAYER = 'P1';
const API_KEY = 'ak_sim';
export const REFUND_PATH = '/division/refund';
export const SETTLE_PATH = '/order/settle';
const QUERY_PATH = '/division/query';

export const CREDENTIALS = openCredentials({
  apiKey: API_KEY,
  appId: undefined,
  signType: 'MD5',
  secret: CANARY.secret,
  privateKeyText: undefined,
  publicKeyText: undefined,
});

/** What the platform really paid; times since the beginning. */
export interface Paid {
  outOrderNo: string;
  reqId: string;
  atMs: number;
  returnedMs: number | undefined;
}

/** A refund that it took; times since the beginning, Infinity for what never comes. */
export interface Refunded {
  reqId: string;
  acceptedMs: number;
  /** The payer has the money. */
  doneMs: number;
  /** The payee has it back: it was refused, or given back. */
  backMs: number;
}

export class Bank {
  readonly sandbox: Sandbox;
  readonly accepted: Acceptance[] = [];
  readonly #kernel: Kernel;
  readonly #plan: SeedPlan;
  readonly #lags: Stream;
  readonly #views: QueryViews;
  #calls = 0;

  constructor(kernel: Kernel, plan: SeedPlan) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#lags = new Stream(plan.seed, 'lags');
    this.#views = new QueryViews(plan);
    this.sandbox = createSandbox({
      profile: profileOf(plan.rules),
      clock: {
        wall: () => this.now(),
        monoMs: () => kernel.nowMs,
        sleep: (ms, signal) => kernel.sleep(ms, signal),
      },
      credentials: [{ mode: 'apiKey', id: API_KEY, secret: CANARY.secret, merchant: 'main' }],
      switches: {
        settleGuard: plan.guard,
        settleQueueMs: plan.queueMs,
        ...switchesOf(plan.refunds),
        ...(plan.rules.timestampSigned ? {} : { responseSignFields: [...FIELDS_WITHOUT_TIME] }),
      },
    });
    this.#fill();
  }

  now(): Instant {
    return instantOf(this.#plan.beginsMs + this.#kernel.nowMs);
  }

  /** One request as it arrives, whoever sent it. */
  arrive(request: HttpRequest, isOurs = true): SandboxReply {
    const path = request.url.slice(BASE_URL.length);
    if (path.endsWith(QUERY_PATH)) this.#lagBehind(request.body);
    const reply = this.sandbox.answer({
      method: 'POST',
      path,
      contentType: 'application/json; charset=utf-8',
      body: request.body,
    });
    if (path.endsWith(SETTLE_PATH) && reply.body.includes('"code":"000000"'))
      this.#noteAcceptance(request.body, isOurs);
    return reply;
  }

  /** Each query by whichever of their replicas answers it. */
  #lagBehind(body: string): void {
    const { ms, isFlapping } = this.#plan.lag;
    const settleViewLagMs = ms > 0 && isFlapping && this.#lags.chance(0.7) ? this.#lags.whole(0, ms) : ms;
    this.sandbox.setSwitches({ settleViewLagMs, refundViewLagMs: settleViewLagMs });
    this.#views.change(this, { body, nowMs: this.#kernel.nowMs, lagMs: settleViewLagMs });
  }

  /** Somebody else asks for something, through the platform's own pages. @returns its answer */
  ask(endpoint: EndpointName, biz: object, path = `/${endpoint}`): string {
    const rules = { profile: profileOf(this.#plan.rules), credentials: CREDENTIALS, endpoint };
    const reqId = `byhand${++this.#calls}`;
    const stamp = { reqId, reqTime: ZONE.compactText(this.now()) };
    const url = `${BASE_URL}${PATH_PREFIX}${path}`;
    const body = sealRequest(rules, stamp, biz);
    return this.arrive({ url, body, deadlineMs: 0, bytesMax: 0 }, false).body;
  }

  /** To the payee of a refund; it is for any of them. */
  sendCode(): { smsCode: string; smsFlowNo: string } {
    const { channelCode: reqNo } = this.sandbox;
    const biz = { reqNo, outReqNo: `sms${this.#calls}`, sceneType: 'REFUND' };
    this.ask('acct/sendMsg', biz, `/acct/sendMsg/${reqNo}`);
    const { smsCode = '', smsFlowNo = '' } = this.sandbox.smsCodes().at(-1) ?? {};
    return { smsCode, smsFlowNo };
  }

  /** Whether the platform's pages show its settlement as failed, and nothing of a refund. */
  looksFailed(outOrderNo: string): boolean {
    const { nowMs } = this.#kernel;
    const isFailed = this.notFailedSpans(outOrderNo).every(
      ({ fromMs, toMs }) => nowMs < fromMs || nowMs >= toMs,
    );
    return isFailed && this.refunds(outOrderNo).every(({ backMs }) => backMs <= nowMs);
  }

  /** What it took of refunds of an order, whoever called for them. */
  refunds(outOrderNo: string): Refunded[] {
    const { beginsMs } = this.#plan;
    return this.sandbox
      .refunds()
      .filter((refund) => refund.outOrderNo === outOrderNo)
      .map(({ reqId, acceptedAtMs, atMs = Infinity, backAtMs = Infinity }) => ({
        reqId,
        acceptedMs: acceptedAtMs - beginsMs,
        doneMs: atMs - beginsMs,
        backMs: backAtMs - beginsMs,
      }));
  }

  /** The company's number of the order that a request of order/settle is about, by whichever number it names it. */
  orderAsked(body: string): string {
    const { bizData } = JSON.parse(body) as { bizData: string };
    const { outOrderNo, orderNo } = JSON.parse(bizData) as { outOrderNo?: string; orderNo?: string };
    const found = outOrderNo ?? this.#plan.orders.find((order) => platformNo(order) === orderNo)?.outOrderNo;
    if (found === undefined) throw new Error(`Bug: no order has the number ${orderNo}`);
    return found;
  }

  /** Whether nothing that was asked for with that request is under way or paid. */
  isOver(reqId: string): boolean {
    const accepted = this.accepted.find((known) => known.reqId === reqId);
    return accepted === undefined || failsMs(accepted) <= this.#kernel.nowMs;
  }

  payouts(): Paid[] {
    return this.sandbox.payouts().map(({ outOrderNo, reqId, atMs, returnedAtMs }) => ({
      outOrderNo,
      reqId,
      atMs: atMs - this.#plan.beginsMs,
      returnedMs: returnedAtMs === undefined ? undefined : returnedAtMs - this.#plan.beginsMs,
    }));
  }

  /** Orders that are paid now, and not returned. */
  livePayouts(): string[] {
    const nowMs = this.#kernel.nowMs;
    return this.payouts()
      .filter(({ atMs, returnedMs }) => atMs <= nowMs && (returnedMs === undefined || returnedMs > nowMs))
      .map(({ outOrderNo }) => outOrderNo)
      .toSorted();
  }

  /** When queries show an order's settlement as under way or paid; times since the beginning. */
  notFailedSpans(outOrderNo: string): { fromMs: number; toMs: number }[] {
    const plan = this.#plan.orders.find((order) => order.outOrderNo === outOrderNo);
    const spans = this.accepted
      .filter((known) => known.outOrderNo === outOrderNo)
      .map((known) => ({ fromMs: known.showsMs, toMs: failsMs(known) }));
    if (plan?.first === 'settled') spans.push({ fromMs: -Infinity, toMs: Infinity });
    if (plan?.first === 'failsLater' || plan?.first === 'returned') {
      spans.push({ fromMs: -Infinity, toMs: plan.firstEndsMs });
    }
    return spans;
  }

  #noteAcceptance(body: string, isOurs: boolean): void {
    const { reqId } = JSON.parse(body) as { reqId: string };
    const outOrderNo = this.orderAsked(body);
    const earlier = this.accepted.filter((known) => known.outOrderNo === outOrderNo).length;
    const order = this.#plan.orders.find((known) => known.outOrderNo === outOrderNo);
    const retry = order?.retries[earlier];
    const atMs = this.#kernel.nowMs;
    const showsMs = atMs + this.#plan.queueMs;
    const endsMs = showsMs + (retry?.delayMs ?? 0);
    this.accepted.push({
      reqId,
      outOrderNo,
      atMs,
      showsMs,
      endsMs,
      isPaid: (retry?.state ?? 'SUCCESS') === 'SUCCESS',
      returnedMs: retry?.returnAfterMs === undefined ? undefined : endsMs + retry.returnAfterMs,
      isOurs,
    });
  }

  #fill(): void {
    const { payeeAcctNos, orders } = this.#plan;
    const bindCard = { bankAccountNo: CANARY.card, bankAccountName: '测试收款人', mobile: CANARY.mobile };
    const payees = payeeAcctNos.map((accountNo) => ({ accountNo, balanceFen: 10_000_000n, bindCard }));
    this.sandbox.seedAccounts([{ accountNo: PAYER, role: 'FQ', balanceFen: 10_000_000n }, ...payees]);
    const batches = [...new Set(orders.map(({ outBatchNo }) => outBatchNo))];
    this.sandbox.seedTransfers(
      batches.map((outBatchNo): TransferSeed => ({
        outBatchNo,
        payerAcctNo: PAYER,
        submittedAt: instantOf(this.#plan.beginsMs - SUBMITTED_BEFORE_MS),
        orders: orders.filter((order) => order.outBatchNo === outBatchNo).map(seedOf),
      })),
    );
    for (const [outOrderNo, outcomes] of Object.entries(this.#plan.refunds.outcomes)) {
      this.sandbox.planOutcomes(outcomes.map((outcome) => ({ kind: 'refund', outOrderNo, ...outcome })));
    }
  }
}

function switchesOf({ told, codeSeconds }: SeedPlan['refunds']): SwitchesPatch {
  const where = told === 'nowhere' ? { queryShowsRefund: false } : { refundWordsIn: told };
  return { ...where, smsTtlSeconds: codeSeconds };
}

function platformNo({ outOrderNo }: OrderPlan): string {
  return `TO-${outOrderNo}`;
}

function seedOf(order: OrderPlan): TransferSeed['orders'][number] {
  const { outOrderNo, payeeAcctNo, amountFen, first, firstEndsMs } = order;
  const remark = `账号${CANARY.card}错误`;
  const retries = order.retries.map(({ state, delayMs, returnAfterMs }) => ({
    state,
    delayMs,
    ...(state === 'FAIL' ? { remark } : {}),
    ...(returnAfterMs === undefined ? {} : { returnAfterMs }),
  }));
  const base = { outOrderNo, orderNo: platformNo(order), payeeAcctNo, amountFen };
  const delayMs = SUBMITTED_BEFORE_MS + firstEndsMs;
  switch (first) {
    case 'failed':
      return { ...base, settle: { state: 'FAIL', remark, retries } };
    case 'failsLater':
      return { ...base, settle: { state: 'FAIL', delayMs, remark, retries } };
    case 'settled':
      return { ...base, settle: { state: 'SUCCESS', delayMs, retries } };
    case 'returned':
      return { ...base, settle: { state: 'SUCCESS', returnAfterMs: delayMs, retries } };
    case 'strange':
      return { ...base, settle: { states: [{ afterMs: 0, state: 'HALTED' }], retries } };
  }
}
