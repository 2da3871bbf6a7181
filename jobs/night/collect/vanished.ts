/**
 * Records that were stored before and are no longer listed (P4). The counts of a verified window tell whether
 * there are any; only then is the window read once more, to see which.
 */
import { maskPersonal } from '../../../src/core/mask.ts';
import { addDays } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import { windowOf } from '../../../src/core/window.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import type { ReadPage } from '../../../src/platform/deposit-walk.ts';
import { listOrderNos } from '../../../src/store/deposits/deposits.ts';
import { compareWithStored, saveVanished } from '../../../src/store/deposits/record-faults.ts';
import type { ShortWindow } from '../../../src/store/deposits/record-faults.ts';
import { saveFailedWindow } from '../../../src/store/deposits/windows.ts';
import { isUnanswered } from '../../context/unanswered.ts';
import type { Context } from '../../context/context.ts';
import { accountsOfRun, numbersOf, numberToAsk, readByEither } from './listing-number.ts';
import type { ListedAccount } from './listing-number.ts';

/** The run that looks: `toDay` is the day on which a change counts as noticed. */
interface Looking {
  runId: string;
  toDay: Day;
  today: Day;
}

export async function findVanished(
  context: Context,
  run: Looking,
  accounts: readonly ListedAccount[],
): Promise<void> {
  const short = await compareWithStored(context.db, run.runId, context.zone.name);
  const accountOf = accountsOfRun(accounts);
  for (const window of short) {
    context.signal.throwIfAborted();
    const account = accountOf(window.accountNo);
    try {
      await lookAgain(context, run, { ...window, account });
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      const reason = maskPersonal(error.message);
      await saveFailedWindow(context.db, { ...window, runId: run.runId, reason });
    }
  }
}

async function lookAgain(
  context: Context,
  run: Looking,
  { account, accountNo, span }: ShortWindow & { account: ListedAccount },
): Promise<void> {
  const { db, zone, profile, log } = context;
  const seen = new Set<string>();
  const client = await context.platform();
  const reading = { client, profile, zone, knownAs: numbersOf(account), span, today: run.today };
  const onPage = ({ inside, unreadable }: ReadPage): void => {
    for (const record of inside) seen.add(record.orderNo);
    for (const record of unreadable) seen.add(record.reference);
  };
  const numbers = numberToAsk(account, profile.deposits.accountField);
  const read = await readByEither(numbers, (asked) => readWindow({ ...reading, accountNo: asked, onPage }));
  // A window that no longer settles says nothing about single records; the next night looks again.
  if (!read.settled) return;
  const stored = await listOrderNos(db, accountNo, windowOf(zone, span));
  const gone = stored.filter((orderNo) => !seen.has(orderNo));
  for (const reference of gone) log.warn({ event: 'record.vanished', accountNo, reference });
  await saveVanished(db, {
    runId: run.runId,
    day: run.toDay,
    accountNo,
    present: stored.filter((orderNo) => seen.has(orderNo)),
    missing: gone.map((reference) => ({
      accountNo,
      reference,
      kind: 'vanished' as const,
      reason: `no longer listed between ${span.from} and ${addDays(span.to, -1)}`,
      depositedAt: undefined,
    })),
  });
}
