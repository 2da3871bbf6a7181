/** An order under way across a stated opening is weighed on both sides of it, by the balance and by the books. */
import { afterEach, describe, expect, test } from 'vitest';
import { Night, at, findingsOf } from '../../helpers/night.ts';

let night: Night;
afterEach(() => night.close());

interface Told {
  verdict: string;
  found: string[];
  assumptions: string;
  reason: string;
}

interface Sent {
  no: string;
  fen: bigint;
  doneMs: number;
  bookedAt?: string;
  isUnregistered?: true;
}

/** Withdrawals sent at 23:58 before accounts begin at midnight; each is done so long after. */
async function open(of: {
  opening?: bigint;
  books?: bigint;
  lostFen?: bigint;
  withdrawals: readonly Sent[];
}): Promise<void> {
  night = await Night.open({ now: '2026-03-09 23:00:00' });
  const { opening = 100_000n, books, lostFen = 0n, withdrawals } = of;
  const beforeFen = withdrawals
    .filter(({ doneMs }) => doneMs < 120_000)
    .reduce((sum, { fen }) => sum + fen, 0n);
  await night.accounts({
    no: 'P',
    heldFen: 100_000n + beforeFen - lostFen,
    opening: { fen: opening, at: '2026-03-10 00:00:00' },
  });
  night.sandbox.seedWithdrawals(
    withdrawals.map(({ no, fen, doneMs }) => ({
      outOrderNo: no,
      acctNo: 'P',
      amountFen: fen,
      submittedAt: '2026-03-09 23:58:00',
      delayMs: doneMs,
    })),
  );
  for (const sent of withdrawals) if (sent.isUnregistered !== true) await register(sent);
  await night.entries([
    ...(books === undefined
      ? []
      : [{ id: 'O', account: 'P', kind: 'opening', fen: books, at: '2026-03-10 00:00:00' } as const]),
    ...withdrawals.flatMap(({ no, fen, bookedAt }) =>
      bookedAt === undefined
        ? []
        : [
            {
              id: `E-${no}`,
              account: 'P',
              kind: 'withdrawal',
              reference: no,
              fen: -fen,
              at: bookedAt,
            } as const,
          ],
    ),
  ]);
}

async function register({ no, fen }: Pick<Sent, 'no' | 'fen'>): Promise<void> {
  const submittedAt = '2026-03-09 23:58:00';
  await night.orders({ kind: 'withdrawal', outOrderNo: no, payer: 'P', fen, submittedAt });
}

async function tell(day: number): Promise<Told> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const { result, ...rest } = await night.night(`2026-03-${day}`);
  const [account] = result.accounts;
  return {
    verdict: result.run.verdict,
    found: findingsOf({ result, ...rest }),
    assumptions: account?.assumptions.join('\n') ?? '',
    reason: account?.reason ?? '',
  };
}

const BEFORE = '2026-03-09 23:58:30';
const AFTER = '2026-03-10 00:04:00';
const MINUTE = 60_000;

test.each([
  ['books that state none', undefined, AFTER],
  ['books that state the same', 100_000n, AFTER],
  ['books that have booked it before they begin', 50_000n, BEFORE],
])(
  'one that came after the opening is put there with %s, and that is assumed',
  async (_of, books, bookedAt) => {
    await open({
      ...(books !== undefined && { books }),
      withdrawals: [{ no: 'W1', fen: 50_000n, doneMs: 5 * MINUTE, bookedAt }],
    });
    const first = await tell(10);
    expect([first.verdict, ...first.found]).toEqual(['reconciled']);
    expect(first.assumptions).toContain('(W1)');
    const again = await tell(10);
    expect([again.verdict, again.assumptions]).toEqual([first.verdict, first.assumptions]);
    const next = await tell(11);
    expect([next.verdict, ...next.found]).toEqual(['reconciled']);
  },
);

test('one that a look showed under way and that came before the opening is inside it', async () => {
  await open({ withdrawals: [{ no: 'W1', fen: 50_000n, doneMs: 90_000, bookedAt: BEFORE }] });
  night.moveTo('2026-03-09 23:58:20');
  await night.snapshot();
  for (const day of [10, 11]) {
    const told = await tell(day);
    expect([told.verdict, ...told.found]).toEqual(['reconciled']);
    if (day === 10) expect(told.assumptions).toContain('(W1)');
  }
});

test('a transfer across the openings of both its accounts lies on one side of both', async () => {
  night = await Night.open({ now: '2026-03-09 23:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'P', opening }, { no: 'Q', opening });
  const sent = { outBatchNo: 'B1', submittedAt: '2026-03-09 23:58:00' };
  const order = { outOrderNo: 'T1', fen: 50_000n };
  night.sandbox.seedTransfers([
    {
      ...sent,
      payerAcctNo: 'P',
      orders: [
        {
          outOrderNo: 'T1',
          payeeAcctNo: 'Q',
          amountFen: order.fen,
          delayMs: 5 * MINUTE,
        },
      ],
    },
  ]);
  await night.orders({ kind: 'transfer', ...sent, ...order, payer: 'P', payee: 'Q' });
  const booked = { reference: 'T1', at: AFTER };
  await night.entries([
    { id: 'E1', account: 'P', kind: 'transfer_out', fen: -50_000n, ...booked },
    { id: 'E2', account: 'Q', kind: 'transfer_in', fen: 50_000n, ...booked },
  ]);
  for (const day of [10, 11]) {
    const told = await tell(day);
    expect([told.verdict, ...told.found]).toEqual(['reconciled']);
  }
});

test('a loss of its amount is no order that the books have before their stated opening', async () => {
  await open({
    books: 100_000n,
    lostFen: 50_000n,
    withdrawals: [{ no: 'W1', fen: 50_000n, doneMs: MINUTE, bookedAt: BEFORE }],
  });
  for (const day of [10, 11]) {
    const told = await tell(day);
    expect([told.verdict, ...told.found]).toEqual(['breaks', 'unexplained P P -50000']);
  }
});

test('with books that state no opening such a loss is in doubt and never green', async () => {
  await open({
    lostFen: 50_000n,
    withdrawals: [{ no: 'W1', fen: 50_000n, doneMs: MINUTE, bookedAt: BEFORE }],
  });
  for (const day of [10, 11]) {
    const told = await tell(day);
    expect(told.verdict).toBe('unverified');
    expect(told.reason).toContain('(W1)');
    expect(told.assumptions).toContain('50000 fen, W1');
  }
});

test('an amount that no order explains is told at once', async () => {
  await open({
    lostFen: 777n,
    withdrawals: [{ no: 'W1', fen: 50_000n, doneMs: MINUTE, bookedAt: BEFORE }],
  });
  const told = await tell(10);
  expect([told.verdict, ...told.found]).toEqual(['breaks', 'unexplained P P -777']);
});

test('of two alike each of which explains it none is taken before it is too old', async () => {
  await open({
    withdrawals: [
      { no: 'W1', fen: 50_000n, doneMs: MINUTE },
      { no: 'W2', fen: 50_000n, doneMs: 5 * MINUTE },
    ],
  });
  const first = await tell(10);
  expect([first.verdict, first.reason.includes('several')]).toEqual(['unverified', true]);
});

test('of two alike the books tell which came after the opening', async () => {
  await open({
    withdrawals: [
      { no: 'W1', fen: 50_000n, doneMs: MINUTE, bookedAt: BEFORE },
      { no: 'W2', fen: 50_000n, doneMs: 5 * MINUTE, bookedAt: AFTER },
    ],
  });
  const first = await tell(10);
  expect([first.verdict, ...first.found]).toEqual(['reconciled']);
});

test('an amount that was told is not ended by an order of that amount which is registered later', async () => {
  const late = { no: 'W1', fen: 50_000n, doneMs: MINUTE, isUnregistered: true } as const;
  await open({ lostFen: 50_000n, withdrawals: [late] });
  const first = await tell(10);
  expect(first.found).toEqual(['unexplained P P -50000']);
  await register(late);
  for (const day of [10, 11]) {
    const told = await tell(day);
    expect(told.verdict).not.toMatch(/^reconciled/);
    expect(told.found).toContain('unexplained P P -50000');
  }
});

describe('one sent longer than agingDays before the opening', () => {
  const SENT = '2026-03-04 09:00:00';

  /** 500.00 leave P so long after they were sent; the books have them after their opening. */
  async function sentLongBefore(doneAt: string, heldFen: bigint): Promise<Told[]> {
    night = await Night.open({ now: SENT });
    await night.accounts({ no: 'P', heldFen, opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
    night.sandbox.seedWithdrawals([
      {
        outOrderNo: 'W1',
        acctNo: 'P',
        amountFen: 50_000n,
        submittedAt: SENT,
        delayMs: Date.parse(at(doneAt)) - Date.parse(at(SENT)),
      },
    ]);
    await night.orders({ kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 50_000n, submittedAt: SENT });
    await night.entries([
      { id: 'O', account: 'P', kind: 'opening', fen: 100_000n, at: '2026-03-10 00:00:00' },
      { id: 'E', account: 'P', kind: 'withdrawal', reference: 'W1', fen: -50_000n, at: AFTER },
    ]);
    return [await tell(10), await tell(11)];
  }

  test('and done after it stays unexplained: a loss of its amount would look the same', async () => {
    for (const told of await sentLongBefore('2026-03-10 00:03:00', 100_000n)) {
      expect([told.verdict, ...told.found]).toEqual([
        'breaks',
        'opening P P 50000',
        'unexplained P P -50000',
      ]);
    }
  });

  test('and a loss of its amount that the books know nothing of stays unexplained', async () => {
    for (const told of await sentLongBefore('2026-03-09 12:00:00', 100_000n)) {
      expect([told.verdict, ...told.found]).toEqual([
        'breaks',
        'opening P P 50000',
        'unexplained P P -50000',
      ]);
    }
  });

  test('and done before it stays an opening difference of the books that have it since', async () => {
    for (const told of await sentLongBefore('2026-03-09 12:00:00', 150_000n)) {
      expect([told.verdict, ...told.found]).toEqual(['breaks', 'opening P P 50000']);
    }
  });
});
