/**
 * Which looks at a batch are the first that may have shown its orders, by whichever number: an order that a later one makes
 * known may have been shown otherwise before (docs/reliability.md 2.3 a).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { isDueOfBatch } from '../store/orders/batch-numbers.ts';
import { unitText } from '../store/orders/order-claims.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { Tables } from '../store/schema/schema.ts';
import type { OrderAnswer } from './orders-answers.ts';
import type { DueRow } from './read-known-orders.ts';

/** Under which it may be listed: as it was asked for and found, and a batch by either number that its answer states. */
export function unitsOf(answer: OrderAnswer): UnitKey[] {
  const { unit, foundAs = unit } = answer;
  if (answer.kind !== 'batch') return [unit, foundAs];
  const { outBatchNo, batchNo } = answer.batch;
  return [
    unit,
    foundAs,
    { kind: 'batch', numberKind: 'out', number: outBatchNo },
    { kind: 'batch', numberKind: 'platform', number: batchNo },
  ];
}

type Listed = Pick<DueRow, 'kind' | 'number_kind' | 'number' | 'state' | 'may_have_shown_at'>;

export class FirstShown {
  /** What stands on the list for a batch, by each of its numbers. */
  readonly #listed: ReadonlyMap<string, readonly Listed[]>;
  /** By what stands on the list, the first of these answers that may have shown its orders. */
  readonly #first = new Map<string, OrderAnswer>();

  private constructor(listed: ReadonlyMap<string, readonly Listed[]>, shown: readonly OrderAnswer[]) {
    this.#listed = listed;
    for (const answer of shown) {
      for (const due of this.#listedFor(answer)) {
        if (!this.#first.has(textOf(due))) this.#first.set(textOf(due), answer);
      }
    }
  }

  /** @param answers in the order in which they are gone through */
  static async read(trx: Transaction<Tables>, answers: readonly OrderAnswer[]): Promise<FirstShown> {
    const shown = answers.filter(
      ({ unit, kind, unread }) => unit.kind === 'batch' && (kind === 'batch' || unread),
    );
    const numbers = new Set(shown.flatMap(unitsOf).map(({ number }) => number));
    // Not stated: not the number of all that were registered without one.
    numbers.delete('');
    const { rows } = await sql<Listed & { asked: string }>`
      select a.number as asked, d.kind, d.number_kind, d.number, d.state, d.may_have_shown_at
      from unnest(${[...numbers]}::text[]) a (number)
      cross join lateral (
        select * from order_due d where ${isDueOfBatch(sql.ref('a.number'))} offset 0
      ) d`.execute(trx);
    return new FirstShown(
      Map.groupBy(rows, ({ asked }) => asked),
      shown,
    );
  }

  /**
   * Whether no look at the batch before this one may have shown an order that it did not make known: none listed it, and
   * none was answered without being kept.
   */
  isFirst(answer: OrderAnswer): boolean {
    const listed = this.#listedFor(answer);
    const isListed = listed.some((due) => textOf(due) === unitText(answer.unit));
    return (
      answer.unread === undefined &&
      isListed &&
      listed.every(
        (due) =>
          due.may_have_shown_at === null &&
          due.state !== 'open' &&
          due.state !== 'final' &&
          this.#first.get(textOf(due)) === answer,
      )
    );
  }

  #listedFor(answer: OrderAnswer): Listed[] {
    return unitsOf(answer).flatMap(({ number }) => this.#listed.get(number) ?? []);
  }
}

function textOf({ kind, number_kind: numberKind, number }: Listed): string {
  return unitText({ kind, numberKind, number });
}
