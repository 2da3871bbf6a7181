/**
 * A second opinion: reconciles a small world on plain arrays, from the words of docs/reconciliation.md and without
 * a line of SQL, to say what the job must find.
 */

export interface TrueDeposit {
  account: string;
  orderNo: string;
  /** Service time, `yyyy-MM-dd HH:mm:ss`, which sorts as it is. */
  at: string;
  amountFen: bigint;
  feeFen: bigint;
  feeType: 'ORDER' | 'ACCOUNT';
  payer: string;
}

export interface BookedEntry {
  id: string;
  account: string;
  kind: 'deposit' | 'fee';
  fen: bigint;
  at: string;
  /** Empty: none was given. */
  reference: string;
  payer: string;
  status: 'posted' | 'pending';
}

export interface TrueWorld {
  accounts: readonly { no: string; openingFen: bigint; bookedOpeningFen: bigint; interestFen: bigint }[];
  deposits: readonly TrueDeposit[];
  entries: readonly BookedEntry[];
}

export interface Span {
  /** The run's first instant, and the first after it. */
  from: string;
  cut: string;
}

export interface Expected {
  /** `class account reference difference`, sorted. */
  findings: string[];
  accounts: { accountNo: string; platformFen: bigint; ledgerFen: bigint; lineFen: bigint }[];
}

interface Item {
  class: string;
  account: string;
  reference: string;
  fen: bigint;
  isLine: boolean;
}

/** A deposit raises its account by what is left of it: the payee bears both kinds of fee (U35). */
const netOf = (deposit: TrueDeposit): bigint => deposit.amountFen - deposit.feeFen;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, fen) => total + fen, 0n);
const fenOf = (entries: readonly BookedEntry[]): bigint => sum(entries.map(({ fen }) => fen));

/** @param earlier the night before, which already could not explain the interest */
export function reconcile(world: TrueWorld, span: Span, earlier?: Span): Expected {
  const named = byReference(world);
  const alike = pairAlike(named.loose);
  const items = [
    ...named.pairs.flatMap((pair) => differenceOf(pair, span)),
    ...alike.pairs.flatMap((pair) => differenceOf(pair, span)),
    ...leftDeposits(alike.deposits, alike.entries, span),
    ...leftEntries(alike.entries, alike.deposits, span),
    ...ofTheBalance(world, { span, earlier, left: alike }),
  ];
  return {
    findings: items.map((item) => `${item.class} ${item.account} ${item.reference} ${item.fen}`).toSorted(),
    accounts: world.accounts.map(({ no, openingFen, bookedOpeningFen, interestFen }) => ({
      accountNo: no,
      platformFen:
        openingFen +
        interestFen +
        sum(world.deposits.filter(({ account, at }) => account === no && at < span.cut).map(netOf)),
      ledgerFen:
        bookedOpeningFen +
        fenOf(world.entries.filter((entry) => entry.account === no && counts(entry, span))),
      lineFen: sum(items.filter(({ account, isLine }) => account === no && isLine).map(({ fen }) => fen)),
    })),
  };
}

const counts = ({ status, at }: BookedEntry, { cut }: Span): boolean => status === 'posted' && at < cut;

interface Loose {
  deposits: TrueDeposit[];
  entries: BookedEntry[];
}

interface Pair {
  deposit: TrueDeposit;
  entries: readonly BookedEntry[];
}

/** Entries that name a deposit of their own account belong to it, however many they are. */
function byReference({ deposits, entries }: TrueWorld): { pairs: Pair[]; loose: Loose } {
  const pairs: Pair[] = [];
  const loose: Loose = { deposits: [], entries: [] };
  const names = (entry: BookedEntry, deposit: TrueDeposit): boolean =>
    entry.account === deposit.account && entry.reference === deposit.orderNo;
  for (const deposit of deposits) {
    const own = entries.filter((entry) => names(entry, deposit));
    if (own.length > 0) pairs.push({ deposit, entries: own });
    else loose.deposits.push(deposit);
  }
  loose.entries = entries.filter((entry) => !deposits.some((deposit) => names(entry, deposit)));
  return { pairs, loose };
}

/**
 * Without a reference: one to one by account, amount and payer within a day. The worlds have either a payer for
 * each deposit, or several deposits alike on one day, so that the first free one is as good as any.
 */
function pairAlike({ deposits, entries }: Loose): Loose & { pairs: Pair[] } {
  const pairs: Pair[] = [];
  const left = [...entries];
  const leftDeposits = deposits.filter((deposit) => {
    const at = left.findIndex(
      (entry) =>
        entry.reference === '' &&
        entry.kind === 'deposit' &&
        entry.account === deposit.account &&
        entry.payer === deposit.payer &&
        entry.fen === netOf(deposit) &&
        daysApart(entry.at, deposit.at) <= 1,
    );
    if (at < 0) return true;
    pairs.push({ deposit, entries: left.splice(at, 1) });
    return false;
  });
  return { pairs, deposits: leftDeposits, entries: left };
}

function daysApart(a: string, b: string): number {
  const dayOf = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000;
  return Math.abs(dayOf(a) - dayOf(b));
}

/** What belongs together has the same amount on both sides of the cut, or the difference has a name. */
function differenceOf({ deposit, entries }: Pair, span: Span): Item[] {
  const isIn = deposit.at < span.cut;
  const fen = (isIn ? netOf(deposit) : 0n) - fenOf(entries.filter((entry) => counts(entry, span)));
  if (fen === 0n) return [];
  const { account, orderNo: reference } = deposit;
  return [{ class: nameOf(deposit, entries, span), account, reference, fen, isLine: true }];
}

function nameOf(deposit: TrueDeposit, entries: readonly BookedEntry[], { cut }: Span): string {
  const posted = entries.filter(({ status }) => status === 'posted');
  if (posted.length === 0) return 'pending';
  if (deposit.at >= cut || entries.some(({ at }) => at >= cut)) return 'late';
  const principals = posted.filter(({ kind }) => kind === 'deposit').map(({ fen }) => fen);
  const right = [netOf(deposit), deposit.amountFen];
  const isRight = (fen: bigint | undefined): boolean => fen !== undefined && right.includes(fen);
  if (principals.length > 1 && new Set(principals).size === 1 && isRight(principals[0])) return 'duplicate';
  return isRight(sum(principals)) ? 'fee' : 'amount';
}

function leftDeposits(deposits: readonly TrueDeposit[], entries: readonly BookedEntry[], span: Span): Item[] {
  return deposits
    .filter(({ at }) => at < span.cut)
    .map((deposit) => ({
      class: entries.some(({ reference }) => reference === deposit.orderNo) ? 'account' : 'platform_only',
      account: deposit.account,
      reference: deposit.orderNo,
      fen: netOf(deposit),
      isLine: true,
    }));
}

/** Entries of one reference are one finding. */
function leftEntries(entries: readonly BookedEntry[], deposits: readonly TrueDeposit[], span: Span): Item[] {
  const groups = Map.groupBy(
    entries.filter((entry) => counts(entry, span)),
    ({ account, reference, id }) => `${account} ${reference === '' ? id : reference}`,
  );
  return [...groups].map(([key, group]) => {
    const [account = '', reference = ''] = key.split(' ');
    const isElsewhere = group.some(
      (entry) => entry.reference !== '' && deposits.some(({ orderNo }) => orderNo === entry.reference),
    );
    return {
      class: isElsewhere ? 'account' : 'ledger_only',
      account,
      reference,
      fen: -fenOf(group),
      isLine: true,
    };
  });
}

/** Differences of the balance itself, and a listing that is empty where something must have come (U24). */
function ofTheBalance(
  world: TrueWorld,
  { span, earlier, left }: { span: Span; earlier: Span | undefined; left: Loose },
): Item[] {
  return world.accounts.flatMap(({ no, openingFen, bookedOpeningFen, interestFen }) => {
    const item = (name: string, fen: bigint): Item => ({
      class: name,
      account: no,
      reference: no,
      fen,
      isLine: false,
    });
    const isSuspect = (of: Span, hasRisen: boolean): boolean => {
      const inside = ({ account, at }: { account: string; at: string }): boolean =>
        account === no && at >= of.from && at < of.cut;
      const lacks = left.entries.some(
        (entry) =>
          inside(entry) &&
          entry.kind === 'deposit' &&
          entry.status === 'posted' &&
          !left.deposits.some(({ orderNo }) => orderNo === entry.reference),
      );
      return !world.deposits.some(inside) && (lacks || hasRisen);
    };
    const interestCame = interestFen > 0n;
    return [
      ...(openingFen === bookedOpeningFen ? [] : [item('opening', openingFen - bookedOpeningFen)]),
      ...(interestFen === 0n ? [] : [item('unexplained', interestFen)]),
      ...(isSuspect(span, interestCame && earlier === undefined) ? [item('empty_suspect', 0n)] : []),
      ...(earlier !== undefined && isSuspect(earlier, interestCame) ? [item('empty_suspect', 0n)] : []),
    ];
  });
}
