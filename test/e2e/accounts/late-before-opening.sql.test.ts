/** What comes late and belongs before an assumed opening of the books leaves that opening in doubt (3.4). */
import { afterEach, describe, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import type { DepositSeed } from '../../../src/sandbox/world/seed-schema.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import type { NightOutcome } from '../../helpers/findings.ts';

let night: Night;
afterEach(() => night.close());

const AFTER = '2026-03-12 08:00:00';

/** Where the proof of P begins, an instant before that, and the instant at which its books might begin as well. */
interface World {
  list: { opening?: { fen: bigint; at: string } };
  before: string;
  at: string;
}

const STATED: World = {
  list: { opening: { fen: 100_000n, at: '2026-03-10 12:00:00' } },
  before: '2026-03-10 09:00:00',
  at: '2026-03-10 12:00:00',
};
const SEEN: World = { list: {}, before: '2026-03-09 15:00:00', at: '2026-03-10 00:00:00' };

function nightOf(day: number): Promise<NightOutcome> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  return night.night(`2026-03-${day}`);
}

function told({ result }: NightOutcome) {
  const [account] = result.accounts;
  return { verdict: account?.verdict, reason: account?.reason, assumed: account?.assumptions.join('\n') };
}

/** P holds 1000.00, this deposit of 30.00 included where there is one, and its first proof explains all. */
async function proven({ list, before }: World, held?: Partial<DepositSeed>): Promise<void> {
  night = await Night.open({ now: '2026-03-10 14:00:00' });
  await night.accounts({ no: 'P', heldFen: held ? 97_000n : 100_000n, ...list });
  if (held) night.deposits({ ...DEPOSIT, depositTime: before, ...held });
  await nightOf(10);
  if (held) await dayBeforeIsRead(list);
  expect((await nightOf(11)).result.run.verdict).toBe('reconciled');
  night.moveTo('2026-03-12 09:00:00');
  await anotherComes(AFTER);
}

async function dayBeforeIsRead({ opening }: World['list']): Promise<void> {
  if (opening === undefined) await night.backfill('2026-03-09', '2026-03-09');
}

/** In its time, and booked: the listing of the day is not empty. */
async function anotherComes(at: string): Promise<void> {
  night.deposits({ payeeAcctNo: 'P', orderNo: 'D2', amountFen: 7n, depositTime: at });
  await night.entries([{ id: 'E2', account: 'P', fen: 7n, at, reference: 'D2' }]);
}

const DEPOSIT = { payeeAcctNo: 'P', orderNo: 'D1', amountFen: 3_000n };

/** A deposit of 30.00 is listed on the 12th and dated before the opening; by then the balance has it too. */
async function depositComesLate({ list, before }: World, of: Partial<DepositSeed> = {}): Promise<void> {
  night.deposits({ ...DEPOSIT, depositTime: before, bookedAt: AFTER, ...of });
  await dayBeforeIsRead(list);
}

function booked(at: string): BookLine {
  return { id: 'E1', account: 'P', fen: 3_000n, at, reference: 'D1' };
}

function adjusted(day: number, fen: bigint): Promise<unknown> {
  return night.entries([{ id: 'ADJ', account: 'P', kind: 'adjustment', fen, at: `2026-03-${day} 10:00:00` }]);
}

async function expectDoubt(day: number, ...found: string[]): Promise<void> {
  const next = await nightOf(day);
  expect([told(next).verdict, ...findingsOf(next)]).toEqual(['unverified', ...found]);
  expect(told(next).reason).toBe(
    'the assumed opening of the ledger may be wrong by what orders or late records move across it (D1)',
  );
}

describe.each([
  ['stated in the account list', STATED],
  ['that is the first balance', SEEN],
])('with an opening of the platform %s', (_of, world) => {
  test.each([
    ['booked in its time', AFTER],
    ['booked before it', world.before],
  ])('a late deposit dated before it, %s, leaves it in doubt, adjusted or not', async (_when, at) => {
    await proven(world);
    await depositComesLate(world);
    await night.entries([booked(at)]);
    await expectDoubt(12, 'unexplained P P 3000');
    await adjusted(13, 3_000n);
    for (const day of [13, 14]) await expectDoubt(day);
  });

  test('once the books state their opening nothing is in doubt, and what differs is told', async () => {
    await proven(world);
    await depositComesLate(world);
    await night.entries([booked(AFTER)]);
    await nightOf(12);
    await night.entries([{ id: 'O', account: 'P', kind: 'opening', fen: 100_000n, at: world.at }]);
    const next = await nightOf(13);
    expect(findingsOf(next)).toEqual(['opening P P -3000', 'unexplained P P 3000']);
    expect(told(next)).toMatchObject({ verdict: 'breaks', reason: '' });
  });

  test('a late deposit that the opening held is taken in, and that is said', async () => {
    await proven(world);
    await depositComesLate(world, { creditedFen: 0n });
    await night.entries([booked(AFTER)]);
    for (const day of [12, 13]) {
      const next = await nightOf(day);
      expect([told(next).verdict, ...findingsOf(next)]).toEqual(['reconciled']);
      expect(told(next).assumed).toContain('(-3000 fen, D1)');
    }
  });

  test('a late entry that names a deposit from before it leaves it in doubt', async () => {
    await proven(world, {});
    night.sandbox.seedMovements([{ kind: 'interest', accountNo: 'P', amountFen: 3_000n }]);
    await night.entries([booked(AFTER)]);
    await expectDoubt(12, 'unexplained P P 3000');
    await adjusted(13, 3_000n);
    for (const day of [13, 14]) await expectDoubt(day);
  });
});

test('a deposit that the platform dates after the opening only later leaves it in doubt', async () => {
  const set = { depositTime: '2026-03-11 15:00:00' };
  night = await Night.open({ now: '2026-03-10 14:00:00' });
  await night.accounts({ no: 'P', heldFen: 97_000n, ...STATED.list });
  night.deposits({ ...DEPOSIT, depositTime: STATED.before, changes: [{ at: AFTER, set }] });
  await night.entries([booked('2026-03-10 13:00:00')]);
  await nightOf(10);
  expect((await nightOf(11)).result.run.verdict).toBe('reconciled');
  await anotherComes(AFTER);
  const came = await nightOf(12);
  expect(told(came).verdict).toBe('unverified');
  expect(findingsOf(came)).toContain('unexplained P P -3000');
  await adjusted(13, -3_000n);
  for (const day of [13, 14]) await expectDoubt(day);
});

test('what the first proof knew and left an amount unexplained beside is in doubt as well', async () => {
  night = await Night.open({ now: '2026-03-10 14:00:00' });
  await night.accounts({ no: 'P', heldFen: 100_000n, ...STATED.list });
  night.deposits({ ...DEPOSIT, depositTime: STATED.before, bookedAt: '2026-03-10 15:00:00' });
  await night.entries([booked('2026-03-10 13:00:00')]);
  await expectDoubt(10, 'unexplained P P 3000');
  await adjusted(11, 3_000n);
  for (const day of [11, 12]) await expectDoubt(day);
});

test('what crossed when the first proof explained all is settled, whatever is unexplained later', async () => {
  night = await Night.open({ now: '2026-03-10 14:00:00' });
  await night.accounts({ no: 'P', heldFen: 97_000n, ...STATED.list });
  night.deposits({ ...DEPOSIT, depositTime: STATED.before });
  await night.entries([booked('2026-03-10 13:00:00')]);
  expect(told(await nightOf(10)).verdict).toBe('reconciled');
  await anotherComes('2026-03-11 08:00:00');
  night.sandbox.seedMovements([
    { kind: 'interest', accountNo: 'P', amountFen: 12n, at: '2026-03-11 15:00:00' },
  ]);
  expect(findingsOf(await nightOf(11))).toEqual(['unexplained P P 12']);
  await adjusted(12, 12n);
  const next = await nightOf(12);
  expect([told(next).verdict, ...findingsOf(next)]).toEqual(['reconciled']);
  expect(told(next).assumed).toContain('(-3000 fen, D1)');
});
