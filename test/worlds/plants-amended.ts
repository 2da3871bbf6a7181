/** Entries that people change from night to night: what is wrong is told as it is by then, under the id that it has. */
import { addDays } from '../../src/core/time.ts';
import { later } from './draw-trade.ts';
import type { Trader } from './draw-trade.ts';
import { handedInAt } from './item.ts';
import type { BookedLine, Item, Plant, TrueDifference } from './item.ts';
import { incomingOf, isOf, isPosted, subjectOf } from './plants.ts';
import type { Subject } from './plants.ts';

/** So long an entry may be pending. */
const AGING_DAYS = 3;

/** What the books have of a record for some nights, and what is wrong with it then, on each side. */
interface Phase {
  name: string;
  lines: BookedLine[];
  /** What is told under the key of the record. */
  ofRecord?: Omit<TrueDifference, 'from'>;
  /** What is told of entries that nothing belongs to. */
  ofEntry?: Omit<TrueDifference, 'from'>;
  /** What is told of the record is only timing until it is that old. */
  isTiming?: true;
  /** The books name its order under its own number, on its own account. */
  namesOrder?: true;
}

type Draw = (trader: Trader, of: Subject, right: readonly BookedLine[]) => Phase | undefined;

const asItIs: Draw = (_trader, _of, right) => ({ name: 'right', namesOrder: true, lines: [...right] });

const absent = (_trader: Trader, { account, reference, fen }: Subject): Phase => ({
  name: 'absent',
  lines: [],
  ofRecord: { account, reference, fen, classes: ['platform_only'] },
});

const otherAmount: Draw = (trader, { account, reference, kind }, right) => {
  const moreFen = trader.amount(100, 900_000) * (trader.random.chance(0.5) ? 1n : -1n);
  return {
    name: `${moreFen} more`,
    namesOrder: true,
    lines: right.map((one) => (one.kind === kind ? { ...one, fen: one.fen + moreFen } : one)),
    ofRecord: { account, reference, fen: -moreFen, classes: ['amount', 'fee'] },
  };
};

const otherReference: Draw = (trader, { account, reference, fen }, right) => {
  const wrong = trader.number('N');
  return {
    name: `under ${wrong}`,
    lines: right.map((one) => ({ ...one, reference: wrong })),
    ofRecord: { account, reference, fen, classes: ['platform_only'] },
    ofEntry: { account, reference: wrong, fen: -fen, classes: ['ledger_only'] },
  };
};

const otherAccount: Draw = (trader, of, right) => {
  const parties = of.item.entries.map((entry) => entry.account);
  const other = trader.accounts.find(
    ({ no, isListed, isOnPlatform, opening }) =>
      isListed && isOnPlatform && opening === 'stated' && !parties.includes(no),
  );
  if (other === undefined) return undefined;
  const { account, reference, fen } = of;
  return {
    name: `on ${other.no}`,
    lines: right.map((one) => ({ ...one, account: other.no })),
    ofRecord: { account, reference, fen, classes: ['platform_only', 'account'] },
    ofEntry: { account: other.no, reference, fen: -fen, classes: ['ledger_only', 'account'] },
  };
};

const twice: Draw = (_trader, { account, reference, fen }, right) => ({
  name: 'twice',
  namesOrder: true,
  lines: [...right, ...right.map((one) => ({ ...one, id: `${one.id}-again` }))],
  ofRecord: { account, reference, fen: -fen, classes: ['duplicate'] },
});

const pending: Draw = (_trader, { account, reference, fen }, right) => ({
  name: 'pending',
  namesOrder: true,
  lines: right.map((one) => ({ ...one, status: 'pending' })),
  ofRecord: { account, reference, fen, classes: ['state'] },
  isTiming: true,
});

const takenBack: Draw = (_trader, { account, reference, fen }, right) => ({
  name: 'taken back',
  namesOrder: true,
  lines: [...right, ...right.map((one) => ({ ...one, id: `${one.id}-back`, fen: -one.fen }))],
  ofRecord: { account, reference, fen, classes: ['platform_only', 'amount'] },
});

const PHASES = [
  asItIs,
  absent,
  otherAmount,
  otherReference,
  otherReference,
  otherAccount,
  twice,
  pending,
  takenBack,
] as const;

/** What the books have of one record, as it changes from night to night. */
function amended(trader: Trader): Item {
  const of = (trader.random.chance(0.3) ? incomingOf(trader) : undefined) ?? subjectOf(trader);
  const days = trader.days.filter((day) => day >= of.day);
  const right = of.item.entries.filter((one) => isOf(of, one) && isPosted(one));
  const others = of.item.entries.filter((one) => !isOf(of, one));
  const phases: { day: string; phase: Phase }[] = [];
  for (const day of days) {
    if (phases.length > 0 && trader.random.chance(0.35)) continue;
    const isRedated = phases.length > 0 && trader.random.chance(0.3);
    const lines = isRedated ? right.map((one) => ({ ...one, at: `${day} 02:30:00` })) : right;
    const phase = trader.random.one(PHASES)(trader, of, lines) ?? absent(trader, of);
    phases.push({ day, phase: isRedated ? { ...phase, name: `${phase.name} as of ${day}` } : phase });
  }
  // An order that nobody registers is known by its entries.
  const isNamed = phases[0]?.phase.namesOrder === true && trader.random.chance(0.3);
  return {
    ...of.item,
    orders: isNamed ? [] : of.item.orders,
    name: `${of.item.name}${isNamed ? ', not registered' : ''}: ${phases.map(({ day, phase }) => `${phase.name} on ${day}`).join(', ')}`,
    entries: [...others, ...versionsOf(trader, phases)],
    differences: differencesOf(of, phases),
  };
}

/** What is handed in as the books change: each entry that is new or other than before, and those that are gone. */
function versionsOf(trader: Trader, phases: readonly { day: string; phase: Phase }[]): BookedLine[] {
  const known = new Map<string, BookedLine>();
  return phases.flatMap(({ day, phase: { lines } }, place) => {
    const now = trader.moment(day);
    const at = (one: BookedLine) => (place === 0 ? handedInAt(one) : now > one.at ? now : later(one.at, 1));
    const gone = [...known.values()].filter(({ id }) => !lines.some((one) => one.id === id));
    const changed = lines.filter((one) => !isSame(known.get(one.id), one));
    for (const { id } of gone) known.delete(id);
    for (const one of changed) known.set(one.id, one);
    return [
      ...gone.map((one): BookedLine => ({ ...one, isWithdrawn: true, handedInAt: now })),
      ...changed.map((one) => ({ ...one, handedInAt: at(one) })),
    ];
  });
}

function isSame(before: BookedLine | undefined, now: BookedLine): boolean {
  return (
    before !== undefined &&
    (['account', 'fen', 'at', 'reference', 'status'] as const).every((name) => before[name] === now[name])
  );
}

/** One side's differences are one break until nothing is told on that side. */
function differencesOf(
  { day: of }: Subject,
  phases: readonly { day: string; phase: Phase }[],
): TrueDifference[] {
  const oldOn = addDays(of, AGING_DAYS);
  return (['ofRecord', 'ofEntry'] as const).flatMap((side) => {
    let thread: object = {};
    return phases.flatMap(({ day, phase }, place) => {
      const told = phase[side];
      if (told === undefined) {
        thread = {};
        return [];
      }
      const until = phases[place + 1]?.day;
      const from = phase.isTiming !== undefined && oldOn > day ? oldOn : day;
      if (until !== undefined && from >= until) return [];
      return [{ ...told, thread, from, ...(until !== undefined && { until }) }];
    });
  });
}

/** Drawn twice as often as any other: it has many forms. */
export const AMENDED_PLANTS: Readonly<Record<string, Plant>> = { amended, amendedToo: amended };
