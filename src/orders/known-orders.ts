/** What is known of the orders that one batch of answers is about, kept up to date while the answers are gone through. */
import { unitText } from '../store/orders/order-claims.ts';
import type { Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { Known, OpenFaults, TransferRow, WithdrawalRow } from './order-observations.ts';
import type { OrderSubject, Tables } from '../store/schema/schema.ts';
import { accountsStated, misspeltAccounts } from './account-spellings.ts';
import { FirstShown, knownBeside, namesOf, platformNumber, readListed, unitsOf } from './other-looks.ts';
import type { KnownNumbers } from './other-looks.ts';
import type { OrderAnswer } from './orders-answers.ts';
import {
  faultText,
  keyText,
  lockDues,
  observedAtOf,
  readAliases,
  readBatches,
  readOwnBatchNumbers,
  readParticulars,
  readRegistered,
  readTransfers,
  readWithdrawals,
} from './read-known-orders.ts';
import type { BatchRow, DueRow, FaultKey, OrderKey, Particulars, Registration } from './read-known-orders.ts';

type Kept<R> = Omit<Known<R>, 'observedAt'>;

export class KnownOrders {
  readonly dues: ReadonlyMap<string, DueRow>;
  readonly batches: Map<string, BatchRow>;
  readonly registered: readonly Registration[];
  /** Whose known batches are, and what they go by, by the platform's numbers. */
  readonly ownBatchNos: ReadonlyMap<string, OrderKey>;
  /** Own numbers of withdrawals that were asked for by the platform's. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The account of the list that an answer misspells, by what it states. */
  readonly misspelt: ReadonlyMap<string, string>;
  readonly firstShown: FirstShown;
  readonly #transfers = new Map<string, Kept<TransferRow>>();
  readonly #withdrawals = new Map<string, Kept<WithdrawalRow>>();
  readonly #ofBatch = new Map<string, Set<string>>();
  readonly #ofNumber = new Map<string, Set<string>>();
  readonly #registeredOfBatch = new Map<string, Set<Registration>>();
  readonly #faults: ReadonlyMap<string, OpenFaults>;

  constructor(
    of: Pick<
      KnownOrders,
      'dues' | 'batches' | 'registered' | 'ownBatchNos' | 'aliases' | 'misspelt' | 'firstShown'
    >,
    orders: { transfers: readonly TransferRow[]; withdrawals: readonly WithdrawalRow[] },
    { changes, faults }: Particulars,
  ) {
    this.dues = of.dues;
    this.batches = of.batches;
    this.registered = of.registered;
    this.ownBatchNos = of.ownBatchNos;
    this.aliases = of.aliases;
    this.misspelt = of.misspelt;
    this.firstShown = of.firstShown;
    this.#faults = faults;
    for (const own of of.registered)
      for (const name of batchNames([own.outBatchNo], own.batchNo)) putIn(this.#registeredOfBatch, name, own);
    const changesOf = (row: TransferRow | WithdrawalRow, isOurs: (subject: OrderSubject) => boolean) =>
      (changes.get(keyText(keyOfRow(row))) ?? []).filter(({ subject }) => isOurs(subject));
    for (const row of orders.transfers) {
      const own = this.faultsOf({ ...keyOfRow(row), subject: 'transfer' }) ?? new Map();
      const ours = changesOf(row, (subject) => subject !== 'withdrawal');
      this.keepTransfer({ row, changes: ours, faults: own }, undefined);
    }
    for (const row of orders.withdrawals) {
      const own = this.faultsOf({ ...keyOfRow(row), subject: 'withdrawal' }) ?? new Map();
      const ours = changesOf(row, (subject) => subject === 'withdrawal');
      this.keepWithdrawal({ row, changes: ours, faults: own });
    }
  }

  faultsOf(key: FaultKey): OpenFaults | undefined {
    return this.#faults.get(faultText(key));
  }

  /** @param askedAt the last look at its batch that was answered */
  transfer(key: OrderKey, askedAt: Instant | null): Known<TransferRow> | undefined {
    const known = this.#transfers.get(keyText(key));
    return known && { ...known, observedAt: observedAtOf(askedAt, known) };
  }

  /** All known orders of a batch, whoever pays. */
  transfersOf(outBatchNo: string): TransferRow[] {
    const keys = this.#ofBatch.get(outBatchNo) ?? new Set();
    return [...keys].flatMap((key) => this.#transfers.get(key)?.row ?? []);
  }

  /** All known orders of a batch that is asked for by either number. */
  transfersOfUnit({ numberKind, number }: UnitKey): TransferRow[] {
    if (numberKind === 'out') return this.transfersOf(number);
    const own = [...this.batches.values()].filter(({ batch_no }) => batch_no === number);
    return own.flatMap(({ out_batch_no }) => this.transfersOf(out_batch_no));
  }

  /** Known orders of any batch whose number of the platform an answer lists, or whose own one, and no other one with it. */
  transfersListed({ batch }: Extract<OrderAnswer, { kind: 'batch' }>, payer: string): TransferRow[] {
    const own = batch.orders.flatMap(({ payerAccountNo, outOrderNo, orderNo }) => {
      const key = { accountNo: payerAccountNo || payer, outNo: outOrderNo };
      const row = this.#transfers.get(keyText(key))?.row;
      const isOther = orderNo !== '' && row?.order_no !== '' && row?.order_no !== orderNo;
      return row === undefined || isOther ? [] : row;
    });
    const numbers = new Set(batch.orders.map(({ orderNo }) => orderNo));
    return [...own, ...[...numbers].flatMap((orderNo) => this.#transfersNumbered(orderNo))];
  }

  #transfersNumbered(orderNo: string): TransferRow[] {
    const keys = orderNo === '' ? [] : [...(this.#ofNumber.get(orderNo) ?? [])];
    return keys
      .flatMap((key) => this.#transfers.get(key)?.row ?? [])
      .filter(({ order_no: no }) => no === orderNo);
  }

  /** What the company registered of a transfer batch, by any of its numbers. */
  registeredOf(outBatchNos: readonly string[], batchNo: string): readonly Registration[] {
    const groups = batchNames(outBatchNos, batchNo).map((name) => this.#registeredOfBatch.get(name));
    return [...new Set(groups.flatMap((group) => [...(group ?? [])]))];
  }

  withdrawal(key: OrderKey, askedAt: Instant | null): Known<WithdrawalRow> | undefined {
    const known = this.#withdrawals.get(keyText(key));
    return known && { ...known, observedAt: observedAtOf(askedAt, known) };
  }

  /**
   * One order may be in two answers of one batch: what the first brought is known to the second.
   * @param former as it was known, under another account perhaps
   */
  keepTransfer({ row, changes, faults }: Kept<TransferRow>, former: TransferRow | undefined): void {
    if (former !== undefined) this.dropTransfer(former);
    const key = keyText(keyOfRow(row));
    this.#transfers.set(key, { row, changes, faults });
    putIn(this.#ofBatch, row.out_batch_no, key);
    putIn(this.#ofNumber, row.order_no, key);
  }

  /** The same, but for what was shown of it. */
  showTransfer(row: TransferRow): void {
    const key = keyText(keyOfRow(row));
    const known = this.#transfers.get(key);
    if (known !== undefined) this.#transfers.set(key, { ...known, row });
  }

  keepWithdrawal({ row, changes, faults }: Kept<WithdrawalRow>): void {
    this.#withdrawals.set(keyText(keyOfRow(row)), { row, changes, faults });
  }

  dropTransfer(row: TransferRow): void {
    this.#transfers.delete(keyText(keyOfRow(row)));
  }
}

function keyOfRow({ account_no, out_order_no }: TransferRow | WithdrawalRow): OrderKey {
  return { accountNo: account_no, outNo: out_order_no };
}

function putIn<T>(groups: Map<string, Set<T>>, name: string, value: T): void {
  groups.set(name, (groups.get(name) ?? new Set<T>()).add(value));
}

/** The company may call a batch what the platform calls another. */
function batchNames(outBatchNos: readonly string[], batchNo: string): string[] {
  const own = outBatchNos.filter((number) => number !== '').map((number) => `out ${number}`);
  return [...own, ...(batchNo === '' ? [] : [`platform ${batchNo}`])];
}

/** Reads and locks everything the answers are about. @param claimed what of the list is locked with it */
export async function readStock(
  trx: Transaction<Tables>,
  answers: readonly OrderAnswer[],
  claimed: readonly UnitKey[],
): Promise<KnownOrders> {
  const listed = await readListed(trx, answers);
  const dues = await lockDues(trx, [...claimed, ...answers.flatMap(unitsOf), ...[...listed.values()].flat()]);
  const batches = answers.filter(({ unit }) => unit.kind === 'batch');
  const stated = await readOwnBatchNumbers(
    trx,
    batches.map((answer) => platformNumber(answer, dues)),
  );
  const asked = registeredOf(answers, { dues, ownBatchNos: stated });
  const registered = await readRegistered(trx, asked);
  const beside = await readOwnBatchNumbers(
    trx,
    registered.map(({ batchNo }) => batchNo),
  );
  const ownBatchNos = new Map([...beside, ...stated]);
  const keys = transferKeys(answers, { dues, registered, ownBatchNos });
  const transfers = await readTransfers(trx, keys);
  const aliases = await readAliases(trx, withdrawalsByPlatform(answers));
  const withdrawals = await readWithdrawals(trx, withdrawalKeys(answers, { dues, aliases }));
  const knownBatches = await readBatches(trx, keys.batches);
  const known = [...transfers, ...withdrawals].map((row) => ({
    accountNo: row.account_no,
    outNo: row.out_order_no,
  }));
  const particulars = await readParticulars(trx, [...known, ...keys.batches]);
  const misspelt = await misspeltAccounts(trx, answers.flatMap(accountsStated));
  const of = {
    dues,
    batches: knownBatches,
    registered: [...registered, ...(await registeredAsKnown(trx, knownBatches, asked))],
    ownBatchNos,
    aliases,
    misspelt,
    firstShown: new FirstShown(answers, { listed, dues }),
  };
  return new KnownOrders(of, { transfers, withdrawals }, particulars);
}

function registeredOf(answers: readonly OrderAnswer[], known: KnownNumbers) {
  const batches = answers.filter(({ unit }) => unit.kind === 'batch');
  return {
    outBatchNos: [...new Set(batches.flatMap((answer) => namesOf(answer, known)))],
    batchNos: batches.flatMap((answer) => platformNumber(answer, known.dues) || []),
    withdrawals: answers.flatMap(({ unit }) => (unit.kind === 'withdrawal' ? [unit] : [])),
  };
}

/** What was registered of known batches by a platform number of theirs that none of these answers has. */
async function registeredAsKnown(
  trx: Transaction<Tables>,
  batches: KnownOrders['batches'],
  asked: { outBatchNos: readonly string[]; batchNos: readonly string[] },
): Promise<Registration[]> {
  const known = [...batches.values()].map(({ batch_no: batchNo }) => batchNo);
  const batchNos = known.filter((batchNo) => batchNo !== '' && !asked.batchNos.includes(batchNo));
  const rows = await readRegistered(trx, { outBatchNos: [], batchNos, withdrawals: [] });
  return rows.filter(({ outBatchNo }) => !asked.outBatchNos.includes(outBatchNo));
}

/** A batch may be known under the account that registry or list named, or under the one that pays. */
function transferKeys(
  answers: readonly OrderAnswer[],
  { dues, registered, ownBatchNos }: Pick<KnownOrders, 'dues' | 'registered' | 'ownBatchNos'>,
): { batches: OrderKey[]; orders: OrderKey[]; numbers: string[] } {
  const registeredBy = Map.groupBy(registered, ({ outBatchNo }) => outBatchNo);
  const batches: OrderKey[] = [];
  const orders: OrderKey[] = [];
  const numbers: string[] = [];
  for (const answer of answers) {
    const { unit } = answer;
    if (unit.kind !== 'batch') continue;
    const listed = answer.kind === 'batch' ? answer.batch.orders : [];
    const own = namesOf(answer, { dues, ownBatchNos });
    const lines = own.flatMap((outNo) => registeredBy.get(outNo) ?? []);
    const beside = knownBeside(lines, ownBatchNos);
    const names = new Set([...own, ...beside.map(({ outNo }) => outNo)]);
    const accounts = new Set([
      ...unitsOf(answer).map((named) => dues.get(unitText(named))?.account_no ?? ''),
      ownBatchNos.get(platformNumber(answer, dues))?.accountNo ?? '',
      ...beside.map(({ accountNo }) => accountNo),
      ...listed.map(({ payerAccountNo }) => payerAccountNo),
      ...lines.map(({ payerAccountNo }) => payerAccountNo),
    ]);
    accounts.delete('');
    for (const { orderNo } of listed) if (orderNo !== '') numbers.push(orderNo);
    for (const accountNo of accounts) {
      for (const outNo of names) batches.push({ accountNo, outNo });
      for (const { outOrderNo } of listed)
        if (outOrderNo !== '') orders.push({ accountNo, outNo: outOrderNo });
    }
  }
  return { batches, orders, numbers };
}

function withdrawalsByPlatform(answers: readonly OrderAnswer[]): string[] {
  return answers.flatMap(({ unit, foundAs = unit }) =>
    foundAs.kind === 'withdrawal' && foundAs.numberKind === 'platform' ? [foundAs.number] : [],
  );
}

function withdrawalKeys(
  answers: readonly OrderAnswer[],
  { dues, aliases }: Pick<KnownOrders, 'dues' | 'aliases'>,
): OrderKey[] {
  return answers.flatMap((answer) => {
    const { unit, foundAs = unit } = answer;
    if (unit.kind !== 'withdrawal') return [];
    const stated = answer.kind === 'withdrawal' ? answer.withdrawal : undefined;
    const accounts = [dues.get(unitText(unit))?.account_no ?? '', stated?.accountNo ?? ''];
    const numbers = [
      unit.number,
      stated?.outOrderNo ?? '',
      aliases.get(foundAs.number) ?? '',
      platformNumber(answer, dues),
    ].filter((number) => number !== '');
    return accounts.flatMap((accountNo) => numbers.map((outNo) => ({ accountNo, outNo })));
  });
}
