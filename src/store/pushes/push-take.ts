/** Keeps a push: the same body again is the same hint, whenever and in whatever order it comes (EVT-08). */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Db, PushKind } from '../schema/schema.ts';

export interface ReceivedPush {
  /** Of the body. */
  sha256: string;
  body: Uint8Array;
  kind: PushKind;
  /** Empty where they are not stated. */
  ownNo: string;
  platformNo: string;
  accountNo: string;
  statedState: string;
  signed: boolean;
}

/** A body that is sent for ever must not overflow its count. */
const TIMES_SEEN_MAX = 1_000_000_000;

/**
 * Committed when it resolves: only then may the push be acknowledged (I10).
 * @returns whether it was not there before
 */
export async function takePush(db: Db, push: ReceivedPush, at: Instant): Promise<{ isNew: boolean }> {
  const row = await db
    .insertInto('push')
    .values({
      sha256: push.sha256,
      body: push.body,
      bytes: push.body.byteLength,
      kind: push.kind,
      own_no: push.ownNo,
      platform_no: push.platformNo,
      account_no: push.accountNo,
      stated_state: push.statedState,
      signed: push.signed,
      first_seen_at: at,
      last_seen_at: at,
      processed_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet({
        times_seen: sql<number>`least(push.times_seen + 1, ${TIMES_SEEN_MAX}::integer)`,
        last_seen_at: at,
      }),
    )
    .returning('times_seen')
    .executeTakeFirstOrThrow();
  return { isNew: row.times_seen === 1 };
}
