/**
 * What an answer does not say itself, and other looks do. By which numbers its batch goes. Which looks at a batch are the first
 * that may have shown its orders, by whichever number: an order that a later one makes known may have been shown otherwise
 * before (docs/reliability.md 2.3 a). And which answers were asked for under a claim that is no more in force: another one has
 * asked since, and whatever their times say, they are older than what is known (N11).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { isDueOfBatch } from '../store/orders/batch-numbers.ts';
import { unitText } from '../store/orders/order-claims.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { Tables } from '../store/schema/schema.ts';
import type { OrderAnswer } from './orders-answers.ts';
import type { DueRow, OrderKey, Registration } from './read-known-orders.ts';

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

/** What stands on the list for a batch, by each of its numbers. */
type Listed = ReadonlyMap<string, readonly UnitKey[]>;

/** By the numbers that answers state, or are asked for by. */
export async function readListed(trx: Transaction<Tables>, answers: readonly OrderAnswer[]): Promise<Listed> {
  const numbers = new Set(
    answers
      .filter(mayShowOrders)
      .flatMap(unitsOf)
      .map(({ number }) => number),
  );
  const { rows } = await sql<UnitKey & { asked: string }>`
    select a.number as asked, d.kind, d.number_kind as "numberKind", d.number
    from unnest(${[...numbers]}::text[]) a (number)
    cross join lateral (
      select * from order_due d where ${isDueOfBatch(sql.ref('a.number'))} offset 0
    ) d`.execute(trx);
  return Map.groupBy(rows, ({ asked }) => asked);
}

function mayShowOrders({ unit, kind, unread }: OrderAnswer): boolean {
  return unit.kind === 'batch' && (kind === 'batch' || unread !== undefined);
}

export class FirstShown {
  readonly #listed: Listed;
  readonly #dues: ReadonlyMap<string, DueRow>;
  /** By what stands on the list, the first of these answers that may have shown its orders. */
  readonly #first = new Map<string, OrderAnswer>();

  /**
   * @param answers in the order in which they are gone through
   * @param known.dues what of the list is locked: who stores another look has done so, or waits
   */
  constructor(
    answers: readonly OrderAnswer[],
    { listed, dues }: { listed: Listed; dues: ReadonlyMap<string, DueRow> },
  ) {
    this.#listed = listed;
    this.#dues = dues;
    for (const answer of answers.filter(mayShowOrders)) {
      for (const name of this.#listedFor(answer)) {
        if (!this.#first.has(name)) this.#first.set(name, answer);
      }
    }
  }

  /**
   * Whether no look at the batch before this one may have shown an order that it did not make known: none listed it, and
   * none was answered without being kept.
   */
  isFirst(answer: OrderAnswer): boolean {
    const listed = this.#listedFor(answer);
    return (
      answer.unread === undefined &&
      listed.includes(unitText(answer.unit)) &&
      listed.every((name) => this.#isUnshown(name) && this.#first.get(name) === answer)
    );
  }

  /** What is not on the list any more was shown by its other number. */
  #isUnshown(name: string): boolean {
    const due = this.#dues.get(name);
    return due?.may_have_shown_at === null && due.state !== 'open' && due.state !== 'final';
  }

  #listedFor(answer: OrderAnswer): string[] {
    return unitsOf(answer).flatMap(({ number }) => (this.#listed.get(number) ?? []).map(unitText));
  }
}

export function isOvertaken(dues: ReadonlyMap<string, DueRow>, { unit, claimFence }: OrderAnswer): boolean {
  if (claimFence === undefined) return false;
  const due = dues.get(unitText(unit));
  return due?.claim_fence !== claimFence || due.claim_until === null;
}

export interface KnownNumbers {
  dues: ReadonlyMap<string, DueRow>;
  /** Whose known batches are, and what they go by, by the platform's numbers. */
  ownBatchNos: ReadonlyMap<string, OrderKey>;
}

/** What a batch may go by: as the answer states it or it was asked for, and as it is known. */
export function namesOf(answer: OrderAnswer, { dues, ownBatchNos }: KnownNumbers): string[] {
  const stated = statedNumber(answer) || answer.unit.number;
  return [...new Set([stated, ownBatchNos.get(platformNumber(answer, dues))?.outNo ?? stated])];
}

/** What is known by the platform's numbers that the company registered. */
export function knownBeside(
  registered: readonly Pick<Registration, 'batchNo'>[],
  ownBatchNos: KnownNumbers['ownBatchNos'],
): OrderKey[] {
  return registered.flatMap(({ batchNo }) => ownBatchNos.get(batchNo) ?? []);
}

/** The company's number of a batch, as the answer states it or it was found or asked for; empty: it is not known. */
export function statedNumber(answer: OrderAnswer): string {
  const { unit, foundAs = unit } = answer;
  const asked = [foundAs, unit].find(({ numberKind }) => numberKind === 'out')?.number ?? '';
  return (answer.kind === 'batch' && answer.batch.outBatchNo) || asked;
}

/**
 * The platform's number, as the answer states it, it was asked for, or an answer before it told where it was asked for by the
 * same; empty: it is not known.
 */
export function platformNumber(answer: OrderAnswer, dues: KnownNumbers['dues']): string {
  const { unit, foundAs = unit } = answer;
  const asked = foundAs.numberKind === 'platform' ? foundAs.number : '';
  const told = dues.get(unitText(unit))?.batch_no ?? '';
  if (answer.kind === 'batch') return answer.batch.batchNo || asked || told;
  return answer.kind === 'withdrawal' ? answer.withdrawal.orderNo || asked : asked || told;
}
