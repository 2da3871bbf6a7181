/** What is true in a world, by plain sums of its own movements and entries. */
import type { Look } from './oracle.ts';
import { accountsOf, handedInAt } from './item.ts';
import type { Statement, TrueDifference, TrueMovement, World, WorldAccount } from './item.ts';

/** What the account truly holds. */
export function balanceFen(world: World, account: WorldAccount, before: string): bigint {
  return sum(
    truthOf(world, account).filter(({ at }) => at < before),
    account.fen,
  );
}

/** What its books say: the posted entries that are handed in by then. What is booked before they begin does not count. */
export function booksFen(world: World, account: WorldAccount, { cut, now }: Look): bigint {
  const entries = world.items.flatMap((item) => item.entries);
  const versions = new Map(entries.filter((one) => handedInAt(one) < now).map((entry) => [entry.id, entry]));
  const { listedOn: first = world.days[0] ?? '' } = account;
  const counting = [...versions.values()].filter(
    ({ account: no, at, status, isWithdrawn }) =>
      no === account.no && at >= first && at < cut && status !== 'pending' && isWithdrawn === undefined,
  );
  return sum(counting, account.bookedFen ?? recordedFen(world, account, first));
}

/** What the platform held before all that is told of the world. */
export function seededFen(world: World, account: WorldAccount): bigint {
  const before = world.items.flatMap((item) => item.before).filter((one) => one.account === account.no);
  return account.fen - sum(before, 0n);
}

export function truthOf(world: World, { no }: WorldAccount): TrueMovement[] {
  return world.items.flatMap((item) => item.truth).filter(({ account }) => account === no);
}

/** The opening that a statement puts in a file; undefined: none. */
export function openingOf(
  world: World,
  { account, opening }: Statement,
): { at: string; fen: bigint } | undefined {
  if (opening === undefined) return undefined;
  return {
    at: opening.at,
    fen: recordedFen(world, requireAccount(world, account), opening.at) + opening.moreFen,
  };
}

/** What records alone say that the account held then; before the world begins, what it received by its day had not come. */
function recordedFen(world: World, account: WorldAccount, at: string): bigint {
  const [first = ''] = world.days;
  const recorded = truthOf(world, account).filter((one) => one.recordedOn === undefined && one.at < at);
  return sum(recorded, at < first ? seededFen(world, account) : account.fen);
}

/** Openings that are stated otherwise than they were when they were used, as long as they are. */
export function restatedOpenings(world: World): TrueDifference[] {
  const all = world.items.flatMap(({ statements }) => statements);
  return all.flatMap((statement) => {
    const { account, on, opening } = statement;
    const until = all.find((other) => other.account === account && other.on > on)?.on;
    const used = requireAccount(world, account);
    const fen =
      opening === undefined ? used.fen : isDated(world, used, opening.at) ? -opening.moreFen : undefined;
    if (fen === 0n) return [];
    const classes = ['period_changed'];
    return [{ account, reference: account, fen, classes, from: on, ...(until !== undefined && { until }) }];
  });
}

/** Whether every movement is known to lie on one side of that instant, by a record that is there in time. */
function isDated(world: World, account: WorldAccount, instant: string): boolean {
  return truthOf(world, account).every(
    ({ at, notBefore = at, recordedOn = '' }) => notBefore >= instant || (at < instant && recordedOn === ''),
  );
}

function requireAccount(world: World, no: string): WorldAccount {
  const account = accountsOf(world).find((one) => one.no === no);
  if (account === undefined) throw new Error(`the world has no account ${no}`);
  return account;
}

function sum(movements: readonly { fen: bigint }[], fromFen: bigint): bigint {
  return movements.reduce((total, { fen }) => total + fen, fromFen);
}
