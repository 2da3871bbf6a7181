/**
 * The workbook of a test's last night is written, which tells all that is left, once for all tests whose books have the
 * same to tell; those of the nights before it, at which nobody looks, take a third of a night's time.
 */
import path from 'node:path';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Context } from '../../jobs/context/context.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { PublishedWorkbook, WorkbookRequest } from '../../reports/workbook.ts';

/** Those below which every workbook is written. */
const homes = new Set<string>();

/** Before each night: a mock ends with its file, and the job loads what writes workbooks as it publishes. */
export function leaveOutWorkbooks(): void {
  vi.doMock('../../reports/workbook.ts', async (original) => {
    const { publishWorkbook } = await original<typeof import('../../reports/workbook.ts')>();
    const isRead = (file: string): boolean => [...homes].some((home) => file.startsWith(home + path.sep));
    return {
      publishWorkbook: (request: WorkbookRequest) =>
        isRead(request.path) ? publishWorkbook(request) : emptyWorkbook(request),
    };
  });
}

export function writeWorkbooksBelow(home: string): void {
  homes.add(home);
}

/** Writes the workbook of the newest run that came to a verdict, if there is one. */
export async function writeLastWorkbook(
  context: Pick<Context, 'db' | 'files' | 'profile' | 'zone'>,
  home: string,
): Promise<void> {
  const { db, files, profile, zone } = context;
  const last = await db
    .selectFrom('run')
    .select('run_id')
    .where('verdict', 'is not', null)
    .where('step', '=', 'published')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || !(await isNew(db))) return;
  writeWorkbooksBelow(home);
  const { publishWorkbook } = await import('../../reports/workbook.ts');
  await publishWorkbook({
    db,
    runId: last.run_id,
    path: path.join(home, 'last.xlsx'),
    locale: 'en',
    files,
    companyName: profile.company.name,
    serviceName: profile.service.name,
    zone,
  });
}

/** What the books had to tell whose workbooks were written, by all tests of this process. */
const told = new Set<string>();

async function isNew(db: Db): Promise<boolean> {
  const { rows } = await sql<{ what: string }>`
    select concat('run ', job, ' ', state, ' ', verdict) as what from run
    union select concat('account ', verdict) from run_account
    union select concat('break ', class) from break
    union select concat('deposit ', fee_type) from deposit
    union select concat('entry ', kind) from ledger_entry
    union select concat('fault ', class) from order_fault
    union select concat('finding ', class) from finding
    union select concat('match ', outcome) from match
    union select concat('order ', kind, ' ', outcome) from order_registry
    union select concat('settlement ', state, ' ', outcome) from settle_attempt
    union select concat('transfer ', effective_state, ' ', settlement) from transfer_order
    union select concat('version ', kind) from order_version
    union select concat('voucher ', kind, ' ', state) from voucher_due
    union select concat('withdrawal ', effective_state) from withdrawal
    order by 1`.execute(db);
  const what = JSON.stringify(rows);
  if (told.has(what)) return false;
  told.add(what);
  return true;
}

async function emptyWorkbook({ files, path: file }: WorkbookRequest): Promise<PublishedWorkbook> {
  await files.writeWhole(file, '');
  return { path: file, paths: [file], sheets: [] };
}
