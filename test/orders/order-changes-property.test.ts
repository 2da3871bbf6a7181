/** What holds for every history of looks at an order, however odd: P6, P7, N11, U49 as properties. */
import { expect, test } from 'vitest';
import { observeTransfer } from '../../src/orders/order-changes.ts';
import { observeWithdrawal } from '../../src/orders/order-changes-withdrawal.ts';
import type {
  ChangeRow,
  Known,
  LookTime,
  OrderObservation,
  TransferObservation,
  TransferRow,
} from '../../src/orders/order-observations.ts';
import {
  aTransferLook,
  aWithdrawalLook,
  knownAfter,
  lookAt,
  second,
  transferAfter,
  withdrawalAfter,
} from '../helpers/company/order-observations.ts';
import { fc } from '../helpers/properties.ts';

const WORDS = [
  'INIT',
  'PROCESSING',
  'SUCCESS',
  'FAIL',
  'CLOSE',
  'WAIT_CONFIRM',
  'PART_REFUND',
  'REFUND',
  'ODD',
  '',
];
const SETTLE_WORDS = ['', 'INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'ODD'];
const fen = (...values: readonly (bigint | null)[]) => fc.constantFrom(...values);

const transferLook: fc.Arbitrary<TransferObservation> = fc
  .record({
    word: fc.constantFrom(...WORDS),
    settleState: fc.constantFrom(...SETTLE_WORDS),
    refundFen: fen(0n, 0n, 4_000n, 10_000n, null),
    amountFen: fen(10_000n, 10_000n, 9_000n, null),
    feeFen: fen(30n, null),
    payeeAccountNo: fc.constantFrom('Q', 'Q', 'Q2', ''),
    accountNo: fc.constantFrom('P', 'P', 'P', 'P2'),
    unreadable: fc.constantFrom([], [], [], ['mchFee and fee differ']),
    beside: fc.constantFrom([], [], [], ['it is listed 2 times in one answer; nothing of it counts']),
    submittedAt: fc.constantFrom(null, second(-50), second(1_000)),
  })
  .map(({ word, ...over }) => aTransferLook(word, over));

/** Looks one after the other, each as long as it takes, the next not sent before the last was answered. */
function inTurn<L>(looks: readonly { look: L; pause: number; took: number }[]): (L & LookTime)[] {
  let at = 0;
  return looks.map(({ look, pause, took }) => {
    const [sentAt, answeredAt] = [second(at + pause), second(at + pause + took)];
    at += pause + took;
    return { ...look, ...lookAt(0, { sentAt, answeredAt, askedAt: sentAt, seenAt: answeredAt }) };
  });
}

const history = <L>(look: fc.Arbitrary<L>) =>
  fc
    .array(
      fc.record({ look, pause: fc.integer({ min: 1, max: 100 }), took: fc.integer({ min: 1, max: 5 }) }),
      {
        minLength: 1,
        maxLength: 14,
      },
    )
    .map(inTurn);

const essence = ({ row, changes, faults }: Known<unknown>) => ({
  row,
  changes,
  faults: [...faults.entries()],
});

test('N11: looks that come late or again change nothing, wherever they come', () => {
  fc.assert(
    fc.property(history(transferLook), fc.array(fc.nat(), { maxLength: 8 }), (looks, picks) => {
      const mixed = [...looks];
      for (const pick of picks) {
        const at = pick % looks.length;
        const copy = looks[at];
        if (copy === undefined) continue;
        // Anywhere after the look it repeats.
        mixed.splice(mixed.indexOf(copy) + 1 + (pick % (mixed.length - mixed.indexOf(copy))), 0, { ...copy });
      }
      expect(essence(transferAfter(...mixed))).toEqual(essence(transferAfter(...looks)));
    }),
  );
});

test('seeing the same again moves the times of looking and nothing else', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      const known = transferAfter(...looks);
      const last = looks.at(-1);
      if (last === undefined) return;
      const later = { ...last, ...lookAt(5_000), day: last.day };
      const again = observeTransfer(known, later);
      const byLooking = {
        seen_at: '',
        settle_shown_at: null,
        unfailed_shown_at: null,
        refund_shown_at: null,
      };
      expect({ ...again.row, ...byLooking }).toEqual({ ...known.row, ...byLooking });
      const withoutLooking = (change: ChangeRow) => ({ ...change, last_open_at: null });
      expect(again.changes.map(withoutLooking)).toEqual(known.changes.map(withoutLooking));
      expect(again.isNewVersion).toBe(false);
    }),
  );
});

test('2.3 a: what a look showed besides a failure is kept, in whichever order looks are stored', () => {
  const answered = history(transferLook).chain((looks) =>
    fc.record({
      looks: fc.constant(looks),
      stored: fc.shuffledSubarray(looks, { minLength: looks.length, maxLength: looks.length }),
    }),
  );
  fc.assert(
    fc.property(answered, ({ looks, stored }) => {
      const last = { ...aTransferLook('SUCCESS', { settleState: 'FAIL' }), ...lookAt(5_000) };
      const { settle_shown_at: shownAt } = transferAfter(...stored, last).row;
      const others = looks.filter(({ settlement, state }) => settlement !== 'failed' || state !== 'SUCCESS');
      for (const { answeredAt } of others) expect((shownAt ?? '') >= answeredAt).toBe(true);
    }),
  );
});

test('P6: what is final stays, whatever is said later; a final record is versioned when it changes', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      let known: Known<TransferRow> | undefined;
      for (const look of looks) {
        const before = known?.row;
        const observed = observeTransfer(known, look);
        known = knownAfter(known, observed, look);
        if (before === undefined || before.effective_state === 'open') continue;
        expect(known.row.effective_state).toBe(before.effective_state);
        expect(known.row.account_no).toBe(before.account_no);
        const wasStated = (was: unknown): boolean => was !== null && was !== '';
        const isChanged = (['amount_fen', 'fee_fen', 'payee_account_no'] as const).some(
          (name) => wasStated(before[name]) && before[name] !== known?.row[name],
        );
        expect(known.row.version).toBe(before.version + (isChanged ? 1 : 0));
        if (isChanged) expect(known.faults.has('record_changed')).toBe(true);
      }
    }),
  );
});

test('changes of a subject follow each other without overlap, and none ends before it began', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      const { changes } = transferAfter(...looks);
      for (const subject of ['transfer', 'settlement', 'refund'] as const) {
        const own = changes.filter((change) => change.subject === subject);
        own.forEach((change, at) => {
          expect(change.change_no).toBe(at + 1);
          expect(change.state === 'open').toBe(change.first_final_at === null);
          const [begin, end] = [change.last_open_at ?? change.since, change.first_final_at];
          if (begin !== null && end !== null) expect(begin <= end).toBe(true);
          const former = own[at - 1];
          if (former === undefined) return;
          // Only the last may be open, and none begins before the one before it was seen.
          expect(former.first_final_at).not.toBeNull();
          expect((change.since ?? '') >= (former.first_final_at ?? '')).toBe(true);
          if (change.last_open_at !== null)
            expect(change.last_open_at >= (former.first_final_at ?? '')).toBe(true);
        });
      }
    }),
  );
});

test('a settlement is never paid twice without having come back', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      const { changes } = transferAfter(...looks);
      const money = changes
        .filter(
          ({ subject, state }) => subject === 'settlement' && (state === 'moved' || state === 'returned'),
        )
        .map(({ state }) => state);
      money.forEach((state, at) => expect(state).toBe(at % 2 === 0 ? 'moved' : 'returned'));
    }),
  );
});

test('settlements and refunds are there only where the transfer moved', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      const { changes, row } = transferAfter(...looks);
      if (row.effective_state === 'moved') return;
      expect(changes.map(({ subject }) => subject)).toEqual(['transfer']);
      expect(row).toMatchObject({ settlement: 'none', refund_fen: 0n, refund_waiting_fen: 0n });
    }),
  );
});

test('REF-10: confirmed changes add up to the sum last stated where it was not waiting', () => {
  fc.assert(
    fc.property(history(transferLook), (looks) => {
      const { changes, row } = transferAfter(...looks);
      const confirmed = changes
        .filter(({ subject, state }) => subject === 'refund' && state === 'moved')
        .reduce((sum, change) => sum + (change.amount_fen ?? 0n), 0n);
      expect(row.refund_fen).toBe(confirmed);
      const last = looks.at(-1);
      const isCertain = last?.unreadable.length === 0 && last.beside.length === 0;
      const counts = isCertain && last.meaning === 'moved' && last.refundFen !== null;
      if (!counts || row.effective_state !== 'moved' || row.payee_account_no === '') return;
      const faults = transferAfter(...looks).faults;
      if (faults.has('state_regression')) return;
      expect(confirmed).toBe(last.refundFen);
      expect(row.refund_waiting_fen).toBe(0n);
    }),
  );
});

test('U49: a withdrawal moves once and comes back at most once', () => {
  const look: fc.Arbitrary<OrderObservation> = fc
    .record({ word: fc.constantFrom('INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSE', 'ODD', '2') })
    .map(({ word }) => aWithdrawalLook(word));
  fc.assert(
    fc.property(history(look), (looks) => {
      const { changes, row } = withdrawalAfter(...looks);
      const states = changes.map(({ state }) => state).join(' ');
      expect(['open', 'moved', 'failed', 'moved returned']).toContain(states);
      expect(row.effective_state).toBe(changes.at(-1)?.state);
      const known = withdrawalAfter(...looks);
      for (const late of looks) expect(observeWithdrawal(known, late).isStale).toBe(true);
    }),
  );
});
