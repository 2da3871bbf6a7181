/**
 * The figures of a proof with every order on its side of the cut and of the balance, and what they leave unexplained,
 * day by day: a proof that spans several days is split at every stored balance between them, so that what arose on
 * one day is never set off against another (docs/reconciliation.md 3.8). A balance that no placement of the orders
 * explains holds an error for certain: it is split at what leaves least, and that is said.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import type { Day, Instant } from '../../core/time.ts';
import { toldInRun } from '../../store/runs/chain.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { AccountTiming } from '../timing/account-timing.ts';
import { apartFromFailing } from '../balance/apart-from-failing.ts';
import { assignTiming } from '../timing/assign-timing.ts';
import { confirmedClosings } from '../balance/closings.ts';
import type { Previous } from '../balance/closings.ts';
import { timingVerdictCaps } from '../rules/frozen-is-in-flight.ts';
import { gatherFigures } from '../balance/gather.ts';
import type { Gathered } from '../balance/gather.ts';
import type { ProofRequest } from '../balance/proof-request.ts';
import { keepsFromProof, numbersOf } from '../balance/prove-account.ts';
import type { AccountFigures, VerdictCap } from '../balance/prove-account.ts';
import type { UnexplainedPart } from '../balance/unexplained-parts.ts';

export interface InTime {
  gathered: Gathered[];
  timings: ReadonlyMap<string, AccountTiming>;
  /** By account, oldest day first, no amount 0. */
  unexplained: ReadonlyMap<string, UnexplainedPart[]>;
  /** Days before the last, by account, at whose balance the proof is split, and known which orders lie in it. */
  splitDays: ReadonlyMap<string, Day[]>;
  /** Accounts of which no assumption decides what is unexplained, or none that a later balance does not confirm. */
  certain: ReadonlySet<string>;
}

export async function gatherInTime(trx: Transaction<Tables>, request: ProofRequest): Promise<InTime> {
  const usual = await gatherFigures(trx, request);
  const between = await walkBetween(trx, request, usual);
  const placed = await placeOrders(trx, request, {
    usual: between.size === 0 ? usual : await gatherFigures(trx, request),
    between,
  });
  const unexplained = new Map<string, UnexplainedPart[]>();
  for (const { figures } of placed.gathered) {
    const last = partTo(request.toDay, figures, { timings: placed.timings, between });
    const parts = [...(between.get(figures.accountNo)?.parts ?? []), ...(last === undefined ? [] : [last])];
    unexplained.set(
      figures.accountNo,
      parts.filter(({ fen }) => fen !== 0n),
    );
  }
  return {
    ...placed,
    timings: withAssumedBetween(placed.timings, between),
    certain: await findCertain(trx, request, placed),
    unexplained,
    splitDays: new Map([...between].map(([accountNo, { decidedDays }]) => [accountNo, decidedDays])),
  };
}

/** An amount held is in no movement: where it had been debited, no other balance tells. */
async function findCertain(
  trx: Transaction<Tables>,
  { span }: ProofRequest,
  { gathered, timings }: Pick<InTime, 'gathered' | 'timings'>,
): Promise<Set<string>> {
  const certain = new Set<string>();
  const doubted: Parameters<typeof confirmedClosings>[1][number][] = [];
  for (const { figures } of gathered) {
    const { accountNo, closing } = figures;
    const timing = timings.get(accountNo);
    if (timing?.isBalanceDecided !== true || timing.isOpeningAssumed || closing === undefined) continue;
    const { certainFrom, model } = timing;
    if (certainFrom === undefined) certain.add(accountNo);
    else if (model !== 'debited') doubted.push({ accountNo, closing, certainFrom });
  }
  return new Set([...certain, ...(await confirmedClosings(trx, doubted, span.cut))]);
}

/** What was assumed at a balance on the way is assumed by the proof that spans it. */
function withAssumedBetween(
  timings: ReadonlyMap<string, AccountTiming>,
  between: Betweens,
): Map<string, AccountTiming> {
  return new Map(
    [...timings].map(([accountNo, timing]) => {
      const assumed = new Set([...(between.get(accountNo)?.assumed ?? []), ...timing.assumed]);
      return [accountNo, { ...timing, assumed: [...assumed].toSorted() }];
    }),
  );
}

/**
 * Accounts on which something is unexplained: worth asking their batches again, because a refund can come at any time.
 * Of one whose figures fail the proof tells.
 */
export async function findUnexplained(trx: Transaction<Tables>, request: ProofRequest): Promise<string[]> {
  const { outcome } = await apartFromFailing(trx, request.accounts, (accounts) =>
    gatherInTime(trx, { ...request, accounts }),
  );
  return [...outcome.unexplained].filter(([, parts]) => parts.length > 0).map(([accountNo]) => accountNo);
}

export function verdictCapsInTime(
  timings: ReadonlyMap<string, AccountTiming>,
  accountNo: string,
): VerdictCap[] {
  const inTime = timings.get(accountNo);
  return inTime === undefined ? [] : timingVerdictCaps(inTime);
}

/** How far an account's span is proven by balances that were stored on its way. */
interface Between {
  last: Previous;
  parts: UnexplainedPart[];
  decidedDays: Day[];
  /** Orders whose side of such a balance was assumed. */
  assumed: string[];
}

type Betweens = ReadonlyMap<string, Between>;

/** Each day of the spans at whose end a balance of its own is stored is proven as its night would have been. */
async function walkBetween(
  trx: Transaction<Tables>,
  request: ProofRequest,
  usual: readonly Gathered[],
): Promise<Betweens> {
  const between = new Map<string, Between>();
  for (const [day, names] of await daysBetween(trx, request, usual)) {
    const of = requestOf(request, day, names);
    const { gathered, timings } = await placeOrders(trx, of, {
      usual: await gatherFigures(trx, of),
      between,
      isBetween: true,
    });
    for (const { figures, verdictCaps } of gathered) {
      const { accountNo } = figures;
      if ([...verdictCaps, ...verdictCapsInTime(timings, accountNo)].some(keepsFromProof)) continue;
      const part = partTo(day, figures, { timings, between });
      const { platformFen: fen } = numbersOf(figures, timings.get(accountNo));
      if (part === undefined || fen === undefined) continue;
      const { model, assumed = [], isBalanceDecided = false } = timings.get(accountNo) ?? {};
      const before = between.get(accountNo) ?? { parts: [], decidedDays: [], assumed: [] };
      between.set(accountNo, {
        last: { runId: '', at: of.span.cut, fen, model },
        parts: [...before.parts, part],
        decidedDays: [...before.decidedDays, ...(isBalanceDecided ? [day] : [])],
        assumed: [...before.assumed, ...assumed],
      });
    }
  }
  return between;
}

/** Days strictly within the spans of accounts that can be proven, each with the accounts that have a balance for its end. */
async function daysBetween(
  trx: Transaction<Tables>,
  { zone, span }: ProofRequest,
  usual: readonly Gathered[],
): Promise<Map<Day, Set<string>>> {
  const wide = usual.flatMap(({ figures, verdictCaps }): { accountNo: string; from: Instant }[] => {
    const openingAt = openingOf(figures)?.at;
    if (openingAt === undefined || verdictCaps.some(keepsFromProof)) return [];
    const from = zone.dayStart(addDays(zone.dayOf(openingAt), 1));
    return from < span.cut ? [{ accountNo: figures.accountNo, from }] : [];
  });
  const days = new Map<Day, Set<string>>();
  if (wide.length === 0) return days;
  const { rows } = await sql<{ account_no: string; day: Day }>`
    select distinct s.account_no, to_char(s.taken_at at time zone ${zone.name}, 'YYYY-MM-DD') as day
    from unnest(${wide.map(({ accountNo }) => accountNo)}::text[], ${wide.map(({ from }) => from)}::timestamptz[])
      w (account_no, from_at)
    join balance_snapshot s on s.account_no = w.account_no and s.state = 'stable'
      and s.taken_at >= w.from_at and s.taken_at < ${span.cut}
    order by day, account_no`.execute(trx);
  for (const { account_no: accountNo, day: taken } of rows) {
    const day = addDays(taken, -1);
    days.set(day, (days.get(day) ?? new Set()).add(accountNo));
  }
  return days;
}

function requestOf(request: ProofRequest, day: Day, names: ReadonlySet<string>): ProofRequest {
  const { zone } = request;
  const span = { fromDay: day, toDay: day, from: zone.dayStart(day), cut: zone.dayStart(addDays(day, 1)) };
  const accounts = request.accounts.filter(({ accountNo }) => names.has(accountNo));
  return { ...request, fromDay: day, toDay: day, span, accounts };
}

/** Puts the orders where the balances say, each account's from the last balance on its way. */
async function placeOrders(
  trx: Transaction<Tables>,
  request: ProofRequest,
  { usual, between, isBetween = false }: { usual: Gathered[]; between: Betweens; isBetween?: boolean },
): Promise<Pick<InTime, 'gathered' | 'timings'>> {
  const { span, rules } = request;
  const told = await toldInRun(trx, request.runId);
  const bases = usual.map(({ figures }) => {
    const { parts = [], last = figures.previous } = between.get(figures.accountNo) ?? {};
    const { unexplainedFen } = numbersOf(figures);
    return {
      figures: { ...figures, previous: last },
      unexplainedFen: unexplainedFen === undefined ? undefined : unexplainedFen - sumOf(parts),
      toldFen: toldOf(told.get(figures.accountNo), { toDay: request.toDay, parts, isBetween }),
    };
  });
  const { agingDays, inflightModel: model, posting } = rules;
  const { byAccount, moved } = await assignTiming(trx, { span, model, posting, agingDays, isBetween }, bases);
  return { gathered: moved ? await gatherFigures(trx, request) : usual, timings: byAccount };
}

/**
 * What is told of the part that ends with this day: all that is told up to it, less the parts before. Nothing is where no
 * amount is told at a balance on the way: one that was only assumed to arise there may be told on a later day.
 */
function toldOf(
  amounts: ReadonlyMap<Day, Fen> | undefined,
  { toDay, parts, isBetween }: { toDay: Day; parts: readonly UnexplainedPart[]; isBetween: boolean },
): Fen | undefined {
  if (amounts === undefined || (isBetween && !amounts.has(toDay))) return undefined;
  const upToDay = [...amounts].filter(([day]) => day <= toDay);
  return upToDay.reduce((sum, [, fen]) => sum + fen, -sumOf(parts));
}

/** What is unexplained since the last balance on the way; undefined where that is not known. */
function partTo(
  toDay: Day,
  figures: AccountFigures,
  { timings, between }: { timings: ReadonlyMap<string, AccountTiming>; between: Betweens },
): UnexplainedPart | undefined {
  const { unexplainedFen } = numbersOf(figures, timings.get(figures.accountNo));
  const { parts = [], last } = between.get(figures.accountNo) ?? {};
  const since = last?.at ?? openingOf(figures)?.at;
  if (unexplainedFen === undefined || since === undefined) return undefined;
  const mayBe = timings.get(figures.accountNo)?.mayLeave ?? [];
  return { toDay, since, until: figures.closing?.snapshotAt, fen: unexplainedFen - sumOf(parts), mayBe };
}

function openingOf({ previous, baseline }: AccountFigures): { at: Instant } | undefined {
  return previous ?? baseline;
}

function sumOf(parts: readonly UnexplainedPart[]): Fen {
  return parts.reduce((sum, { fen }) => sum + fen, 0n);
}
