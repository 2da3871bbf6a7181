/** Step 4 of the night: platform facts that were written since it last ran become movements. */
import { unitOfWork } from '../store/unit-of-work.ts';
import { highestWriteNo, progressOf, saveProgress, takeWriteNo } from '../store/writing.ts';
import type { Transaction } from 'kysely';
import type { Db, Tables } from '../store/schema.ts';
import { dropAllDepositFees, postDeposits } from './post-deposits.ts';
import type { DepositFeeBearer } from './post-deposits.ts';

export interface PostingRules {
  depositFeeBearer: DepositFeeBearer;
}

/** Posts what is new; under other rules than last time, everything that they touch. */
export async function post(db: Db, rules: PostingRules): Promise<void> {
  const step = `post with deposit fees borne by ${rules.depositFeeBearer}`;
  await unitOfWork(db, async (trx) => {
    const upTo = await highestWriteNo(trx);
    const after = await progressOf(trx, step);
    if (upTo <= after) return;
    const writeNo = await takeWriteNo(trx);
    if (after === 0n) await forgetOtherRules(trx, writeNo);
    await postDeposits(trx, { after, upTo, writeNo }, rules.depositFeeBearer);
    await saveProgress(trx, step, upTo);
  });
}

async function forgetOtherRules(trx: Transaction<Tables>, writeNo: bigint): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('progress')
    .where('step', 'like', 'post with deposit fees borne by %')
    .executeTakeFirst();
  if (numDeletedRows > 0n) await dropAllDepositFees(trx, { writeNo });
}
