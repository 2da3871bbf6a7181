/** Step 4 of the night: platform facts that were written since it last ran become movements. */
import type { Transaction } from 'kysely';
import type { Db, DbOrTransaction, Tables } from '../../store/schema/schema.ts';
import { unitOfWork } from '../../store/database/unit-of-work.ts';
import {
  hasWritten,
  highestWriteNo,
  progressOf,
  saveProgress,
  takeWriteNo,
} from '../../store/database/writing.ts';
import { dropAllDepositFees, postDeposits } from './post-deposits.ts';
import type { PostingRange } from './post-deposits.ts';
import { postOrders } from './post-orders.ts';
import type { FeeBearer, PostingRules } from './posting-rules.ts';

/** What one kind of fact is posted by; the step's name carries the rules, so that others begin anew. */
interface Posting {
  kind: string;
  rules: string;
  /** Where the facts lie. */
  tables: readonly ('deposit' | 'transfer_order' | 'withdrawal')[];
  /** `replaces`: other rules had posted before. */
  post: (trx: Transaction<Tables>, range: PostingRange, replaces: boolean) => Promise<void>;
}

/** Posts what is new; under other rules than last time, everything that they touch. */
export async function post(db: Db, rules: PostingRules): Promise<void> {
  await unitOfWork(db, async (trx) => {
    const upTo = await highestWriteNo(trx);
    await postKind(trx, upTo, deposits(rules.bearers.deposit));
    await postKind(trx, upTo, orders(rules));
  });
}

/** Whether all facts are posted by these rules. */
export async function isPosted(db: DbOrTransaction, rules: PostingRules): Promise<boolean> {
  for (const posting of [deposits(rules.bearers.deposit), orders(rules)]) {
    const after = await progressOf(db, stepOf(posting));
    for (const table of posting.tables) if (await hasWritten(db, table, after)) return false;
  }
  return true;
}

function deposits(bearer: FeeBearer): Posting {
  return {
    kind: 'post with deposit fees borne by ',
    rules: bearer,
    tables: ['deposit'],
    post: async (trx, range, replaces) => {
      if (replaces) await dropAllDepositFees(trx, range.writeNo);
      await postDeposits(trx, range, bearer);
    },
  };
}

function orders(rules: PostingRules): Posting {
  const { bearers, settleFee, settleAmount, feeReturned } = rules;
  const settlement = settleFee === null ? 'unknown' : `${settleFee.feeType} ${settleFee.feeFen}`;
  return {
    kind: 'post orders with ',
    rules:
      `fees borne by ${bearers.transfer}, ${bearers.withdraw}, ${bearers.settle}, settlement of ${settleAmount}` +
      ` with fee ${settlement}, fees of refunds ${feeReturned ? 'returned' : 'kept'}`,
    tables: ['transfer_order', 'withdrawal'],
    post: (trx, range) => postOrders(trx, range, rules),
  };
}

function stepOf({ kind, rules }: Posting): string {
  return `${kind}${rules}`;
}

async function postKind(trx: Transaction<Tables>, upTo: bigint, posting: Posting): Promise<void> {
  const step = stepOf(posting);
  const after = await progressOf(trx, step);
  if (upTo <= after) return;
  const replaces = after === 0n && (await forgetOtherRules(trx, posting.kind));
  await posting.post(trx, { after, upTo, writeNo: await takeWriteNo(trx) }, replaces);
  await saveProgress(trx, step, upTo);
}

/** @returns whether there were any */
async function forgetOtherRules(trx: Transaction<Tables>, kind: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('progress')
    .where('step', 'like', `${kind}%`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
