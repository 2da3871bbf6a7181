/**
 * Worlds for `calibrate`: a payer, a payee and an account for fees, each with 10,000 yuan at the start of March, and
 * what it says of them in a line each.
 */
import { afterAll, beforeEach } from 'vitest';
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { calibrate } from '../../../src/reconcile/calibrate/calibrate.ts';
import type { Explanation } from '../../../src/reconcile/calibrate/hypothesis-search.ts';
import { postingRulesOf } from '../../../src/reconcile/post/posting-rules.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { recordProfile } from '../record-profile.ts';

export const PAYER = '100001';
export const PAYEE = '100002';
export const FEES = '100009';

export const profileOf = (keys: object): Profile => readProfile(JSON.stringify(keys), 'test');
export const DEFAULT = profileOf({});
export const WITH_SETTLE_FEE = profileOf({ fees: { settle: { feeType: 'ACCOUNT', feeFen: 60 } } });

/** What the platform holds; the account for fees 10,000 yuan unless it is said. */
export interface Held {
  payer: bigint;
  payee: bigint;
  fees?: bigint;
}

/** To be called at the top of a test file: each test begins with the three accounts and nothing else. */
export async function calibrateWorld() {
  const database = await testDatabase();
  const { db } = database;
  const books = new Books(db);
  const orders = new OrderBooks(db);
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(db, 'all');
    for (const no of [PAYER, PAYEE, FEES]) {
      await books.account(no, { fen: 1_000_000n, at: '2026-03-01 00:00:00' });
      await books.proven(no, '2026-03-01', '2026-03-05');
    }
  });
  return {
    db,
    books,
    orders,
    balances: async (day: string, held: Held, time = '00:00:00'): Promise<void> => {
      await books.balance(PAYER, { at: `${day} ${time}`, fen: held.payer });
      await books.balance(PAYEE, { at: `${day} ${time}`, fen: held.payee });
      await books.balance(FEES, { at: `${day} ${time}`, fen: held.fees ?? 1_000_000n });
    },
    /** A night under a profile, which its run remembers. */
    night: async (day: string, profile: Profile): Promise<void> => {
      const rules = postingRulesOf(profile);
      const { runId } = await books.night(day, { rules, model: profile.inflight.model });
      await recordProfile(db, runId, profile);
    },
    /** `account residual, explanations` where there is a residual, and what explains all of them. */
    calibrated: async (profile: Profile): Promise<{ accounts: string[]; all: string[] }> => {
      const { accounts, overall } = await calibrate(db, { profile, zoneName: 'Asia/Shanghai' });
      const off = accounts.filter(({ residualFen }) => residualFen !== 0n);
      return {
        accounts: off.map(({ accountNo, residualFen, explainedBy }) =>
          [`${accountNo} ${residualFen}`, ...explainedBy.map(textOf)].join(', '),
        ),
        all: overall.explainedBy.map(textOf),
      };
    },
  };
}

function textOf({ key, value, with: second }: Explanation): string {
  const isFee = typeof value === 'object' && value !== null;
  const shown = isFee ? `${value.feeType} ${value.feeFen}` : String(value);
  return `${key}=${shown}${second === undefined ? '' : ` + ${textOf(second)}`}`;
}
