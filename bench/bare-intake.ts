/**
 * The limit of collecting: what the same pages cost when nobody looks at them. Bytes → text → envelope → bizData → MD5 →
 * the text of COPY, and no request, no check, no database.
 */
import { createHash } from 'node:crypto';
import { addDays } from '../src/core/time.ts';
import { volumeAccountNo } from '../src/sandbox/scenarios/volume.ts';
import type { Context } from '../jobs/context/context.ts';
import { DAYS, FROM } from './volume.ts';

/** Accounts whose first page is taken, and how often all of them are read: the code is compiled by then. */
const PAGES = 100;
const ROUNDS = 30;
const MEASURED_FROM = 10;

/** Microseconds of CPU a record. */
export async function bareIntakeUs(context: Context, accounts: number): Promise<number> {
  const pages = await Promise.all(
    Array.from({ length: Math.min(PAGES, accounts) }, (_, account) => pageOf(context, account)),
  );
  let [records, bytes] = [0, 0];
  let begun = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    if (round === MEASURED_FROM) [begun, records] = [process.cpuUsage(), 0];
    for (const page of pages) {
      const { rows, text } = copyText(page);
      records += rows;
      bytes += Buffer.from(text, 'utf8').length;
    }
  }
  const { user, system } = process.cpuUsage(begun);
  if (bytes === 0) throw new Error('Bug: pages without records');
  return (user + system) / records;
}

/** One answer as it comes over the wire. */
async function pageOf(context: Context, account: number): Promise<Buffer> {
  const asked = { startDate: FROM, endDate: addDays(FROM, DAYS), page: 1, pageSize: 100 };
  const client = await context.platform();
  const outcome = await client.callRaw('query/deposit', { ...asked, payeeAcctNo: volumeAccountNo(account) });
  if (outcome.kind !== 'accepted') throw new Error(`a page was not given: ${outcome.kind}`);
  const { bizText: bizData } = outcome;
  const rest = { code: '000000', msg: 'success', timestamp: '20260301020000', sign: 'A'.repeat(32) };
  return Buffer.from(JSON.stringify({ ...rest, bizData }), 'utf8');
}

function copyText(page: Buffer): { rows: number; text: string } {
  const { bizData } = JSON.parse(page.toString('utf8')) as { bizData: string };
  const sign = createHash('md5').update(bizData, 'utf8').digest('hex');
  const { depositList } = JSON.parse(bizData) as { depositList: Record<string, unknown>[] };
  let text = '';
  for (const record of depositList) {
    for (const value of Object.values(record)) text += `${escaped(String(value))}\t`;
    text += `${sign}\n`;
  }
  return { rows: depositList.length, text };
}

const SPECIAL = /[\\\t\n\r]/;

/** There is nothing to escape in these pages, which has to be looked at all the same. */
function escaped(text: string): string {
  if (SPECIAL.test(text)) throw new Error('Bug: a page that needs escapes');
  return text;
}
