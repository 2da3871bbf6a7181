/** Plays a world: the sandbox over HTTP is filled with it, and the job proves its nights one after the other. */
import { addDays } from '../../src/core/time.ts';
import type { TestDatabase } from '../helpers/database.ts';
import type { AccountLine } from '../helpers/company/company-files.ts';
import { Night } from '../helpers/night.ts';
import { emptyTables } from '../helpers/dump.ts';
import { STRANGER } from './draw-trade.ts';
import { accountsOf } from './item.ts';
import type { Item, RegisteredOrder, Statement, World, WorldAccount } from './item.ts';
import { Oracle } from './oracle.ts';
import { openingOf, seededFen } from './truth.ts';

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
    await open(world, night, first);
    const oracle = new Oracle(world);
    const stage = new Stage(world, night);
    for (const day of world.days) {
      const next = addDays(day, 1);
      if (world.snapshotAfter.has(day)) {
        await stage.until(`${next} 00:00:05`);
        await night.snapshot();
      }
      const now = `${next} 02:00:00`;
      await stage.until(now);
      if (world.misled.has(day)) night.sandbox.addFault(ANOTHER_ACCOUNT);
      const { result } = await night.night(day);
      night.sandbox.liftFaults();
      const complaints = oracle.complaints(result, { day, cut: `${next} 00:00:00`, now });
      if (complaints.length > 0) return complaints;
    }
    return [];
  } finally {
    await night.close();
  }
}

async function open(world: World, night: Night, first: string): Promise<void> {
  const { sandbox } = night;
  const at = `${first} 00:00:00`;
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
  const listed = accounts.filter(({ isListed }) => isListed);
  await night.listAccounts(
    ...listed.map((account) =>
      lineOf(account, account.opening === 'stated' ? { fen: account.fen, at } : undefined),
    ),
  );
  for (const item of world.items) {
    night.deposits(...item.deposits);
    sandbox.seedMovements(item.movements);
    sandbox.seedTransfers(item.transfers);
    sandbox.seedWithdrawals(item.withdrawals);
  }
  const openings = listed.filter(({ bookedFen }) => bookedFen !== undefined);
  if (openings.length === 0) return;
  await night.entries(
    openings.map(({ no, bookedFen }) => ({
      id: `opening-${no}`,
      account: no,
      kind: 'opening',
      fen: bookedFen ?? 0n,
      at,
    })),
  );
}

function lineOf({ no, autoSettle, activeTo }: WorldAccount, opening: AccountLine['opening']): AccountLine {
  return { no, autoSettle, ...(activeTo !== undefined && { activeTo }), ...(opening && { opening }) };
}

/** What the company hands in as time goes on. */
class Stage {
  readonly #world: World;
  readonly #night: Night;
  #orders: RegisteredOrder[];
  #entries: Item['entries'];
  #statements: Statement[];

  constructor(world: World, night: Night) {
    this.#world = world;
    this.#night = night;
    this.#statements = world.items.flatMap(({ statements }) => statements);
    this.#orders = world.items.flatMap(({ orders }) => orders);
    this.#entries = world.items.flatMap(({ entries }) => entries);
  }

  /** One file for each version of an entry: the same file has no entry twice. */
  async until(now: string): Promise<void> {
    this.#night.moveTo(now);
    for (const statement of this.#statements.filter((one) => stagedAt(one) < now))
      await this.#state(statement);
    this.#statements = this.#statements.filter((one) => stagedAt(one) >= now);
    const isKnown = ({ handedInAt, submittedAt }: RegisteredOrder) => (handedInAt ?? submittedAt) < now;
    const orders = this.#orders.filter((order) => isKnown(order));
    this.#orders = this.#orders.filter((order) => !isKnown(order));
    if (orders.length > 0) await this.#night.orders(...orders);
    let entries = this.#entries.filter(({ at }) => at < now);
    this.#entries = this.#entries.filter(({ at }) => at >= now);
    while (entries.length > 0) {
      const file = entries.filter(({ id }, place) => entries.findIndex((one) => one.id === id) === place);
      await this.#night.entries(file);
      entries = entries.filter((entry) => !file.includes(entry));
    }
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
