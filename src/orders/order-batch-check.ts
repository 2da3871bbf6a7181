/**
 * Whether a transfer batch agrees with its own orders and with what the company registered (DIV-31, P12). The
 * label decides nothing: a contradiction is a sentence for people, and money comes from the orders.
 */
import { yuanForPeople } from '../core/fen.ts';
import type { Fen } from '../core/fen.ts';
import type { TransferRow } from './order-observations.ts';

/** A transfer order as the company registered it; unknown members are empty or null. */
export interface RegisteredLine {
  outOrderNo: string;
  orderNo: string;
  payerAccountNo: string;
  payeeAccountNo: string;
  amountFen: Fen | null;
  /** The company was told no: the platform need not have it. */
  isRefused: boolean;
}

export interface BatchSeen {
  /** The platform's label. */
  state: string;
  /** The orders of this answer, in its order. */
  orders: readonly TransferRow[];
  /** Who pays, as each order that says so states it. */
  payers: readonly string[];
  registered: readonly RegisteredLine[];
}

/** Labels that say nothing yet; no state of the orders contradicts them. */
const UNDER_WAY = new Set(['INIT', 'PROCESSING', 'WAIT_CONFIRM']);

/** What each final label demands of the orders, and how it is said. */
const DEMANDS: Readonly<Record<string, { sentence: string; holds: (orders: Counts) => boolean }>> = {
  SUCCESS: {
    sentence: 'not all of its orders moved money',
    holds: ({ all, moved }) => all > 0 && moved === all,
  },
  FAIL: {
    sentence: 'some of its orders moved money or are not final',
    holds: ({ all, failed }) => failed === all,
  },
  CLOSE: { sentence: 'some of its orders moved money', holds: ({ moved }) => moved === 0 },
  PART_SUCCESS: {
    sentence: 'its orders are not partly moved and partly not',
    holds: ({ all, moved }) => moved > 0 && moved < all,
  },
  PART_REFUND: {
    sentence: 'its orders are not partly refunded and partly not',
    holds: ({ moved, refunded, refundedWhole }) => refunded > 0 && refundedWhole < moved,
  },
  REFUND: {
    sentence: 'not all that moved was refunded',
    holds: ({ moved, refunded }) => moved > 0 && refunded === moved,
  },
};

interface Counts {
  all: number;
  moved: number;
  failed: number;
  refunded: number;
  refundedWhole: number;
}

/** At most so many sentences are written out; a batch has at most 20 orders (DIV-18). */
const SENTENCES_MAX = 10;

export function isKnownLabel(state: string): boolean {
  return UNDER_WAY.has(state) || Object.hasOwn(DEMANDS, state);
}

/** What contradicts, one sentence each; empty when nothing does. */
export function contradictionOf(seen: BatchSeen): string {
  const sentences = [...againstLabel(seen), ...amongPayers(seen), ...againstRegistry(seen)];
  const shown = sentences.slice(0, SENTENCES_MAX);
  if (sentences.length > shown.length) shown.push(`and ${sentences.length - shown.length} more`);
  return shown.join('; ');
}

function againstLabel({ state, orders }: BatchSeen): string[] {
  const demand = Object.hasOwn(DEMANDS, state) ? DEMANDS[state] : undefined;
  if (demand === undefined) return [];
  const moved = orders.filter(({ effective_state: effective }) => effective === 'moved');
  const counts: Counts = {
    all: orders.length,
    moved: moved.length,
    failed: orders.filter(({ effective_state: effective }) => effective === 'failed').length,
    refunded: moved.filter(({ refund_fen: fen }) => fen > 0n).length,
    refundedWhole: moved.filter(isRefundedWhole).length,
  };
  if (demand.holds(counts)) return [];
  const { all, failed } = counts;
  const open = all - counts.moved - failed;
  const tally = `${counts.moved} moved, ${failed} failed, ${open} open, ${counts.refunded} refunded`;
  return [`the batch says ${state}, but ${demand.sentence} (of ${all}: ${tally})`];
}

/** A refund may give back the amount or what was credited (U36). */
function isRefundedWhole({ amount_fen: amount, real_fen: real, refund_fen: refund }: TransferRow): boolean {
  const whole = [amount, real].filter((fen) => fen !== null);
  return refund > 0n && whole.some((fen) => refund >= fen);
}

function amongPayers({ payers }: BatchSeen): string[] {
  const different = [...new Set(payers)];
  return different.length > 1 ? [`its orders name ${different.length} payers: ${different.join(', ')}`] : [];
}

function againstRegistry({ orders, registered }: BatchSeen): string[] {
  const sentences: string[] = [];
  const found = new Set<TransferRow>();
  const named = registered.filter(({ outOrderNo, orderNo }) => outOrderNo !== '' || orderNo !== '');
  for (const own of named) {
    const order = orders.find((candidate) => isSame(own, candidate));
    if (order !== undefined) found.add(order);
    if (order === undefined && !own.isRefused) {
      sentences.push(`order ${own.outOrderNo || own.orderNo} was registered with it and is not listed`);
    } else if (order !== undefined) {
      sentences.push(...differences(own, order));
    }
  }
  sentences.push(...[...found].flatMap((order) => amongRegistered(order, named)));
  const left = orders.filter((order) => !found.has(order));
  const whole = registered.filter((own) => !named.includes(own));
  sentences.push(...whole.flatMap((own) => differencesOfWhole(own, orders, left)));
  // A registration without numbers of its orders may stand for any of them.
  if (named.length === 0 || named.length < registered.length) return sentences;
  return [
    ...sentences,
    ...left.map((order) => `order ${order.out_order_no} is listed and was not registered with it`),
  ];
}

function isSame({ outOrderNo, orderNo }: RegisteredLine, order: TransferRow): boolean {
  return outOrderNo === '' ? orderNo === order.order_no : outOrderNo === order.out_order_no;
}

/** Of two registrations of one order none is the one that counts. */
function amongRegistered(order: TransferRow, registered: readonly RegisteredLine[]): string[] {
  const own = registered.filter((line) => isSame(line, order));
  const said = {
    amount: own.flatMap(({ amountFen }) => (amountFen === null ? [] : [yuanForPeople(amountFen)])),
    payee: own.flatMap(({ payeeAccountNo }) => payeeAccountNo || []),
    payer: own.flatMap(({ payerAccountNo }) => payerAccountNo || []),
  };
  return Object.entries(said).flatMap(([what, values]) => {
    const different = [...new Set(values)];
    return different.length > 1
      ? [`order ${order.out_order_no}: ${what} ${different.join(' and ')} were both registered`]
      : [];
  });
}

/**
 * A registration without numbers of its orders is of the batch as a whole: its amount is that of all of them, or of those
 * that were not registered by themselves, and each of these has its payer and payee.
 */
function differencesOfWhole(
  own: RegisteredLine,
  orders: readonly TransferRow[],
  left: readonly TransferRow[],
): string[] {
  const parties = left.flatMap((order) => differences({ ...own, amountFen: null }, order));
  const sums = [sumOf(orders), sumOf(left)];
  const [allFen] = sums;
  if (own.amountFen === null || allFen === undefined || sums.includes(own.amountFen)) return parties;
  const registered = yuanForPeople(own.amountFen);
  return [
    `amount ${registered} was registered of the batch, its orders state ${yuanForPeople(allFen)}`,
    ...parties,
  ];
}

/** Undefined where one of them states no amount. */
function sumOf(orders: readonly TransferRow[]): Fen | undefined {
  return orders.reduce<Fen | undefined>(
    (sum, { amount_fen: fen }) => (sum === undefined || fen === null ? undefined : sum + fen),
    0n,
  );
}

function differences(own: RegisteredLine, order: TransferRow): string[] {
  const sentences: string[] = [];
  const say = (what: string, registered: string, stated: string): void => {
    sentences.push(`order ${order.out_order_no}: ${what} ${registered} was registered, ${stated} is stated`);
  };
  if (own.amountFen !== null && order.amount_fen !== null && own.amountFen !== order.amount_fen) {
    say('amount', yuanForPeople(own.amountFen), yuanForPeople(order.amount_fen));
  }
  if (
    own.payeeAccountNo !== '' &&
    order.payee_account_no !== '' &&
    own.payeeAccountNo !== order.payee_account_no
  ) {
    say('payee', own.payeeAccountNo, order.payee_account_no);
  }
  if (own.payerAccountNo !== '' && own.payerAccountNo !== order.account_no) {
    say('payer', own.payerAccountNo, order.account_no);
  }
  return sentences;
}
