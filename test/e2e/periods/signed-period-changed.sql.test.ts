/** What is stated otherwise of a signed day or month is told by the next night, with an id and an age, until it is ended. */
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decideToSign, decideToWithdraw } from '../../../jobs/sign-off/decide.ts';
import { signPeriod, withdraw } from '../../../jobs/sign-off/signing.ts';
import { verifyPeriods } from '../../../jobs/sign-off/verify-periods.ts';
import type { BreakResult } from '../../../jobs/night/publish/result-lists.ts';
import { periodOf } from '../../../src/store/periods/period.ts';
import { addDays } from '../../../src/core/time.ts';
import { Night } from '../../helpers/night.ts';
import { publish } from '../../reports/publish.ts';
import type { NightOutcome } from '../../helpers/findings.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-01 08:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-01 00:00:00' } });
  night.deposits(deposit('D1', 500n, '2026-03-01 09:00:00'));
  await night.entries([booked('D1', 500n, '2026-03-01 09:00:00')]);
});
afterEach(() => night.close());

function deposit(orderNo: string, amountFen: bigint, depositTime: string) {
  return { payeeAcctNo: 'A1', orderNo, amountFen, depositTime };
}

const booked = (id: string, fen: bigint, at: string): BookLine => ({
  id: `E-${id}`,
  account: 'A1',
  fen,
  at,
  reference: id,
});

async function nightOf(day: string): Promise<NightOutcome> {
  night.moveTo(`${addDays(day, 1)} 02:00:00`);
  return night.night(day);
}

async function sign(name: string): Promise<string> {
  const context = await night.process();
  const { decision } = await signPeriod(context, {
    period: periodOf(name),
    by: 'Li',
    decide: (known, read) => decideToSign(known, read, { by: 'Li', fourEyes: false, reason: 'looked at' }),
  });
  return decision === 'unchanged' ? decision : decision.event;
}

async function takeBack(name: string): Promise<void> {
  const decide = (known: Parameters<typeof decideToWithdraw>[1]) =>
    decideToWithdraw(name, known, 'it changed');
  await withdraw(await night.process(), { period: periodOf(name), by: 'Li', decide });
}

function changesIn({ breaks }: NightOutcome['result']): BreakResult[] {
  return breaks.filter((item) => item.class === 'period_changed' && item.severity === 'attention');
}

/** Verdict, and of each item for attention `reference platform ledger difference age`. */
function told({ result }: NightOutcome): string[] {
  return [
    result.run.verdict,
    ...changesIn(result).map((item) =>
      [item.reference, item.platformFen, item.ledgerFen, item.differenceFen, item.ageDays].join(' '),
    ),
  ];
}

/** Of every change of a signed period: its key, then by what and when it ended. */
async function lives(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('break')
    .selectAll()
    .where('item_key', 'like', 'signed:%')
    .orderBy('first_day')
    .orderBy('item_key')
    .execute();
  return rows.map((row) =>
    [
      row.item_key.split(':').slice(1, 3).join(' '),
      row.first_day,
      row.status,
      ...(row.status === 'open' ? [] : [row.closed_day, row.cleared_cause, row.cleared_by]),
    ].join(' '),
  );
}

async function notes(runId: string): Promise<string[]> {
  const rows = await night.db
    .selectFrom('finding')
    .select('note')
    .where('run_id', '=', runId)
    .where('item_key', 'like', 'signed:%')
    .execute();
  return rows.map(({ note }) => note);
}

/** The first row of sheet 13 from the account to what happened. */
async function sheetRow(runId: string, locale: 'zh-CN' | 'en', sheet: string): Promise<unknown[]> {
  const file = path.join(night.home, `${locale}.xlsx`);
  const book = await publish(night.db, { runId, path: file, locale });
  return ['B', 'D', 'E', 'F', 'G', 'H', 'I'].map((column) => book.value(sheet, `${column}6`));
}

async function verified(): Promise<string[]> {
  const range = { fromDay: '2000-01-01', toDay: '9999-12-31' };
  const { changes } = await verifyPeriods(await night.process(), range);
  return changes.filter(({ change }) => change === 'books').map(({ kind, field }) => `${kind} ${field}`);
}

const LATE = booked('X1', 70n, '2026-03-01 12:00:00');

test('an entry that comes into a signed day is told with its id and its age until the day is signed anew', async () => {
  await nightOf('2026-03-01');
  expect(await sign('2026-03-01')).toBe('signed_off');
  expect(told(await nightOf('2026-03-02'))).toEqual(['reconciled']);
  await night.entries([LATE]);
  const first = await nightOf('2026-03-03');
  expect(told(first)).toEqual(['breaks', '2026-03-01  570 -70 0']);
  const second = await nightOf('2026-03-04');
  expect(told(second)).toEqual(['breaks', '2026-03-01  570 -70 1']);
  const [id] = changesIn(first.result).map((item) => item.id);
  expect(changesIn(second.result).map((item) => item.id)).toEqual([id]);
  expect(await notes(second.result.run.id)).toEqual([
    'signed off: entries 1, sum 500 fen; now: entries 2, sum 570 fen; entry E-X1 of 70 fen was written since',
  ]);
  expect(await sheetRow(second.result.run.id, 'zh-CN', '前期变动')).toEqual([
    'A1',
    '前期变动',
    '2026-03-01',
    5,
    5.7,
    0.7,
    '已签核的 2026-03-01 企业账后来变了，相差 0.70，需重新签核。签核时企业账 1 笔，合计 5.00 元；现为 2 笔，合计 5.70 元；其后记入分录 E-X1（0.70 元）',
  ]);
  const [, , , , , , english] = await sheetRow(second.result.run.id, 'en', 'Prior-period changes');
  expect(english).toBe(
    'the ledger of 2026-03-01, which was signed off, changed by 0.70 since: sign it anew; signed off: entries 1, sum 5.00 yuan; now: entries 2, sum 5.70 yuan; entry E-X1 of 0.70 yuan was written since',
  );
  await takeBack('2026-03-01');
  expect(told(await nightOf('2026-03-05'))).toEqual(['breaks', '2026-03-01  570 -70 2']);
  await sign('2026-03-01');
  expect(told(await nightOf('2026-03-06'))).toEqual(['breaks']);
  expect(await lives()).toEqual(['2026-03-01 ledger 2026-03-03 closed 2026-03-06 sign_off 2026-03-01']);
});

test('it says nothing of the balance: an account whose sides agree stays green, and only attention is asked', async () => {
  night.deposits({ ...deposit('D2', 30n, '2026-03-01 13:00:00'), visibleFrom: '2026-03-02 12:00:00' });
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await night.entries([booked('D2', 30n, '2026-03-01 13:00:00')]);
  const outcome = await nightOf('2026-03-02');
  expect(told(outcome)).toEqual(['reconciled', '2026-03-01  530 -30 0', '2026-03-01 530  30 0']);
  expect(outcome.result.breaks).toEqual(changesIn(outcome.result));
});

test('an entry that is put right as it was signed ends it, also for verify', async () => {
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await night.entries([booked('D1', 600n, '2026-03-01 09:00:00')]);
  expect(told(await nightOf('2026-03-02'))).toEqual(['breaks', '2026-03-01  600 -100 0']);
  expect(await verified()).toEqual(['ledger digest', 'ledger sumFen']);
  await night.entries([booked('D1', 500n, '2026-03-01 09:00:00')]);
  expect(told(await nightOf('2026-03-03'))).toEqual(['reconciled']);
  expect(await lives()).toEqual(['2026-03-01 ledger 2026-03-02 closed 2026-03-03 entry E-D1']);
  expect(await verified()).toEqual([]);
  await night.entries([booked('D1', 700n, '2026-03-01 09:00:00')]);
  expect(told(await nightOf('2026-03-04'))).toEqual(['breaks', '2026-03-01  700 -200 0']);
});

test('an entry that leaves the day is missed in it, whatever day it is booked on by now', async () => {
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await nightOf('2026-03-02');
  await night.entries([booked('D1', 500n, '2026-03-02 09:00:00')]);
  expect(told(await nightOf('2026-03-03'))).toEqual(['reconciled', '2026-03-01  0 500 0']);
});

test('who signs a month has seen its days: what changed before is ended by it, what changes after is told of it', async () => {
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await night.entries([LATE]);
  expect(told(await nightOf('2026-03-31'))).toEqual(['breaks', '2026-03-01  570 -70 0']);
  expect(await sign('2026-03')).toBe('signed_off');
  expect(told(await nightOf('2026-04-01'))).toEqual(['breaks']);
  expect(await lives()).toEqual(['2026-03-01 ledger 2026-03-31 closed 2026-04-01 sign_off 2026-03']);
  await night.entries([booked('X2', 8n, '2026-03-20 12:00:00')]);
  expect(told(await nightOf('2026-04-02'))).toEqual(['breaks', '2026-03  578 -8 0']);
});

test('a night that is made again tells what it told, and an older one nothing that came later', async () => {
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await nightOf('2026-03-02');
  await nightOf('2026-03-03');
  await night.entries([LATE]);
  await nightOf('2026-03-04');
  expect(told(await night.night('2026-03-02'))).toEqual(['breaks']);
  await night.entries([booked('X3', 1n, '2026-03-04 12:00:00')]);
  expect(told(await night.night('2026-03-04'))).toEqual(['breaks', '2026-03-01  570 -70 0']);
  expect(await lives()).toEqual(['2026-03-01 ledger 2026-03-04 open']);
});

const moved = (depositTime: string): void => {
  night.sandbox.liftFaults();
  night.sandbox.addFault({ kind: 'record', path: 'query/deposit', set: { depositTime }, times: null });
};

test('a record that leaves a signed day is missed in it, though it had been dated elsewhere before', async () => {
  await nightOf('2026-03-01');
  moved('2026-03-02 09:00:00');
  await nightOf('2026-03-02');
  await sign('2026-03-02');
  moved('2026-03-03 09:00:00');
  expect(told(await nightOf('2026-03-03'))).toContain('2026-03-02 0  -500 0');
});

test('a record that is taken back is missed in each signed day, whatever else is taken back with it', async () => {
  const fee = { feeFen: 10n, feeType: 'ACCOUNT' as const };
  night.deposits(
    { ...deposit('F1', 100n, '2026-03-01 10:00:00'), ...fee },
    { ...deposit('F2', 100n, '2026-03-02 10:00:00'), ...fee },
  );
  await nightOf('2026-03-01');
  await nightOf('2026-03-02');
  await sign('2026-03-02');
  await night.profile({ fees: { bearer: { deposit: 'external' } } });
  expect(told(await nightOf('2026-03-03'))).toContain('2026-03-02 100  10 0');
});

const openSecondAccount = (): Promise<void> =>
  night.accounts({ no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' } });

test('it is told though an incomplete night before, proven again, has come to know of it', async () => {
  await openSecondAccount();
  night.deposits({ ...deposit('D2', 30n, '2026-03-02 13:00:00'), visibleFrom: '2026-03-03 12:00:00' });
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  expect(told(await nightOf('2026-03-02'))).toEqual(['incomplete']);
  night.sandbox.liftFaults();
  await night.entries([LATE]);
  const next = await nightOf('2026-03-03');
  expect(next.result.restated).toEqual([{ day: '2026-03-02', version: 1 }]);
  expect(told(next)).toEqual(['breaks', '2026-03-01  570 -70 0']);
});

test('it is told though a later day of another account was proven before', async () => {
  await openSecondAccount();
  await nightOf('2026-03-01');
  await sign('2026-03-01');
  await nightOf('2026-03-02');
  await night.entries([LATE]);
  night.moveTo('2026-03-05 01:00:00');
  await night.backfill('2026-03-02', '2026-03-04', ['A2']);
  const missed = await night.night('2026-03-03');
  const next = await nightOf('2026-03-04');
  expect([...told(missed), ...told(next)]).toContain('2026-03-01  570 -70 1');
});

test('it is told of an account that had left before the signed month ended', async () => {
  await night.accounts({ no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' }, activeTo: '2026-03-05' });
  await nightOf('2026-03-01');
  await nightOf('2026-03-05');
  const last = await nightOf('2026-03-31');
  expect(last.result.accounts.map(({ accountNo }) => accountNo)).toEqual(['A1']);
  await sign('2026-03');
  await night.entries([{ ...LATE, account: 'A2' }]);
  expect(told(await nightOf('2026-04-01'))).toEqual(['breaks', '2026-03  70 -70 0']);
});

test('it is told of an account that had left before the signed day, and comes back with what lies in it', async () => {
  await night.accounts({ no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' }, activeTo: '2026-03-02' });
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) await nightOf(day);
  await sign('2026-03-02');
  await sign('2026-03-03');
  expect(await verified()).toEqual([]);
  const late = { orderNo: 'L1', fen: 700n, at: '2026-03-02 10:00:00' };
  night.deposits({ ...deposit(late.orderNo, late.fen, late.at), payeeAcctNo: 'A2' });
  await night.entries([{ ...booked(late.orderNo, late.fen, late.at), account: 'A2' }]);
  const first = ['2026-03-02  700 -700', '2026-03-02 700  700'];
  expect(told(await nightOf('2026-03-04'))).toEqual(['reconciled', ...first.map((one) => `${one} 0`)]);
  // It held 700 on the 3rd as well, which was signed without it.
  expect(await verified()).toEqual(['account ', 'ledger ', 'platform ', 'account ']);
  expect(told(await nightOf('2026-03-05'))).toEqual(['reconciled', ...first.map((one) => `${one} 1`)]);
});

test('not of one that comes back with what lies after it', async () => {
  const line = { no: 'A2', opening: { fen: 0n, at: '2026-03-01 00:00:00' } };
  await night.accounts({ ...line, activeTo: '2026-03-02' });
  for (const day of ['2026-03-01', '2026-03-02']) await nightOf(day);
  await sign('2026-03-02');
  night.deposits({ ...deposit('L1', 700n, '2026-03-03 10:00:00'), payeeAcctNo: 'A2' });
  await night.entries([{ ...booked('L1', 700n, '2026-03-03 10:00:00'), account: 'A2' }]);
  expect(told(await nightOf('2026-03-03'))).toEqual(['reconciled']);
  expect(await verified()).toEqual([]);
});
