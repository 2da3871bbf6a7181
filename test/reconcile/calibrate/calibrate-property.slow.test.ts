/**
 * Whatever a company trades: when the platform follows another value of one profile key than the proof assumed,
 * `calibrate` names that value, on every account that is off and for all of them at once (U35–U37). The truth is
 * reckoned here, event by event, not by the code under test.
 */
import { afterAll, expect, test } from 'vitest';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { calibrate } from '../../../src/reconcile/calibrate/calibrate.ts';
import { postingRulesOf } from '../../../src/reconcile/post/posting-rules.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { recordProfile } from '../record-profile.ts';
import { fc } from '../../helpers/properties.ts';

const database = await testDatabase();
const { db } = database;
const books = new Books(db);
const orders = new OrderBooks(db);
afterAll(() => database.close());

const TRADERS = ['100001', '100002', '100003'] as const;
const FEES = '100009';
const OPENING = 1_000_000n;

/** As much of a profile as the worlds differ in. */
interface Rules {
  transfer: string;
  deposit: string;
  withdraw: string;
  settle: string;
  settleFeeFen: number | null;
  amountRule: 'realAmount' | 'amount';
  feeReturned: boolean;
}

const BEARERS = ['payer', 'payee', 'self', 'external', `acct:${FEES}`] as const;
const bearer = fc.constantFrom(...BEARERS);
const rules: fc.Arbitrary<Rules> = fc.record({
  transfer: bearer,
  deposit: bearer,
  withdraw: bearer,
  settle: bearer,
  settleFeeFen: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 3 }),
  amountRule: fc.constantFrom('realAmount', 'amount'),
  feeReturned: fc.boolean(),
});

interface Trade {
  kind: 'deposit' | 'transfer' | 'withdrawal';
  from: number;
  to: number;
  amountFen: bigint;
  feeFen: bigint;
  feeType: 'ORDER' | 'ACCOUNT';
  settled: boolean;
  refunded: boolean;
}

const trade: fc.Arbitrary<Trade> = fc.record({
  kind: fc.constantFrom('deposit', 'transfer', 'transfer', 'withdrawal'),
  from: fc.integer({ min: 0, max: 2 }),
  to: fc.integer({ min: 0, max: 2 }),
  amountFen: fc.bigInt({ min: 1_000n, max: 9_999n }),
  feeFen: fc.bigInt({ min: 1n, max: 99n }),
  feeType: fc.constantFrom('ORDER', 'ACCOUNT'),
  settled: fc.boolean(),
  refunded: fc.boolean(),
});

/** The one key in which the platform differs from what is assumed, as `key=value`. */
type Difference = { [K in keyof Rules]: { name: K; value: Rules[K] } }[keyof Rules];
const differences = (assumed: Rules): fc.Arbitrary<Difference> => {
  const other = (name: 'transfer' | 'deposit' | 'withdraw' | 'settle') =>
    fc
      .constantFrom(...BEARERS)
      .filter((value) => value !== assumed[name])
      .map((value) => ({ name, value }));
  return fc.oneof(
    other('transfer'),
    other('deposit'),
    other('withdraw'),
    other('settle'),
    fc
      .option(fc.integer({ min: 1, max: 99 }))
      .filter((value) => value !== assumed.settleFeeFen)
      .map((value) => ({ name: 'settleFeeFen' as const, value })),
    fc.constant({
      name: 'amountRule' as const,
      value: assumed.amountRule === 'amount' ? ('realAmount' as const) : ('amount' as const),
    }),
    fc.constant({ name: 'feeReturned' as const, value: !assumed.feeReturned }),
  );
};

const world = rules.chain((assumed) =>
  fc.record({
    assumed: fc.constant(assumed),
    difference: differences(assumed),
    trades: fc.array(trade, { minLength: 3, maxLength: 8 }),
  }),
);

function profileOf({ settleFeeFen, amountRule, feeReturned, ...bearers }: Rules) {
  const settle = settleFeeFen === null ? null : { feeType: 'ACCOUNT', feeFen: settleFeeFen };
  const keys = { fees: { bearer: bearers, settle }, settle: { amountRule }, refund: { feeReturned } };
  return readProfile(JSON.stringify(keys), 'test');
}

/** What the accounts hold after these trades. */
function heldUnder(rule: Rules, trades: readonly Trade[]): Map<string, bigint> {
  const held = new Map<string, bigint>([...TRADERS, FEES].map((no) => [no, OPENING]));
  const gain = (no: string | undefined, fen: bigint): void => {
    if (no !== undefined) held.set(no, (held.get(no) ?? 0n) + fen);
  };
  const bearing = (
    word: string,
    of: { payer?: string; payee?: string; self: string },
  ): string | undefined => {
    if (word === 'payer') return of.payer;
    if (word === 'payee') return of.payee;
    return word === 'self' ? of.self : word === 'external' ? undefined : FEES;
  };
  for (const { kind, from, to, amountFen, feeFen, feeType, settled, refunded } of trades) {
    const payer = TRADERS[from] ?? '';
    const payee = TRADERS[to] ?? '';
    const insideFen = feeType === 'ORDER' ? feeFen : 0n;
    const besideFen = feeFen - insideFen;
    if (kind === 'deposit') {
      gain(payee, amountFen - insideFen);
      gain(bearing(rule.deposit, { payee, self: payee }), -besideFen);
    } else if (kind === 'withdrawal') {
      gain(payer, -amountFen);
      gain(bearing(rule.withdraw, { payer, payee: payer, self: payer }), -besideFen);
    } else {
      const feePayer = bearing(rule.transfer, { payer, payee, self: payer });
      gain(payer, -amountFen);
      gain(payee, amountFen - insideFen);
      gain(feePayer, -besideFen);
      if (settled) {
        gain(payee, rule.amountRule === 'amount' ? -amountFen : insideFen - amountFen);
        gain(bearing(rule.settle, { payer, payee, self: payee }), -BigInt(rule.settleFeeFen ?? 0));
      }
      if (refunded) {
        gain(payer, amountFen);
        gain(payee, -amountFen);
        if (rule.feeReturned) {
          gain(payee, insideFen);
          gain(feePayer, besideFen);
        }
      }
    }
  }
  return held;
}

async function write(trades: readonly Trade[]): Promise<void> {
  for (const [at, { kind, from, to, settled, refunded, ...amounts }] of trades.entries()) {
    const [payer, payee] = [TRADERS[from] ?? '', TRADERS[to] ?? ''];
    if (kind === 'deposit') {
      await books.deposits(payee, [{ orderNo: `D${at}`, at: '2026-03-01 09:00:00', ...amounts }]);
    } else if (kind === 'withdrawal') {
      await orders.withdrawal({ out: `W${at}`, account: payer, ...amounts });
    } else {
      const refunds = refunded ? [{ amountFen: amounts.amountFen, finalAt: '2026-03-01 12:00:00' }] : [];
      const settle = settled ? [{ state: 'moved' as const }] : [];
      await orders.transfer({ out: `T${at}`, payer, payee, settle, refunds, ...amounts });
    }
  }
}

const KEYS: Readonly<Record<keyof Rules, string>> = {
  transfer: 'fees.bearer.transfer',
  deposit: 'fees.bearer.deposit',
  withdraw: 'fees.bearer.withdraw',
  settle: 'fees.bearer.settle',
  settleFeeFen: 'fees.settle',
  amountRule: 'settle.amountRule',
  feeReturned: 'refund.feeReturned',
};

function explanationOf({ name, value }: Difference) {
  const isFee = name === 'settleFeeFen' && value !== null;
  return { key: KEYS[name], value: isFee ? { feeType: 'ACCOUNT', feeFen: BigInt(value) } : value };
}

test('the value the platform follows is among what explains each residual, and all of them', async () => {
  let off = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ assumed, difference, trades }) => {
      const truth: Rules = { ...assumed, [difference.name]: difference.value };
      const held = heldUnder(truth, trades);
      const expected = heldUnder(assumed, trades);
      await emptyTables(db, 'all');
      for (const [no, fen] of held) {
        await books.account(no, { fen: OPENING, at: '2026-03-01 00:00:00' });
        await books.proven(no, '2026-03-01', '2026-03-01');
        await books.balance(no, { at: '2026-03-02 00:00:00', fen });
      }
      await write(trades);
      const profile = profileOf(assumed);
      const { runId } = await books.night('2026-03-01', { rules: postingRulesOf(profile) });
      await recordProfile(db, runId, profile);
      const found = await calibrate(db, { profile, zoneName: 'Asia/Shanghai' });
      for (const { accountNo, residualFen, explainedBy } of found.accounts) {
        expect(residualFen).toBe((held.get(accountNo) ?? 0n) - (expected.get(accountNo) ?? 0n));
        if (residualFen === 0n) expect(explainedBy).toEqual([]);
        else expect(explainedBy).toContainEqual(explanationOf(difference));
      }
      if (found.overall.accountsOff === 0) return;
      off += 1;
      expect(found.overall.explainedBy).toContainEqual(explanationOf(difference));
    }),
    { numRuns: 30 },
  );
  expect(off, 'worlds in which something was off').toBeGreaterThan(5);
}, 240_000);
