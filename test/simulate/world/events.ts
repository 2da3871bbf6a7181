/** What happens beside the runs: somebody settles by hand, and a database is restored from a copy (M8, H18). */
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import type { MarkState } from '../../../jobs/night/settle/high-water-mark.ts';
import type { RestoreKind, RestorePlan } from './draw-restores.ts';
import type { MortalProcess } from './mortal-process.ts';
import { settleByHand } from './pages.ts';
import { ZONE } from './profiles.ts';
import type { Running } from './running.ts';

export function startEvents(running: Running): void {
  const { kernel, plan } = running;
  for (const { atMs, outOrderNo } of plan.thirdParty) {
    kernel.at(atMs, () => settleByHand(running, outOrderNo));
  }
  for (const restore of plan.restores) planRestore(running, restore);
}

/** What was looked at grows old before it is stored as planned, and meanwhile somebody settles it by hand. */
export function pausing(
  running: Running,
  process: MortalProcess,
  book: SettlementAttemptStore,
): SettlementAttemptStore {
  const { kernel, fate, counted } = running;
  return {
    ...book,
    plan: async (planned, basis) => {
      const pause = fate.pause();
      if (pause !== undefined) {
        process.say(`stands still for ${pause.ms} ms`);
        counted('process.pause');
        kernel.at(kernel.nowMs + pause.byHandMs, () => settleByHand(running, planned.outOrderNo));
        await kernel.sleep(pause.ms);
      }
      return await book.plan(planned, basis);
    },
  };
}

/** How long after a send a database is lost, at most. */
const SOON_MS = 60_000;

/**
 * Two hosts have a mark each. A database that was copied before it was ever used for this looks like a new one to a
 * host that has sent nothing so far, so with two hosts the copy is made once something was sent.
 */
function planRestore(running: Running, { takenMs, atMs, what }: RestorePlan): void {
  const { kernel, oracle, plan } = running;
  let marks: (MarkState | undefined)[] = [];
  let copiedMs = 0;
  const restore = (): void => {
    oracle.restores.push({ copiedMs, atMs: kernel.nowMs });
    restoreNow(running, what, marks);
  };
  const restoreSoonAfterSend = (): void => {
    oracle.whenSent = () => undefined;
    if (kernel.nowMs < plan.chaosMs) kernel.at(kernel.nowMs + (plan.seed % SOON_MS), restore);
  };
  const take = (): void => {
    void kernel.during(() => running.store.snapshot());
    copiedMs = kernel.nowMs;
    marks = running.hosts.map(({ mark }) => mark);
    running.trace.add(kernel.nowMs, 'somebody', 'copies the database');
    oracle.whenSent = atMs === undefined ? restoreSoonAfterSend : () => undefined;
    if (atMs !== undefined) kernel.at(atMs, restore);
  };
  if (plan.hosts.length > 1) oracle.whenSent = take;
  else kernel.at(takenMs, take);
}

/** With these no machine is started anew. */
const LIVES_ON: ReadonlySet<RestoreKind> = new Set(['another', 'same', 'volumes']);

/** Whatever works on the database at that moment is cut off from it; who stands still finds it so when it goes on. */
function restoreNow(running: Running, what: RestoreKind, marks: readonly (MarkState | undefined)[]): void {
  const { kernel, living, oracle, store, trace, counted, hosts } = running;
  for (const process of living) {
    if (!(process.standsStill && LIVES_ON.has(what))) process.kill();
  }
  if (what === 'another' && oracle.sends.length > 0) oracle.shownRestoreOn = ZONE.dayOf(running.bank.now());
  trace.add(kernel.nowMs, 'somebody', `restores the database: ${what}`);
  counted(`restore.${what}`);
  for (const [no, host] of hosts.entries()) {
    if (what === 'machine' || what === 'volumes') host.mark = marks[no];
    if (what === 'mark lost') host.mark = undefined;
    if (what === 'home' || what === 'machine' || what === 'mark lost') host.startAnew();
  }
  void kernel.during(() => store.restore({ isReplaced: what === 'another', isStarted: what !== 'same' }));
}
