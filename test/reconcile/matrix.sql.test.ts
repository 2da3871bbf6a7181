import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostingRules } from '../../src/reconcile/post/posting-rules.ts';
import type { Proof } from '../../src/reconcile/prove/prove.ts';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { OrderBooks, postingRules } from '../helpers/company/order-books.ts';
import { BEARERS, CASES } from './matrix-cases.ts';
import type { Bearer, Case, FeeType } from './matrix-cases.ts';

/**
 * The table of docs/reconciliation.md 3.3 as a matrix: kind × ORDER/ACCOUNT × bearer × final/failed/in flight × both
 * in-flight models. Every case has a payer and a payee of its own, which held 1,000.00 each; balances follow the
 * table written by hand, books are kept once rightly and once with 7 fen too much in one entry.
 */
let database: TestDatabase;
let books: Books;
let orders: OrderBooks;
beforeAll(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
});
afterAll(() => database.close());

const OPENING = 100_000n;
const SUBMITTED = '2026-03-01 09:00:00';
const SEEN = '2026-03-02 02:00:00';
const READ = '2026-03-02 02:00:05';

type Model = 'frozen' | 'debited';

async function openAccount(accountNo: string): Promise<void> {
  await books.account(accountNo, { fen: OPENING, at: '2026-03-01 00:00:00' });
  await books.proven(accountNo, '2026-02-20', '2026-03-02');
  await books.entries(accountNo, [
    { id: `${accountNo}-open`, kind: 'opening', amountFen: OPENING, at: '2026-03-01 00:00:00' },
  ]);
}

/** The case's order as the platform states it. */
async function playOrder({ kind, feeType, outcome }: Case, no: string): Promise<void> {
  const state = ({ final: 'moved', failed: 'failed', 'in flight': 'open' } as const)[outcome];
  const look = outcome === 'in flight' ? { lastOpenAt: READ } : { finalAt: SEEN };
  const order = { out: `O${no}`, amountFen: 10_000n, feeFen: 30n, feeType, submittedAt: SUBMITTED };
  const transfer = { ...order, batch: `B${no}`, payer: `P${no}`, payee: `Q${no}` };
  const moved = { ...transfer, finalAt: SEEN };
  switch (kind) {
    case 'deposit':
      await books.deposits(`Q${no}`, [
        { orderNo: `O${no}`, at: SUBMITTED, amountFen: 10_000n, feeFen: 30n, feeType },
      ]);
      return;
    case 'transfer':
      await orders.transfer({ ...transfer, state, ...look });
      return;
    case 'withdrawal':
      await orders.withdrawal({ ...order, account: `P${no}`, state, ...look });
      return;
    case 'settlement':
      // The fee of the settlement varies; the transfer below it always has its fee inside.
      await orders.transfer({ ...moved, feeType: 'ORDER', settle: { state, ...look } });
      return;
    case 'refund':
      await orders.transfer({ ...moved, refunds: [{ amountFen: 4_000n, state, ...look }] });
  }
}

/** One ledger entry per account says it all; `wrongFen` too much where the books are kept wrongly. */
async function keepBooks(played: Case, no: string, bearer: Bearer, wrongFen: bigint): Promise<void> {
  const { payer, payee, third } = played.change[bearer];
  const entries = entriesOf(played, bearer);
  for (const [accountNo, sumFen] of [
    [`P${no}`, payer],
    [`Q${no}`, payee],
  ] as const) {
    const own = accountNo.startsWith('P') ? entries.payer : entries.payee;
    expect(own.reduce((sum, { amountFen }) => sum + amountFen, 0n)).toBe(sumFen);
    await books.entries(
      accountNo,
      own.map((entry, at) => ({
        ...entry,
        amountFen: entry.amountFen + (at === 0 ? wrongFen : 0n),
        id: `${accountNo}-${at}`,
        at: SUBMITTED,
        reference: `O${no}`,
      })),
    );
  }
  if (third !== 0n) {
    await books.entries('X', [
      { id: `X-${no}`, kind: 'fee', amountFen: third, at: SUBMITTED, reference: `O${no}` },
    ]);
  }
}

type Entry = {
  kind:
    | 'deposit'
    | 'transfer_out'
    | 'transfer_in'
    | 'withdrawal'
    | 'settlement'
    | 'refund_in'
    | 'refund_out'
    | 'fee';
  amountFen: bigint;
};

/** The change of the table, split into the entries an accountant would book. */
function entriesOf(
  { kind, outcome, feeType, change }: Case,
  bearer: Bearer,
): Record<'payer' | 'payee', Entry[]> {
  const { payer, payee } = change[bearer];
  const isFinal = outcome === 'final';
  const one = (own: Entry['kind'], amountFen: bigint): Entry[] =>
    amountFen === 0n ? [] : [{ kind: own, amountFen }];
  switch (kind) {
    case 'deposit':
      return { payer: [], payee: one('deposit', payee) };
    case 'transfer':
      return { payer: one('transfer_out', payer), payee: one('transfer_in', payee) };
    case 'withdrawal':
      return { payer: one('withdrawal', payer), payee: [] };
    case 'settlement': {
      const paidOut = isFinal ? one('settlement', -9_970n) : [];
      const feeFen = isFinal && feeType === 'ACCOUNT' ? payee : 0n;
      const payersFee = isFinal ? payer + 10_000n : 0n;
      return {
        payer: [...one('transfer_out', -10_000n), ...one('fee', payersFee)],
        payee: [...one('transfer_in', 9_970n), ...paidOut, ...one('fee', feeFen)],
      };
    }
    case 'refund':
      return isFinal
        ? {
            payer: [...one('transfer_out', payer - 4_000n), ...one('refund_in', 4_000n)],
            payee: [...one('transfer_in', payee + 4_000n), ...one('refund_out', -4_000n)],
          }
        : { payer: one('transfer_out', payer), payee: one('transfer_in', payee) };
  }
}

function rulesFor(bearer: Bearer, settleFee: FeeType): PostingRules {
  return postingRules({
    bearers: { deposit: bearer, transfer: bearer, withdraw: bearer, settle: bearer },
    settleFee: { feeType: settleFee, feeFen: 20n },
  });
}

/** Everything of one bearer and one model: played, booked, balanced, proven. */
async function proveAll(of: {
  bearer: Bearer;
  model: Model;
  feeType: FeeType;
  wrongFen: bigint;
}): Promise<Proof> {
  await emptyTables(database.db, 'all');
  await openAccount('X');
  let thirdFen = 0n;
  for (const [at, played] of CASES.entries()) {
    if (played.feeType !== of.feeType) continue;
    const no = String(at);
    await openAccount(`P${no}`);
    await openAccount(`Q${no}`);
    await playOrder(played, no);
    await keepBooks(played, no, of.bearer, of.wrongFen);
    const { payer, payee, third } = played.change[of.bearer];
    const held = played.held[of.bearer];
    thirdFen += third;
    await readBalance(`P${no}`, { fen: OPENING + payer, heldFen: held.payer, model: of.model });
    await readBalance(`Q${no}`, { fen: OPENING + payee, heldFen: held.payee, model: of.model });
  }
  await readBalance('X', { fen: OPENING + thirdFen, heldFen: 0n, model: of.model });
  return books.night('2026-03-01', { rules: rulesFor(of.bearer, of.feeType) });
}

async function readBalance(
  accountNo: string,
  of: { fen: bigint; heldFen: bigint; model: Model },
): Promise<void> {
  const isDebited = of.model === 'debited';
  await books.balance(accountNo, {
    at: READ,
    fen: of.fen - (isDebited ? of.heldFen : 0n),
    frozenFen: isDebited ? 0n : of.heldFen,
  });
}

/** D = opening difference + lines + unexplained, for each account and for the total. */
function expectIdentities({ accounts }: Proof): void {
  let totals = { differenceFen: 0n, partsFen: 0n };
  for (const account of accounts) {
    const { differenceFen = 0n, openingDifferenceFen = 0n, lineDifferenceFen, numbers } = account;
    const partsFen = openingDifferenceFen + lineDifferenceFen + (numbers.unexplainedFen ?? 0n);
    expect(differenceFen, account.accountNo).toBe(partsFen);
    totals = { differenceFen: totals.differenceFen + differenceFen, partsFen: totals.partsFen + partsFen };
  }
  expect(totals.differenceFen).toBe(totals.partsFen);
}

const MODELS: readonly Model[] = ['frozen', 'debited'];
const FEE_TYPES: readonly FeeType[] = ['ORDER', 'ACCOUNT'];

describe.each(BEARERS)('3.3, fee beside borne by %s', (bearer) => {
  describe.each(MODELS)('in flight %s', (model) => {
    test.each(FEE_TYPES)(
      '%s: every kind, final, failed and in flight, is proven to the fen',
      async (feeType) => {
        const proof = await proveAll({ bearer, model, feeType, wrongFen: 0n });
        expectIdentities(proof);
        for (const account of proof.accounts) {
          const { accountNo, differenceFen, lineDifferenceFen, numbers, inflightModel } = account;
          const played = CASES[Number(accountNo.slice(1))];
          const side = accountNo.startsWith('P') ? 'payer' : 'payee';
          const heldFen = accountNo === 'X' || played === undefined ? 0n : played.held[bearer][side];
          const seen = {
            accountNo,
            differenceFen,
            lineDifferenceFen,
            unexplainedFen: numbers.unexplainedFen,
          };
          expect(seen).toEqual({ accountNo, differenceFen: 0n, lineDifferenceFen: 0n, unexplainedFen: 0n });
          expect(numbers.inFlightFen, accountNo).toBe(heldFen);
          expect(inflightModel, accountNo).toBe(heldFen === 0n ? undefined : model);
          expect(account.verdict, accountNo).toBe(heldFen === 0n ? 'reconciled' : 'reconciled_with_timing');
        }
      },
    );
  });

  test.each(FEE_TYPES)(
    '%s: 7 fen too much in the first entry of each account are 7 fen of breaks there',
    async (feeType) => {
      const proof = await proveAll({ bearer, model: 'frozen', feeType, wrongFen: 7n });
      expectIdentities(proof);
      const wrong = await database.db
        .selectFrom('ledger_entry')
        .select('account_no')
        .where('kind', '<>', 'opening')
        .where('account_no', '<>', 'X')
        .groupBy('account_no')
        .execute();
      for (const { accountNo, differenceFen, lineDifferenceFen, verdict, numbers } of proof.accounts) {
        const isWrong = wrong.some((row) => row.account_no === accountNo);
        expect({ accountNo, differenceFen }).toEqual({ accountNo, differenceFen: isWrong ? -7n : 0n });
        expect(lineDifferenceFen).toBe(isWrong ? -7n : 0n);
        expect(numbers.unexplainedFen).toBe(0n);
        expect(verdict === 'breaks', accountNo).toBe(isWrong);
      }
    },
  );
});
