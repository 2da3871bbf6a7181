/**
 * Whatever a sandbox is asked, steered to and left alone for: one that is kept in a file and started again at any
 * moment answers every later call byte for byte as one that was never stopped (CTL).
 */
import path from 'node:path';
import { expect, test } from 'vitest';

import type { Members } from '../caller.ts';
import type { Choices } from '../random-business.ts';
import { choices, codeRequestFor, requestOf, spoiling } from '../random-requests.ts';
import type { Spoiling } from '../random-requests.ts';
import { aFolder, Twins } from './state-twins.ts';
import { fc, runs } from '../../helpers/properties.ts';

const ACCOUNTS = ['P', 'Q', 'R'] as const;
const RUNS = 60;

const account = fc.constantFrom(...ACCOUNTS);
const number = fc.nat(3);
const amount = fc.integer({ min: 1, max: 30_000 });
const spanMs = fc.constantFrom(0, 1, 999, 5_000, 61_000, 86_400_000);

type Act =
  | { kind: 'restart' }
  | { kind: 'tick'; ms: number }
  | { kind: 'call'; endpoint: string; biz: Members }
  /** Any of the 17 endpoints, right or corrupt, and the code it may need before. */
  | { kind: 'any'; chosen: Choices; corrupt: Spoiling | undefined }
  | { kind: 'again' }
  | { kind: 'refund'; no: number }
  | { kind: 'control'; at: string; given: unknown }
  | { kind: 'push'; status: number }
  | { kind: 'resume' };

const called = (endpoint: string, biz: fc.Arbitrary<Members>): fc.Arbitrary<Act> =>
  biz.map((of) => ({ kind: 'call', endpoint, biz: of }));
const steered = (at: string, given: fc.Arbitrary<unknown>): fc.Arbitrary<Act> =>
  given.map((of) => ({ kind: 'control', at, given: of }));

const payment = called(
  'division/pay',
  fc
    .record({ no: number, payee: account, amount, notify: fc.boolean() })
    .map(({ no, payee, amount: fen, notify }) => ({
      outBatchNo: `B-${no}`,
      payerAcctNo: 'P',
      num: 1,
      amount: fen,
      currency: 'CNY',
      clientIp: '10.0.0.1',
      orderList: JSON.stringify([
        { outOrderNo: `O-${no}`, body: '货款\ud800', amount: String(fen), payeeAcctNo: payee },
      ]),
      ...(notify ? { notifyUrl: 'http://127.0.0.1:9/push' } : {}),
    })),
);
const changes = fc.oneof(
  { weight: 4, arbitrary: payment },
  called(
    'account/withdraw',
    fc.record({ outOrderNo: number.map((no) => `W-${no}`), acctNo: account, amount }),
  ),
  called(
    'order/settle',
    number.map((no) => ({ outOrderNo: `O-${no}`, remark: '再付一次' })),
  ),
  called(
    'acct/sendMsg/SANDBOX',
    fc.record({
      reqNo: account.map((no) => `RQ${no}`),
      outReqNo: number.map(String),
      sceneType: fc.constant('REFUND'),
    }),
  ),
  number.map((no): Act => ({ kind: 'refund', no })),
);
const reads = fc.oneof(
  called('acct/queryInfo', fc.record({ accountNo: account })),
  called(
    'query/deposit',
    fc.record({
      payeeAcctNo: account,
      startDate: fc.constant('2026-02-20'),
      endDate: fc.constant('2026-03-15'),
      pageSize: fc.constantFrom(1, 3, 100),
    }),
  ),
  called('division/query', fc.record({ outBatchNo: number.map((no) => `B-${no}`) })),
  called('account/queryWithdraw', fc.record({ outOrderNo: number.map((no) => `W-${no}`) })),
  called(
    'get/transFiles',
    fc.oneof(
      number.map((no) => ({ transType: '3', outOrderNo: `O-${no}` })),
      number.map((no) => ({ transType: '2', outOrderNo: `W-${no}` })),
    ),
  ),
);

const switches = fc.record(
  {
    depositOrder: fc.constantFrom('newest', 'unstable'),
    voucherNotReady: fc.constantFrom(0, 2),
    transferDelayMs: fc.constantFrom(0, 60_000),
    pushPer: fc.constantFrom('batch', 'order'),
    duplicate: fc.constantFrom('refuse', 'returnFirst'),
    reqIdConsumedOnRefusal: fc.constantFrom('verified', 'always', 'never'),
  },
  { requiredKeys: [] },
);
const fault = fc
  .record({
    kind: fc.constantFrom('hold', 'twice', 'corrupt_sign', 'too_frequent', 'http', 'drop'),
    at: fc.constantFrom('*', 'division/pay', 'acct/queryInfo'),
    skip: fc.nat(2),
    times: fc.constantFrom(1, 2),
  })
  .map(({ kind, at, skip, times }) => ({
    faults: [
      {
        kind,
        path: at,
        skip,
        times,
        ...(kind === 'hold' ? { ms: 1_000 } : {}),
        ...(kind === 'http' ? { status: 503 } : {}),
        ...(kind === 'twice' ? { answer: 'second' } : {}),
      },
    ],
  }));
const depositOf = fc
  .record({ payeeAcctNo: account, amountFen: amount, day: fc.integer({ min: 20, max: 28 }) })
  .map(({ day, ...of }) => ({ ...of, depositTime: `2026-02-${day} 10:00:00` }));

const steering = fc.oneof(
  steered('/clock', fc.record({ advanceMs: fc.constantFrom(-60_000, 0, 1_500, 3_600_000) })),
  steered('/clock', fc.record({ running: fc.boolean() })),
  steered('/clock', fc.record({ set: fc.constant('2026-03-02 09:00:00') })),
  { weight: 3, arbitrary: steered('/switches', switches) },
  { weight: 3, arbitrary: steered('/faults', fault) },
  steered('/faults/lift', fc.constant({})),
  steered('/deposits', fc.record({ deposits: fc.array(depositOf, { maxLength: 3 }) })),
  steered('/arrivals', fc.record({ afterPages: fc.integer({ min: 1, max: 2 }), deposit: depositOf })),
  steered(
    '/accounts',
    fc
      .record({ fen: fc.integer({ min: 1, max: 9 }), queries: fc.nat(2), no: number })
      .map(({ fen, queries, no }) => ({
        accounts: [{ accountNo: no === 0 ? 'R' : `D${no}`, drift: { fen, queries } }],
      })),
  ),
  steered(
    '/outcomes',
    fc
      .record({ state: fc.constantFrom('SUCCESS', 'FAIL'), delayMs: spanMs, times: fc.constantFrom(1, 2) })
      .map((of) => ({ outcomes: [{ kind: 'transfer', ...of, settle: { state: 'FAIL' } }] })),
  ),
  steered(
    '/vouchers',
    fc.record({ times: fc.constantFrom(1, 2), notReady: fc.nat(2) }).map((of) => ({ vouchers: [of] })),
  ),
  steered('/pushes/repeat', fc.record({ no: fc.integer({ min: 1, max: 3 }) })),
  steered(
    '/movements',
    fc.constant({
      movements: [{ kind: 'interest', accountNo: 'Q', amountFen: 7, at: '2026-03-01 12:00:00' }],
    }),
  ),
  steered('/nowhere', fc.constant({})),
);

/** A reqId that is used again is another matter: those of mere reading are forgotten. */
const any = fc
  .record({ chosen: choices, corrupt: spoiling })
  .filter(({ corrupt }) => corrupt?.kind !== 'envelope' && corrupt?.kind !== 'unsigned')
  .map((of): Act => ({ kind: 'any', ...of }));

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'restart' }) },
  { weight: 2, arbitrary: spanMs.map((ms): Act => ({ kind: 'tick', ms })) },
  { weight: 8, arbitrary: changes },
  { weight: 5, arbitrary: reads },
  { weight: 6, arbitrary: steering },
  { weight: 8, arbitrary: any },
  { weight: 2, arbitrary: fc.constantFrom(200, 500).map((status): Act => ({ kind: 'push', status })) },
  fc.constant<Act>({ kind: 'again' }),
  fc.constant<Act>({ kind: 'resume' }),
);

/** What has been asked of both so far, as far as it is asked for again. */
interface Past {
  change: { endpoint: string; biz: Members; over: Members } | undefined;
  count: number;
}

async function carryOut(twins: Twins, past: Past, what: Act): Promise<void> {
  if (what.kind === 'restart') await twins.restart();
  if (what.kind === 'tick') twins.clock.tick(what.ms);
  if (what.kind === 'resume') twins.resume();
  if (what.kind === 'control') twins.control('POST', what.at, what.given);
  if (what.kind === 'push') await twins.push(() => Promise.resolve({ status: what.status, body: 'success' }));
  if (what.kind === 'again' && past.change) {
    twins.call(past.change.endpoint, past.change.biz, past.change.over);
  }
  past.change = undefined;
  if (what.kind === 'any') {
    const codeRequest = codeRequestFor(twins.lasting, what.chosen);
    if (codeRequest) twins.ask(codeRequest);
    twins.ask(requestOf(twins.lasting, what.chosen, what.corrupt));
  }
  if (what.kind === 'refund') refund(twins, what.no);
  if (what.kind !== 'call') return;
  const over = { reqId: `p${++past.count}` };
  const reply = twins.call(what.endpoint, what.biz, over);
  const isChange = what.endpoint === 'division/pay' && reply.body.includes('"000000"');
  if (isChange) past.change = { endpoint: what.endpoint, biz: what.biz, over };
}

/** With the newest code that was sent. */
function refund(twins: Twins, no: number): void {
  const codes = twins.control('GET', '/sms')['codes'] as Members[];
  const { smsCode, smsFlowNo } = codes.at(-1) ?? {};
  twins.call('division/refund', {
    outBatchNo: `B-${no}`,
    outOrderNos: `O-${no}`,
    channelExtra: JSON.stringify({ smsCode, smsFlowNo }),
  });
}

/** Every query there is, of everything there may be. */
function askEverything(twins: Twins): void {
  for (const accountNo of ACCOUNTS) {
    twins.call('acct/queryInfo', { accountNo });
    twins.call('query/deposit', { payeeAcctNo: accountNo, startDate: '2026-02-20', endDate: '2026-03-15' });
  }
  for (let no = 0; no < 4; no++) {
    twins.call('division/query', { outBatchNo: `B-${no}` });
    twins.call('account/queryWithdraw', { outOrderNo: `W-${no}` });
  }
}

test('CTL: a sandbox that is started again from its file at any moment goes on as one that was never stopped', async () => {
  await using folder = await aFolder();
  let file = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
      const twins = new Twins(path.join(folder.path, `${++file}.jsonl`), { scenario: 'empty' });
      await twins.restart();
      try {
        twins.control('POST', '/accounts', {
          accounts: [
            { accountNo: 'P', role: 'FQ', balanceFen: 100_000 },
            { accountNo: 'Q', autoSettle: true },
            { accountNo: 'R', drift: { fen: 3, queries: 4 } },
          ],
        });
        twins.control('POST', '/outcomes', {
          outcomes: [{ kind: 'transfer', times: null, settle: { state: 'FAIL' } }],
        });
        const past: Past = { change: undefined, count: 0 };
        for (const what of acts) await carryOut(twins, past, what);
        await twins.restart();
        twins.compare();
        askEverything(twins);
        twins.compare();
        expect(twins.kept.cutBytes).toBe(0);
      } finally {
        twins.stop();
      }
    }),
    { numRuns: runs(RUNS), seed: 20_260_301 },
  );
});
