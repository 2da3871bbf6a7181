/** What happens to the inbox while it is taken in: whoever delivers waits for nobody, and loses nothing by it. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendDue } from '../../../jobs/alerts/send.ts';
import { runNight } from '../../../jobs/commands/nightly.ts';
import type { Context } from '../../../jobs/context/context.ts';
import { takeInbox } from '../../../jobs/inbox/take-inbox.ts';
import type { LogFields } from '../../../src/core/ports.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';
import { openReceiver } from '../alerts/receivers.ts';
import type { Receiver } from '../alerts/receivers.ts';

// Who has imported the module already has it as it is: all are loaded anew, and once more for the next file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

/** What happens once the next file was opened, while its process stands still. */
const still: { act: (() => Promise<void>) | undefined } = vi.hoisted(() => ({ act: undefined }));
vi.mock('../../../src/intake/table-file.ts', async (load) => {
  const real = await load<typeof import('../../../src/intake/table-file.ts')>();
  const openTable: typeof real.openTable = async (...of) => {
    const table = await real.openTable(...of);
    const { act } = still;
    still.act = undefined;
    await act?.();
    return table;
  };
  return { ...real, openTable };
});

const LEDGER = 'entry_id,account_no,kind,amount_fen,booked_at\n';
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const SINCE = new Date('2026-01-01T00:10:00Z');

let night: Night;
let job: Process;
let receiver: Receiver;
let inbox: string;

beforeEach(async () => {
  receiver = await openReceiver();
  night = await Night.open({ now: '2026-03-02 02:30:00' });
  inbox = path.join(night.home, 'inbox');
  await mkdir(inbox);
  Object.assign(night.settings, {
    INTAKE_INBOX: inbox,
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: 's3cret-of-hook',
  });
  job = await night.process();
  await night.accounts({ no: 'A1', opening: { fen: 0n, at: '2026-03-01 00:00:00' } });
});
afterEach(async () => {
  await job.close();
  await night.close();
  await receiver.close();
});

async function deliver(name: string, text: string, changed = LONG_AGO): Promise<string> {
  const to = path.join(inbox, name);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, text);
  await utimes(to, changed, changed);
  return to;
}

const entry = (id: string, fen: number): string => `${id},A1,deposit,${fen},2026-03-01 09:00:00\n`;

/** The job, and what somebody does at the moment in which it logs such an event. */
function meanwhile(event: string, act: () => void): Context {
  let left = [act];
  const info = (fields: LogFields): void => {
    job.log.info(fields);
    if (fields.event !== event) return;
    const now = left;
    left = [];
    now.forEach((one) => one());
  };
  return { ...job, log: { ...job.log, info } };
}

async function outcomes(at: Context = job): Promise<string[]> {
  return (await takeInbox(at, inbox)).map(({ file, outcome }) => `${file} ${outcome}`);
}

async function booked(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('ledger_entry')
    .select(['entry_id', 'amount_fen'])
    .where('current', '=', true)
    .orderBy('entry_id')
    .execute();
  return rows.map(({ entry_id: id, amount_fen: fen }) => `${id} ${fen}`);
}

const FIRST = 'ledger/erp/2026-03-01.csv';
const SECOND = 'ledger/other/2026-03-01.csv';

test('a file that takes the place of the one that was read is not put away with it', async () => {
  const lies = await deliver(FIRST, `${LEDGER}${entry('E1', 100)}`);
  const anew = await deliver('.anew', `${LEDGER}${entry('E1', 120)}`, SINCE);
  const at = meanwhile('file.imported', () => renameSync(anew, lies));
  expect(await outcomes(at)).toEqual([`${FIRST} waiting`]);
  expect(existsSync(lies)).toBe(true);
  expect(await outcomes()).toEqual([`${FIRST} done`]);
  expect(await booked()).toEqual(['E1 120']);
});

test('a file that is written anew since it was looked at is not read half-way', async () => {
  await deliver(FIRST, `${LEDGER}${entry('E1', 100)}`);
  const lies = await deliver(SECOND, `${LEDGER}${entry('O1', 7)}${entry('O2', 8)}`);
  const at = meanwhile('file.imported', () => writeFileSync(lies, `${LEDGER}${entry('O1', 7)}`));
  expect(await outcomes(at)).toEqual([`${FIRST} done`, `${SECOND} waiting`]);
  expect(await booked()).toEqual(['E1 100']);
  expect(existsSync(lies)).toBe(true);
  await deliver(SECOND, `${LEDGER}${entry('O1', 7)}${entry('O2', 8)}`);
  expect(await outcomes()).toEqual([`${SECOND} done`]);
  expect(await booked()).toEqual(['E1 100', 'O1 7', 'O2 8']);
});

test('a file that is taken away since it was looked at keeps no other from being taken in', async () => {
  await deliver(FIRST, `${LEDGER}${entry('E1', 100)}`);
  const lies = await deliver('ledger/gone/2026-03-01.csv', `${LEDGER}${entry('G1', 7)}`);
  await deliver(SECOND, `${LEDGER}${entry('O1', 7)}`);
  const at = meanwhile('file.imported', () => rmSync(lies));
  expect(await outcomes(at)).toEqual([
    `${FIRST} done`,
    'ledger/gone/2026-03-01.csv waiting',
    `${SECOND} done`,
  ]);
  expect(existsSync(path.join(inbox, 'failed'))).toBe(false);
});

test('of two files that state one entry the one that was written last counts, whatever they are called', async () => {
  await deliver('ledger/erp/erp-2026-03-01.csv', `${LEDGER}${entry('E1', 100)}`);
  await deliver('ledger/erp/erp-2026-03-01-corrected.csv', `${LEDGER}${entry('E1', 120)}`, SINCE);
  expect(await outcomes()).toEqual([
    'ledger/erp/erp-2026-03-01.csv done',
    'ledger/erp/erp-2026-03-01-corrected.csv done',
  ]);
  expect(await booked()).toEqual(['E1 120']);
});

test.each(['accounts', 'orders', 'ledger'] as const)(
  'who stood still over a file of %s stores nothing of it once another has the inbox',
  async (kind) => {
    const text = {
      accounts: 'account_no,name\nA1,first\n',
      orders:
        'kind,out_order_no,payer_account_no,amount_fen,submitted_at\nwithdrawal,W7,A1,5,2026-03-01 11:00:00\n',
      ledger: `${LEDGER}${entry('E1', 100)}`,
    }[kind];
    const name = `${kind}/2026-03-01.csv`;
    await deliver(name, text);
    const other = await night.process();
    still.act = async () => {
      await sql`update lease set until = now() - interval '1 minute' where name = 'inbox'`.execute(night.db);
      expect(await outcomes(other)).toEqual([`${name} done`]);
      // What came since is in the books as well.
      await deliver('ledger/2026-03-01.csv', `${LEDGER}${entry('E1', 120)}`, SINCE);
      await outcomes(other);
    };
    await expect(outcomes()).rejects.toThrow('lost its lock inbox');
    expect(await booked()).toEqual(['E1 120']);
    await other.close();
  },
);

test('of two files that fail in one look none is written over the other, whatever they are called', async () => {
  const refused = (id: string): string => `${LEDGER}${entry(id, 1).replace('A1', 'A9')}`;
  await deliver(FIRST, refused('F1'));
  await takeInbox(job, inbox);
  await deliver(FIRST, refused('F2'));
  await deliver('ledger/erp/2026-03-01-2.csv', refused('F3'));
  const failed = (await takeInbox(job, inbox)).map(({ movedTo }) => path.join(inbox, movedTo ?? ''));
  const texts = await Promise.all(failed.map((file) => readFile(file, 'utf8')));
  expect(texts.toSorted()).toEqual([refused('F2'), refused('F3')]);
});

async function toldTitles(): Promise<string[]> {
  await sendDue(job);
  return receiver.received.map(({ body }) => (JSON.parse(body) as { title: string }).title);
}

test('that a file was refused is told, also where the look that refused it came to no end', async () => {
  await deliver('ledger/faulty/2026-03-01.csv', `${LEDGER}F1,A9,deposit,1,2026-03-01 09:00:00\n`);
  await deliver(SECOND, `${LEDGER}${entry('O1', 7)}`);
  const inTheWay = await deliver('done', 'in the way');
  await expect(runNight(job, '2026-03-01')).rejects.toThrow(`cannot move ${SECOND}`);
  rmSync(inTheWay);
  await runNight(job, '2026-03-01');
  expect(await toldTitles()).toContain('Inbox: 1 file not taken in');
  const faults = 'failed/2026-03-02/ledger/faulty/2026-03-01.csv.faults.txt';
  expect(await readFile(path.join(inbox, faults), 'utf8')).toContain('A9');
});

test('the alert of a night that lacks the books of one ledger names that one, though another is whole', async () => {
  await deliver(FIRST, LEDGER);
  await deliver('ledger/pos/2026-03-01.csv', `${LEDGER}F1,A9,deposit,1,2026-03-01 09:00:00\n`);
  await runNight(job, '2026-03-01');
  expect(await toldTitles()).toContainEqual(
    expect.stringContaining('(pos has not come yet: a file of 2026-03-01 failed, waits or was withdrawn)'),
  );
});
