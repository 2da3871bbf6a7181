/** Plays a world: the sandbox over HTTP is filled with it, and the job proves its nights one after the other. */
import type { WholeResult } from '../../jobs/night/publish/result.ts';
import { addDays } from '../../src/core/time.ts';
import type { TestDatabase } from '../helpers/database.ts';
import type { AccountLine, BookLine } from '../helpers/company/company-files.ts';
import { Night } from '../helpers/night.ts';
import { emptyTables } from '../helpers/dump.ts';
import { Stream } from '../simulate/world/random.ts';
import { STRANGER, later } from './draw-trade.ts';
import { accountsOf, handedInAt } from './item.ts';
import type { BookedLine, RegisteredOrder, Statement, World, WorldAccount } from './item.ts';
import { Oracle } from './oracle.ts';
import { openingOf, seededFen } from './truth.ts';

const DAY_SECONDS = 86_400;

/** Signed, and not what was asked. */
const ANOTHER_ACCOUNT = {
  kind: 'record',
  path: 'acct/queryInfo',
  set: { accountNo: 'X8', balance: 1 },
  times: null,
} as const;

/** @returns what is wrong with the first night that says something wrong; nothing where all are right */
export async function playWorld(world: World, database: TestDatabase): Promise<string[]> {
  await emptyTables(database.db, 'all');
  const [first = ''] = world.days;
  const night = await Night.open({ now: `${first} 01:00:00`, database });
  try {
    await open(world, night);
    const oracle = new Oracle(world);
    const stage = new Stage(world, night);
    for (const day of world.days) {
      const next = addDays(day, 1);
      if (world.snapshotAfter.has(day)) {
        await stage.until(`${next} 00:00:05`);
        await night.snapshot();
      }
      const now = `${next} 02:00:00`;
      await stage.until(now, { isNumberedAnew: world.numberedAnew.has(day) });
      const look = { day, cut: `${next} 00:00:00`, now };
      const again = await runBefore(world, night, day);
      if (again !== undefined) {
        const complaints = oracle.closedAgain(again, look);
        if (complaints.length > 0) return complaints;
      }
      if (world.misled.has(day)) night.sandbox.addFault(ANOTHER_ACCOUNT);
      const { result } = await night.night(day);
      night.sandbox.liftFaults();
      const complaints = oracle.complaints(result, look);
      if (complaints.length === 0) complaints.push(...(await runOnceMore(world, night, day)));
      if (complaints.length > 0) return complaints;
    }
    return [];
  } finally {
    await night.close();
  }
}

/**
 * Nothing has changed since the night: what it told stays, and nothing else is told; but that a list is empty over
 * several days says a run of these days alone.
 */
async function runOnceMore({ runsAfter }: World, night: Night, day: string): Promise<string[]> {
  const again = runsAfter.get(day);
  if (again === undefined) return [];
  const before = await openBreaks(night);
  night.moveTo(`${addDays(day, 1)} 02:30:00`);
  await (again.job === 'night' ? night.night(again.day) : night.backfill(again.day, day));
  const after = await openBreaks(night);
  const what = `${day}: with the ${again.job} of ${again.day} once more`;
  return [
    ...[...before].filter((one) => !after.has(one)).map((one) => `${what} ${one} is told no more`),
    ...[...after].filter((one) => !before.has(one)).map((one) => `${what} ${one} is told`),
  ];
}

/** With what came since the night before a day that has a night is proven again, or days up to it. */
async function runBefore({ runsBefore }: World, night: Night, day: string): Promise<WholeResult | undefined> {
  const again = runsBefore.get(day);
  if (again === undefined) return undefined;
  const { result } = await (again.job === 'night'
    ? night.night(again.day)
    : night.backfill(again.day, addDays(day, -1)));
  return result;
}

async function openBreaks({ db }: Night): Promise<Set<string>> {
  const rows = await db
    .selectFrom('break')
    .selectAll()
    .where('status', '=', 'open')
    .where('severity', '=', 'break')
    .where('class', '<>', 'empty_suspect')
    .execute();
  return new Set(
    rows.map(
      (one) => `${one.break_id} (${one.account_no} ${one.item_key} ${one.class} ${one.difference_fen})`,
    ),
  );
}

async function open(world: World, night: Night): Promise<void> {
  const { sandbox } = night;
  const [first = ''] = world.days;
  const accounts = accountsOf(world);
  const onPlatform = accounts.filter(({ isOnPlatform }) => isOnPlatform);
  sandbox.seedAccounts([
    { accountNo: STRANGER, balanceFen: 0n },
    ...onPlatform.map((account) => ({
      accountNo: account.no,
      balanceFen: seededFen(world, account),
      autoSettle: account.autoSettle,
    })),
  ]);
  await night.listAccounts(
    ...accounts
      .filter(({ isListed, listedOn }) => isListed && listedOn === undefined)
      .map((account) =>
        lineOf(
          account,
          account.opening === 'stated' ? { fen: account.fen, at: `${first} 00:00:00` } : undefined,
        ),
      ),
  );
  for (const item of world.items) {
    night.deposits(...item.deposits);
    sandbox.seedMovements(item.movements);
    sandbox.seedTransfers(item.transfers);
    sandbox.seedWithdrawals(item.withdrawals);
  }
}

/** With how much the books begin. */
function bookedOpenings(world: World): BookLine[] {
  const at = `${world.days[0] ?? ''} 00:00:00`;
  return accountsOf(world)
    .filter(({ isListed }) => isListed)
    .flatMap(({ no, bookedFen: fen }) =>
      fen === undefined ? [] : [{ id: `opening-${no}`, account: no, kind: 'opening', fen, at }],
    );
}

function lineOf({ no, autoSettle, activeTo }: WorldAccount, opening: AccountLine['opening']): AccountLine {
  return { no, autoSettle, ...(activeTo !== undefined && { activeTo }), ...(opening && { opening }) };
}

/** What the company hands in as time goes on. */
class Stage {
  readonly #world: World;
  readonly #night: Night;
  readonly #random: Stream;
  #orders: RegisteredOrder[];
  #entries: BookedLine[];
  #statements: Statement[];
  /** The newest version of each entry by its own id, and the id that the books give it by now. */
  readonly #booked = new Map<string, BookedLine>();
  readonly #ids = new Map<string, string>();

  constructor(world: World, night: Night) {
    this.#world = world;
    this.#night = night;
    this.#random = new Stream(world.seed, 'stage');
    this.#statements = world.items.flatMap(({ statements }) => statements);
    this.#orders = world.items.flatMap(({ orders }) => orders);
    this.#entries = [...bookedOpenings(world), ...world.items.flatMap(({ entries }) => entries)];
  }

  async until(now: string, { isNumberedAnew = false } = {}): Promise<void> {
    this.#night.moveTo(now);
    for (const statement of this.#statements.filter((one) => stagedAt(one) < now))
      await this.#state(statement);
    this.#statements = this.#statements.filter((one) => stagedAt(one) >= now);
    const isKnown = ({ handedInAt, submittedAt }: RegisteredOrder) => (handedInAt ?? submittedAt) < now;
    const orders = this.#orders.filter((order) => isKnown(order));
    this.#orders = this.#orders.filter((order) => !isKnown(order));
    if (orders.length > 0) await this.#night.orders(...orders);
    const entries = this.#entries.filter((one) => handedInAt(one) < now);
    this.#entries = this.#entries.filter((one) => handedInAt(one) >= now);
    if (isNumberedAnew) this.#numberAnew(later(now, -DAY_SECONDS), entries);
    const isWhole = isNumberedAnew || entries.some(({ isWithdrawn }) => isWithdrawn);
    await (isWhole ? this.#bookWhole(entries) : this.#book(entries));
  }

  /** One file for each version of an entry: the same file has no entry twice. */
  async #book(entries: readonly BookedLine[]): Promise<void> {
    let due = entries;
    while (due.length > 0) {
      const file = due.filter(({ id }, place) => due.findIndex((one) => one.id === id) === place);
      for (const entry of file) this.#booked.set(entry.id, entry);
      await this.#night.entries(file.map((entry) => this.#underItsId(entry)));
      due = due.filter((entry) => !file.includes(entry));
    }
  }

  /** Of what is as the night before knew it some has another id from now on. */
  #numberAnew(since: string, due: readonly BookedLine[]): void {
    for (const [id, entry] of this.#booked)
      if (this.#random.chance(0.7) && handedInAt(entry) < since && !due.some((one) => one.id === id))
        this.#ids.set(id, `${this.#random.one(['a', 'n', 'z'])}${this.#random.whole(1, 999)}-${id}`);
  }

  /** One file with all there is by now. */
  async #bookWhole(entries: readonly BookedLine[]): Promise<void> {
    for (const entry of entries)
      if (entry.isWithdrawn) this.#booked.delete(entry.id);
      else this.#booked.set(entry.id, entry);
    const lines = [...this.#booked.values()].map((entry) => this.#underItsId(entry));
    if (lines.length > 0) await this.#night.entries(lines, { replace: true, days: this.#world.days });
  }

  #underItsId(entry: BookLine): BookLine {
    return { ...entry, id: this.#ids.get(entry.id) ?? entry.id };
  }

  async #state(statement: Statement): Promise<void> {
    const account = accountsOf(this.#world).find(({ no }) => no === statement.account);
    if (account !== undefined)
      await this.#night.listAccounts(lineOf(account, openingOf(this.#world, statement)));
  }
}

function stagedAt({ on }: Statement): string {
  return `${on} 12:00:00`;
}
