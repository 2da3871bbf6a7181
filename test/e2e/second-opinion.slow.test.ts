/** Random small worlds: the job finds what an independent reconciler finds, and its figures add up to the fen. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import { addDays } from '../../src/core/time.ts';
import { emptyTables } from '../helpers/dump.ts';
import { Night, findingsOf } from '../helpers/night.ts';
import { reconcile } from '../helpers/reference-reconciler.ts';
import type { BookedEntry, TrueDeposit, TrueWorld } from '../helpers/reference-reconciler.ts';
import { fc } from '../helpers/properties.ts';

const SEED = 20_260_310;
const RUNS = 15;

let night: Night;
beforeAll(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
});
afterAll(() => night.close());

const HOW = [
  'netted',
  'with its fee apart',
  'not at all',
  'for another amount',
  'without its fee',
  'twice',
  'on the other account',
  'on the next day',
  'pending',
  'without a reference',
] as const;

interface Draw {
  deposits: { at: string; amountFen: number; feeFen: number; isOrder: boolean; how: (typeof HOW)[number] }[];
  /** Deposits alike in everything, and how many of them the books have, without references. */
  alike: { deposits: number; entries: number };
  surplus: { at: string; fen: number; hasReference: boolean }[];
  interestFen: number;
  openingOffFen: number;
}

const moment = fc
  .tuple(
    fc.integer({ min: 9, max: 11 }),
    fc.constantFrom('00:00:00', '00:00:01', '01:30:00', '12:00:00', '23:59:59'),
  )
  .map(([day, time]) => `2026-03-${String(day).padStart(2, '0')} ${time}`)
  // What lies after the run is nobody's business yet.
  .map((at) => (at > '2026-03-11 01:30:00' ? '2026-03-11 01:30:00' : at));

const draws: fc.Arbitrary<Draw> = fc.record({
  deposits: fc.array(
    fc.record({
      at: moment,
      amountFen: fc.integer({ min: 1_000, max: 1_003 }),
      feeFen: fc.constantFrom(0, 0, 1, 30),
      isOrder: fc.boolean(),
      how: fc.constantFrom(...HOW),
    }),
    { maxLength: 14 },
  ),
  alike: fc.record({ deposits: fc.integer({ min: 0, max: 3 }), entries: fc.integer({ min: 0, max: 3 }) }),
  surplus: fc.array(
    fc.record({
      at: moment,
      fen: fc.integer({ min: -500, max: 500 }).filter((fen) => fen !== 0),
      hasReference: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  interestFen: fc.constantFrom(0, 0, 1_234, -77),
  openingOffFen: fc.constantFrom(0, 0, 5),
});

let worlds = 0;
/** What was found in any of them, so that it shows when the worlds become too tame. */
const classesSeen = new Set<string>();

/** Two accounts, the draw's deposits on them in turn, and books made from the truth with what was drawn done to it. */
function worldOf(draw: Draw): TrueWorld {
  worlds += 1;
  const numbers = [`W${worlds}A`, `W${worlds}B`] as const;
  const deposits: TrueDeposit[] = [];
  const entries: BookedEntry[] = [];
  draw.deposits.forEach(({ at, amountFen, feeFen, isOrder, how }, place) => {
    const deposit: TrueDeposit = {
      account: numbers[place % 2] ?? '',
      orderNo: `W${worlds}D${place}`,
      at,
      amountFen: BigInt(amountFen),
      feeFen: BigInt(feeFen),
      feeType: isOrder ? 'ORDER' : 'ACCOUNT',
      payer: `payer ${place}`,
    };
    deposits.push(deposit);
    entries.push(...booked(deposit, how, numbers[(place + 1) % 2] ?? ''));
  });
  const [first] = numbers;
  const same = { account: first, at: '2026-03-10 15:00:00', payer: 'the same' };
  for (let n = 0; n < draw.alike.deposits; n++) {
    deposits.push({ ...same, orderNo: `W${worlds}S${n}`, amountFen: 900n, feeFen: 0n, feeType: 'ORDER' });
  }
  for (let n = 0; n < draw.alike.entries; n++) {
    entries.push({
      ...same,
      id: `W${worlds}s${n}`,
      kind: 'deposit',
      fen: 900n,
      reference: '',
      status: 'posted',
    });
  }
  draw.surplus.forEach(({ at, fen, hasReference }, n) => {
    const id = `W${worlds}X${n}`;
    const reference = hasReference ? `${id}-ref` : '';
    entries.push({
      id,
      account: first,
      kind: 'deposit',
      fen: BigInt(fen),
      at,
      reference,
      payer: `nobody ${n}`,
      status: 'posted',
    });
  });
  return {
    accounts: numbers.map((no, place) => ({
      no,
      openingFen: 100_000n,
      bookedOpeningFen: 100_000n - BigInt(place === 0 ? draw.openingOffFen : 0),
      interestFen: BigInt(place === 1 ? draw.interestFen : 0),
    })),
    deposits,
    entries,
  };
}

function booked(deposit: TrueDeposit, how: Draw['deposits'][number]['how'], other: string): BookedEntry[] {
  const { account, orderNo, at, amountFen, feeFen, payer } = deposit;
  const net = amountFen - feeFen;
  const entry: BookedEntry = {
    id: `${orderNo}-e`,
    account,
    kind: 'deposit',
    fen: net,
    at,
    reference: orderNo,
    payer: '',
    status: 'posted',
  };
  switch (how) {
    case 'netted':
      return [entry];
    case 'with its fee apart':
      return feeFen === 0n
        ? [entry]
        : [
            { ...entry, fen: amountFen },
            { ...entry, id: `${orderNo}-f`, kind: 'fee', fen: -feeFen },
          ];
    case 'not at all':
      return [];
    case 'for another amount':
      return [{ ...entry, fen: net + 7n }];
    case 'without its fee':
      return [{ ...entry, fen: amountFen }];
    case 'twice':
      return [entry, { ...entry, id: `${orderNo}-g` }];
    case 'on the other account':
      return [{ ...entry, account: other }];
    case 'on the next day':
      return [{ ...entry, at: `${addDays(at.slice(0, 10), 1)} 01:00:00` }];
    case 'pending':
      return [{ ...entry, status: 'pending' }];
    case 'without a reference':
      return [{ ...entry, reference: '', payer }];
  }
}

async function give(world: TrueWorld): Promise<void> {
  await emptyTables(night.db, 'all');
  night.moveTo('2026-03-11 02:00:00');
  const at = '2026-03-09 00:00:00';
  await night.accounts(
    ...world.accounts.map(({ no, openingFen }) => ({ no, opening: { fen: openingFen, at } })),
  );
  night.deposits(
    ...world.deposits.map(({ account, orderNo, at: depositTime, amountFen, feeFen, feeType, payer }) => ({
      payeeAcctNo: account,
      orderNo,
      depositTime,
      amountFen,
      feeFen,
      feeType,
      payerName: payer,
    })),
  );
  for (const { no, interestFen } of world.accounts) {
    const movement = { kind: 'adjustment' as const, accountNo: no, amountFen: interestFen };
    if (interestFen !== 0n) night.sandbox.seedMovements([{ ...movement, at: '2026-03-10 03:00:00' }]);
  }
  await night.entries([
    ...world.accounts.map(({ no, bookedOpeningFen }) => ({
      id: `${no}-opening`,
      account: no,
      kind: 'opening',
      fen: bookedOpeningFen,
      at,
    })),
    ...world.entries.map(({ payer, ...entry }) => ({ ...entry, counterparty: payer })),
  ]);
}

/** Of records that are alike in everything it does not matter which one is left over. */
function withoutNames(findings: readonly string[]): string[] {
  return findings.map((finding) => finding.replace(/ W\d+[Ss]\d+ /, ' one of them ')).toSorted();
}

function expectIdentities({ result }: NightOutcome): void {
  for (const account of result.accounts) {
    const { openingDifferenceFen = 0n, lineDifferenceFen, unexplainedFen = 0n } = account;
    const { differenceFen, platformFen, openingFen = 0n, movementsFen, ledgerFen } = account;
    expect(differenceFen).toBe((openingDifferenceFen ?? 0n) + lineDifferenceFen + (unexplainedFen ?? 0n));
    expect((openingFen ?? 0n) + movementsFen + (unexplainedFen ?? 0n)).toBe(platformFen);
    expect(differenceFen).toBe((platformFen ?? 0n) - (ledgerFen ?? 0n));
    expect(account.verdict).not.toBe('unverified');
  }
}

function expectAsExpected(outcome: NightOutcome, expected: ReturnType<typeof reconcile>): void {
  for (const finding of expected.findings) classesSeen.add(finding.split(' ')[0] ?? '');
  expect(withoutNames(findingsOf(outcome))).toEqual(withoutNames(expected.findings));
  expect(
    outcome.result.accounts.map(({ accountNo, platformFen, ledgerFen, lineDifferenceFen: lineFen }) => ({
      accountNo,
      platformFen,
      ledgerFen,
      lineFen,
    })),
  ).toEqual(expected.accounts);
  expectIdentities(outcome);
}

test(
  'the findings of two nights are those of a reconciler on plain arrays',
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(draws, async (draw) => {
        const world = worldOf(draw);
        await give(world);
        const first = { from: '2026-03-10 00:00:00', cut: '2026-03-11 00:00:00' };
        expectAsExpected(await night.night('2026-03-10'), reconcile(world, first));
        night.moveTo('2026-03-12 02:00:00');
        const second = { from: '2026-03-11 00:00:00', cut: '2026-03-12 00:00:00' };
        expectAsExpected(await night.night('2026-03-11'), reconcile(world, second, first));
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect([...classesSeen].toSorted()).toEqual(
      [
        'account',
        'amount',
        'duplicate',
        'empty_suspect',
        'fee',
        'late',
        'ledger_only',
        'opening',
        'pending',
      ].concat(['platform_only', 'unexplained']),
    );
  },
);
