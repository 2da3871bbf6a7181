/** Bundles as they were made: versions with their parts, and where in them each order's files are found. */
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { jsonText } from '../../core/json.ts';
import type { Instant } from '../../core/time.ts';
import { TEXT_C, copyRows, stageOf } from '../database/bulk.ts';
import type {
  BundlePart,
  Db,
  DbOrTransaction,
  Tables,
  VoucherBundleTable,
  VoucherKind,
} from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import { markZip, unmarkBundle } from './voucher-marks.ts';
import type { BundleKey, BundleMark } from './voucher-marks.ts';

export type BundleRow = Selectable<VoucherBundleTable>;

/** A file of an order, or the page that stands for it. */
export interface BundlePlace {
  orderAccountNo: string;
  kind: VoucherKind;
  /** orderNo of a deposit, outOrderNo of all others. */
  number: string;
  /** 0: the page that stands for an order without a file. */
  fileNo: number;
  /** From 1, and the page in that part, from 1. */
  part: number;
  page: number;
  pages: number;
}

export interface NewBundle extends BundleKey {
  version: number;
  contentSha256: string;
  /** Paths below RECON_HOME. */
  parts: readonly BundlePart[];
  manifestSha256: string;
  pages: number;
  files: number;
  missing: number;
  madeAt: Instant;
  runId: string;
  places: readonly BundlePlace[];
}

export async function findStandingBundle(
  db: DbOrTransaction,
  key: BundleKey,
): Promise<BundleRow | undefined> {
  return db
    .selectFrom('voucher_bundle')
    .selectAll()
    .where('account_no', '=', key.accountNo)
    .where('month', '=', key.month)
    .where('superseded_at', 'is', null)
    .executeTakeFirst();
}

/** Standing bundles of these months, in order. */
export async function listStandingBundles(
  db: DbOrTransaction,
  months: { from: string; to: string },
): Promise<BundleRow[]> {
  return db
    .selectFrom('voucher_bundle')
    .selectAll()
    .where('superseded_at', 'is', null)
    .where('month', '>=', months.from)
    .where('month', '<=', months.to)
    .orderBy('month')
    .orderBy('account_no')
    .execute();
}

/** What a run made, also where a later version has taken its place by now. */
export async function listBundlesOf(db: DbOrTransaction, runId: string): Promise<BundleRow[]> {
  return db
    .selectFrom('voucher_bundle')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('month', 'desc')
    .orderBy('account_no')
    .orderBy('version')
    .execute();
}

const STAGE = stageOf('stage_voucher_place', {
  order_account_no: TEXT_C,
  kind: 'text',
  number: TEXT_C,
  file_no: 'integer',
  part: 'integer',
  page: 'integer',
  pages: 'integer',
});

/**
 * The new version stands from here on: its files lie where they belong already, those of the former one beside them.
 * @param fence throws when this process may not work any more
 */
export async function saveBundle(
  db: Db,
  bundle: NewBundle,
  { mark, fence }: { mark: BundleMark | undefined; fence: (trx: Transaction<Tables>) => Promise<void> },
): Promise<void> {
  await unitOfWork(db, async (trx) => {
    await fence(trx);
    await supersede(trx, bundle);
    await trx
      .insertInto('voucher_bundle')
      .values({
        account_no: bundle.accountNo,
        month: bundle.month,
        version: bundle.version,
        content_sha256: bundle.contentSha256,
        parts: jsonText(bundle.parts),
        manifest_sha256: bundle.manifestSha256,
        pages: bundle.pages,
        files: bundle.files,
        missing: bundle.missing,
        made_at: bundle.madeAt,
        run_id: bundle.runId,
        superseded_at: null,
      })
      .execute();
    await savePlaces(trx, bundle);
    await markZip(trx, bundle.month);
    if (mark !== undefined) await unmarkBundle(trx, mark);
  });
}

async function supersede(trx: Transaction<Tables>, bundle: NewBundle): Promise<void> {
  const { accountNo, month, version, madeAt } = bundle;
  await trx
    .updateTable('voucher_bundle')
    .set({ superseded_at: madeAt })
    .where('account_no', '=', accountNo)
    .where('month', '=', month)
    .where('version', '<', version)
    .where('superseded_at', 'is', null)
    .execute();
}

async function savePlaces(trx: Transaction<Tables>, bundle: NewBundle): Promise<void> {
  await copyRows(
    trx,
    STAGE,
    bundle.places.map((place) => [
      place.orderAccountNo,
      place.kind,
      place.number,
      String(place.fileNo),
      String(place.part),
      String(place.page),
      String(place.pages),
    ]),
  );
  await sql`
    insert into voucher_place (account_no, month, version, order_account_no, kind, number, file_no, part, page, pages)
    select ${bundle.accountNo}, ${bundle.month}, ${bundle.version}, s.* from stage_voucher_place s
    order by s.order_account_no, s.kind, s.number, s.file_no`.execute(trx);
}
