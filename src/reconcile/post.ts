/** Step 4 of the night: platform facts that were written since it last ran become movements. */
import { highestWriteNo, progressOf, saveProgress, takeWriteNo } from '../store/writing.ts';
import type { Db } from '../store/schema.ts';
import { postDeposits } from './post-deposits.ts';
import type { DepositFeeBearer } from './post-deposits.ts';

export interface PostingRules {
  depositFeeBearer: DepositFeeBearer;
}

export async function post(db: Db, rules: PostingRules): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const upTo = await highestWriteNo(trx);
    const after = await progressOf(trx, 'post');
    if (upTo <= after) return;
    const writeNo = await takeWriteNo(trx);
    await postDeposits(trx, { after, upTo, writeNo }, rules.depositFeeBearer);
    await saveProgress(trx, 'post', upTo);
  });
}
