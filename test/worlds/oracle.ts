/**
 * The oracle: what is true in a world, from its own movements and plain sums alone, and what a night may therefore
 * say. It knows nothing of how the job reckons.
 */
import type { WholeResult } from '../../jobs/night/publish/result.ts';
import { addDays, daysBetween } from '../../src/core/time.ts';
import { later } from './draw-trade.ts';
import { accountsOf } from './item.ts';
import type { TrueDifference, World, WorldAccount } from './item.ts';
import { balanceFen, booksFen, restatedOpenings, truthOf } from './truth.ts';

/** A night as the oracle sees it: what it is about, and when it looked. */
export interface Look {
  day: string;
  /** The first moment that is no more that day's. */
  cut: string;
  now: string;
}

const GREEN = ['reconciled', 'reconciled_with_timing'];
const SAYS_NOTHING = ['incomplete', 'unverified'];
const DAY_SECONDS = 86_400;

type FoundAccount = WholeResult['accounts'][number];
type FoundBreak = WholeResult['breaks'][number];

export class Oracle {
  readonly #world: World;
  /** By thread: under which id it was told, and since when. */
  readonly #ids = new Map<object, string>();
  readonly #since = new Map<object, string>();

  readonly #differences: readonly TrueDifference[];
  /** Days are proven again with what is known by then. */
  readonly #isRepeated: boolean;

  constructor(world: World) {
    this.#world = world;
    const [from = ''] = world.days;
    // Books that begin with another sum than the platform say so from the first night to the last.
    const openings = accountsOf(world).flatMap(({ no, fen, bookedFen = fen }) =>
      bookedFen === fen
        ? []
        : [{ account: no, reference: no, fen: fen - bookedFen, classes: ['opening'], from }],
    );
    const ofItems = world.items.flatMap(({ differences }) => differences);
    this.#differences = [...openings, ...restatedOpenings(world), ...ofItems];
    this.#isRepeated =
      world.runsAfter.size + world.runsBefore.size > 0 ||
      world.items.some(({ truth }) => truth.some((one) => one.recordedOn));
  }

  /** What is wrong with what a night says; nothing where it is right. */
  complaints(result: WholeResult, look: Look): string[] {
    const listed = accountsOf(this.#world).filter(
      ({ isListed, listedOn = look.day }) => isListed && listedOn <= look.day,
    );
    return [
      ...listed.flatMap((account) => {
        const found = result.accounts.find(({ accountNo }) => accountNo === account.no);
        if (found === undefined)
          return this.#mayHaveLeft(account, look) ? [] : [`${account.no} is missing in the result`];
        return [...this.#sums(account, found, look), ...this.#findings(account, found, look, result)];
      }),
      ...this.#closed(result, look),
    ].map((text) => `${look.day}: ${text}`);
  }

  /** What a run of days that have their nights ends wrongly: something that is told by the night to come. */
  closedAgain(result: WholeResult, look: Look): string[] {
    return this.#closed(result, look).map((text) => `${look.day}: before it, ${text}`);
  }

  /** It has ended, and the night before it held nothing, on either side, and nothing was wrong with it (3.8). */
  #mayHaveLeft(account: WorldAccount, { day }: Look): boolean {
    const before = { day: addDays(day, -1), cut: `${day} 00:00:00`, now: `${day} 02:00:00` };
    return (
      account.activeTo !== undefined &&
      account.activeTo <= before.cut &&
      balanceFen(this.#world, account, before.cut) === 0n &&
      booksFen(this.#world, account, before) === 0n &&
      this.#active(before).every((one) => one.account !== account.no)
    );
  }

  #sums(account: WorldAccount, found: FoundAccount, look: Look): string[] {
    const { platformFen, ledgerFen, openingFen, movementsFen, unexplainedFen } = found;
    if (SAYS_NOTHING.includes(found.verdict)) return [];
    const wrong: string[] = [];
    const { no } = account;
    if (platformFen === null || unexplainedFen === null)
      return [`${no} is ${found.verdict} without a balance`];
    if ((openingFen ?? 0n) + movementsFen + unexplainedFen !== platformFen)
      wrong.push(`${no}: ${openingFen} + ${movementsFen} + ${unexplainedFen} is not ${platformFen}`);
    const parts = (found.openingDifferenceFen ?? 0n) + found.lineDifferenceFen + unexplainedFen;
    if (found.differenceFen !== parts || found.differenceFen !== platformFen - (ledgerFen ?? 0n))
      wrong.push(`${no}: its difference ${found.differenceFen} is not the sum of its parts ${parts}`);
    const bookedFen = booksFen(this.#world, account, look);
    if (ledgerFen !== bookedFen) wrong.push(`${no}: the books say ${bookedFen}, told is ${ledgerFen}`);
    const holdsFen = balanceFen(this.#world, account, look.cut);
    const open = found.source === 'observed' ? [] : this.#undated(account, look);
    if (!subsetSums(open).has(platformFen - holdsFen))
      wrong.push(`${no}: held ${holdsFen} at the cut (undated ${open.join(', ')}), told is ${platformFen}`);
    return wrong;
  }

  /** Movements after the cut of which a balance read later cannot tell on which side of it they were. */
  #undated(account: WorldAccount, { cut, now }: Look): bigint[] {
    return truthOf(this.#world, account)
      .filter(({ at, notBefore }) => at >= cut && at < now && notBefore !== undefined && notBefore < cut)
      .map(({ fen }) => fen);
  }

  #findings(account: WorldAccount, found: FoundAccount, look: Look, result: WholeResult): string[] {
    const { no } = account;
    const wrong: string[] = [];
    const active = this.#active(look).filter((one) => one.account === no);
    if (active.length > 0 && GREEN.includes(found.verdict))
      wrong.push(`${no} is ${found.verdict} although ${active.map(told).join(' and ')}`);
    if (!account.isOnPlatform)
      return found.verdict === 'incomplete'
        ? wrong
        : [...wrong, `${no} cannot be read, yet ${found.verdict}`];
    if (SAYS_NOTHING.includes(found.verdict)) {
      const isFirst = account.opening === 'observed' && look.day === this.#world.days[0];
      const isKnown = this.#isUndecided(active, found, look);
      return isFirst || this.#world.misled.has(look.day) || isKnown
        ? wrong
        : [...wrong, `${no} is ${found.verdict}: ${found.reason}`];
    }
    const breaks = result.breaks.filter((one) => one.accountNo === no && one.severity === 'break');
    const unnamed = this.#name(active, breaks, wrong, look);
    const left = breaks.filter(({ differenceFen, id }) => differenceFen !== 0n && !unnamed.used.has(id));
    wrong.push(...unnamed.missing.map((one) => `not told: ${told(one)}`));
    wrong.push(...left.map((one) => `told, and not so: ${textOf(one)}`));
    if (active.length === 0 && !GREEN.includes(found.verdict))
      wrong.push(`${no} is ${found.verdict} although nothing is wrong: ${breaks.map(textOf).join(', ')}`);
    return wrong;
  }

  /**
   * Beside an order that came since the night before, a difference of the balance that no night has told yet may wait
   * for the next one.
   */
  #isUndecided(active: readonly TrueDifference[], found: FoundAccount, { now }: Look): boolean {
    const before = later(now, -DAY_SECONDS);
    const isUntold = active.some(
      (one) => one.classes.includes('unexplained') && !this.#ids.has(threadOf(one)),
    );
    return (
      isUntold &&
      found.reason.startsWith('no assignment of orders') &&
      this.#world.items
        .flatMap((item) => item.truth)
        .some(
          ({ account, at, notBefore }) =>
            account === found.accountNo && notBefore !== undefined && at >= before && at < now,
        )
    );
  }

  /** Finds the break that tells each difference; it keeps its id from night to night. */
  #name(active: readonly TrueDifference[], breaks: readonly FoundBreak[], wrong: string[], { day }: Look) {
    const used = new Set<string>();
    const missing: TrueDifference[] = [];
    for (const difference of active) {
      const fitting = breaks.filter((found) => !used.has(found.id) && tells(found, difference));
      const thread = threadOf(difference);
      const known = this.#ids.get(thread);
      const found = fitting.find(({ id }) => id === known) ?? fitting[0];
      if (found === undefined) {
        missing.push(difference);
        continue;
      }
      used.add(found.id);
      if (known !== undefined && known !== found.id)
        wrong.push(`${told(difference)} was break ${known} and is ${found.id} now`);
      this.#ids.set(thread, found.id);
      wrong.push(...this.#aged(difference, found, day));
    }
    return { used, missing };
  }

  /** Told since the night that told it first, or since a day before that, of which it came to be known later. */
  #aged(difference: TrueDifference, { id, firstSeen, ageDays }: FoundBreak, day: string): string[] {
    const thread = threadOf(difference);
    const latest = this.#since.get(thread) ?? day;
    this.#since.set(thread, firstSeen);
    const wrong = firstSeen > latest ? [`since ${firstSeen} and not since ${latest}`] : [];
    if (ageDays !== daysBetween({ from: firstSeen, to: day })) wrong.push(`for ${ageDays} days`);
    if (firstSeen < latest && !this.#isRepeated) wrong.push(`since ${firstSeen} and not since ${latest}`);
    return wrong.map((how) => `break ${id} of ${told(difference)} is told ${how}`);
  }

  #active({ day }: Look): TrueDifference[] {
    return this.#differences.filter(({ from, until }) => from <= day && (until === undefined || day < until));
  }

  #closed(result: WholeResult, look: Look): string[] {
    const active = new Map(this.#active(look).map((one) => [threadOf(one), one]));
    const open = [...this.#ids].flatMap(([thread, id]) => {
      const difference = active.get(thread);
      return difference === undefined ? [] : [[difference, id] as const];
    });
    return result.closed.flatMap(({ id, clearedBy }) => [
      ...(clearedBy === '' ? [`break ${id} closed, and nothing cleared it`] : []),
      ...open.filter(([, own]) => own === id).map(([one]) => `break ${id} closed although ${told(one)}`),
    ]);
  }
}

function threadOf(difference: TrueDifference): object {
  return difference.thread ?? difference;
}

function tells(found: FoundBreak, difference: TrueDifference): boolean {
  const { classes, fen, reference } = difference;
  return (
    classes.includes(found.class) &&
    (fen === undefined || found.differenceFen === fen) &&
    (reference === undefined || found.reference === reference)
  );
}

function subsetSums(parts: readonly bigint[]): Set<bigint> {
  let sums = [0n];
  for (const part of parts) sums = [...sums, ...sums.map((known) => known + part)];
  return new Set(sums);
}

function told({ account, classes, reference, fen }: TrueDifference): string {
  return `${account} has ${classes.join(' or ')} ${reference ?? ''} of ${fen ?? 'any amount'}`;
}

function textOf({ accountNo, class: name, reference, differenceFen }: FoundBreak): string {
  return `${accountNo} ${name} ${reference} ${differenceFen}`;
}
