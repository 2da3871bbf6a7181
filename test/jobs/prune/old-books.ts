/** Books of March 2026 that are looked at years later: two nights, of which the second made a new version of the first. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { decideToSign } from '../../../jobs/sign-off/decide.ts';
import { signPeriod } from '../../../jobs/sign-off/signing.ts';
import { prune } from '../../../jobs/prune/prune.ts';
import type { KindPruned, Pruned } from '../../../jobs/prune/prune.ts';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import { RETAINED_KINDS } from '../../../src/core/config/config-retention.ts';
import type { RetainedKind } from '../../../src/core/config/config-retention.ts';
import { periodOf } from '../../../src/store/periods/period.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import { Night } from '../../helpers/night.ts';

/** More than the 400 days of the defaults later, by the disk's clock as well. */
export const LATER = '2029-06-01 12:00:00';

const deposit = (orderNo: string, amountFen: bigint, depositTime: string) => ({
  payeeAcctNo: 'A1',
  orderNo,
  amountFen,
  depositTime,
});

export const booked = (id: string, fen: bigint, at: string): BookLine => ({
  id: `E-${id}`,
  account: 'A1',
  fen,
  at,
  reference: id,
});

/** @param of.unbooked whether LATE is a break for good */
export async function oldBooks({ unbooked = false } = {}): Promise<Night> {
  const night = await Night.open({ now: '2026-03-02 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-01 00:00:00' } });
  night.deposits(deposit('D1', 500n, '2026-03-01 09:00:00'), {
    ...deposit('LATE', 70n, '2026-03-01 10:00:00'),
    visibleFrom: '2026-03-02 12:00:00',
  });
  const late = unbooked ? [] : [booked('LATE', 70n, '2026-03-01 10:00:00')];
  await night.entries([booked('D1', 500n, '2026-03-01 09:00:00'), ...late]);
  await night.night('2026-03-01');
  night.moveTo('2026-03-03 02:00:00');
  await night.night('2026-03-02');
  night.moveTo('2026-03-04 02:00:00');
  await night.night('2026-03-03');
  return night;
}

export async function pruneOf(
  night: Night,
  { kinds = RETAINED_KINDS, isDry = false }: { kinds?: readonly RetainedKind[]; isDry?: boolean } = {},
): Promise<Pruned> {
  const context = await night.process();
  return prune(context, { kinds, isDry });
}

/** `count goes · why count …` */
export function toldOf({ kinds }: Pruned, kind: KindPruned['kind']): string {
  const found = kinds.find((one) => one.kind === kind);
  const kept = (found?.kept ?? []).map(({ why, count }) => `${why} ${count}`).toSorted();
  return [`goes ${found?.count ?? 'unknown'}`, ...kept].join(' · ');
}

export async function sign(night: Night, name: string): Promise<void> {
  const context = await night.process();
  await signPeriod(context, {
    period: periodOf(name),
    by: 'Li',
    decide: (known, read) => decideToSign(known, read, { by: 'Li', fourEyes: false, reason: 'looked at' }),
  });
}

/** What `recon verify` says of files and trail, without asking the platform. */
export async function verified(night: Night): Promise<{ pruned: number; faults: string[] }> {
  const context = await night.process();
  const archive = await verifyArchive(context, undefined);
  const trail = await verifyTrail(context.db);
  return {
    pruned: archive.pruned,
    faults: [
      ...archive.faults.map((fault) => `${fault.result} ${fault.path}`),
      ...trail.faults.map((fault) => `${fault.what} ${fault.fault}`),
    ],
  };
}

export async function isThere(night: Night, ...parts: readonly string[]): Promise<boolean> {
  return access(path.join(night.home, ...parts)).then(
    () => true,
    () => false,
  );
}

export async function answersOf(night: Night): Promise<string[]> {
  const rows = await night.db.selectFrom('raw_answer').select('sha256').orderBy('sha256').execute();
  return rows.map((row) => row.sha256);
}
