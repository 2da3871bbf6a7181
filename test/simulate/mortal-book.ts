/** The book and the mark as a process reaches them: each call is one in which it may die, or its database fail. */
import type { SettleMark } from '../../jobs/night/settle/high-water-mark.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import type { OpenedBook } from './book-store.ts';
import type { Host } from './world/host.ts';
import type { Kernel } from './world/kernel.ts';
import type { MortalProcess } from './world/mortal-process.ts';

/** Told of each call that took effect, with what it was called with and what it gave. */
export type Witness = (
  method: keyof SettlementAttemptStore,
  args: readonly unknown[],
  result: unknown,
) => void;

type Result<K extends keyof SettlementAttemptStore> = Awaited<ReturnType<SettlementAttemptStore[K]>>;

export function mortalBook(
  opened: OpenedBook,
  of: { process: MortalProcess; kernel: Kernel; witness: Witness },
): SettlementAttemptStore {
  const { book } = opened;
  const { process, kernel, witness } = of;
  const around = <K extends keyof SettlementAttemptStore>(method: K): SettlementAttemptStore[K] => {
    const effect = book[method] as (
      ...args: Parameters<SettlementAttemptStore[K]>
    ) => ReturnType<SettlementAttemptStore[K]>;
    const call = async (...args: Parameters<SettlementAttemptStore[K]>) => {
      process.bookCalls += 1;
      try {
        const work = async (dies: boolean) => {
          if (dies) opened.breakOff();
          const result = await kernel.during(() => effect.apply(book, args) as Promise<Result<K>>);
          witness(method, args, result);
          return result;
        };
        return await process.call(`book.${method}`, work, (result) => toldOf(method, args, result));
      } finally {
        process.bookCalls -= 1;
      }
    };
    return call as unknown as SettlementAttemptStore[K];
  };
  return {
    listFailed: around('listFailed'),
    listOpen: around('listOpen'),
    findOpen: around('findOpen'),
    usedOn: around('usedOn'),
    // Who dies here dies as well right before or after.
    slowestLookMs: () => kernel.during(() => book.slowestLookMs()),
    claimLook: (...look) => kernel.during(() => book.claimLook(...look)),
    saveLook: around('saveLook'),
    plan: around('plan'),
    markSent: around('markSent'),
    saveAnswer: around('saveAnswer'),
    saveFailedSeen: around('saveFailedSeen'),
    saveOpenSeen: around('saveOpenSeen'),
    redate: around('redate'),
    openMet: around('openMet'),
    saveCall: around('saveCall'),
    saveNotTaken: around('saveNotTaken'),
    saveDenied: around('saveDenied'),
    redateCalls: around('redateCalls'),
    saveAwaiting: around('saveAwaiting'),
    close: around('close'),
    balancesOf: around('balancesOf'),
    shownBalancesOf: around('shownBalancesOf'),
    saveEvidence: around('saveEvidence'),
    findEvidence: around('findEvidence'),
    newestShown: around('newestShown'),
    guard: around('guard'),
    booksId: around('booksId'),
    serverStart: around('serverStart'),
    isSend: around('isSend'),
    hold: around('hold'),
    isApproved: around('isApproved'),
    saveApproval: around('saveApproval'),
  };
}

/** The file of a host: what was written is there after a crash. */
export function mortalMark(host: Host, process: MortalProcess): SettleMark {
  return {
    read: () =>
      process.call(
        'mark.read',
        () => Promise.resolve(host.mark),
        (mark) => String(mark?.sequence),
      ),
    write: (state) =>
      process.call(
        'mark.write',
        () => {
          host.mark = state;
          return Promise.resolve();
        },
        () => String(state.sequence),
      ),
  };
}

/** For the trace: what a reader needs to follow. */
function toldOf(method: keyof SettlementAttemptStore, args: readonly unknown[], result: unknown): string {
  switch (method) {
    case 'listFailed':
    case 'listOpen':
      return keysOf(result);
    case 'saveLook':
      return result === true ? 'kept' : 'not kept';
    case 'plan':
    case 'markSent':
    case 'saveAnswer':
    case 'saveFailedSeen':
    case 'saveOpenSeen':
    case 'redate':
    case 'saveCall':
    case 'saveNotTaken':
    case 'saveDenied':
    case 'redateCalls':
    case 'saveAwaiting':
    case 'close':
    case 'hold':
      return `${textOf(args)}${result === undefined ? '' : ` → ${textOf(result)}`}`;
    case 'usedOn':
    case 'slowestLookMs':
    case 'guard':
    case 'booksId':
    case 'serverStart':
    case 'isSend':
    case 'isApproved':
      return textOf(result);
    case 'findOpen':
    case 'openMet':
    case 'claimLook':
    case 'balancesOf':
    case 'shownBalancesOf':
    case 'saveEvidence':
    case 'findEvidence':
    case 'newestShown':
    case 'saveApproval':
      return '';
  }
}

function keysOf(rows: unknown): string {
  if (!Array.isArray(rows)) return '';
  const told = (rows as { outOrderNo: string; state?: string }[]).map(({ outOrderNo, state }) =>
    state === undefined ? outOrderNo : `${outOrderNo}:${state}`,
  );
  return `[${told.join(' ')}]`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
