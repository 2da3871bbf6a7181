/**
 * What the accounts of each night came to in all, kept in memory: of a night that is over it does not change, and to
 * sum it anew for each look would read all accounts of half a year. A look reads so many rows and no more; what is left
 * is read by the next.
 */
import { jsonText } from '../../src/core/json.ts';
import type { Instant } from '../../src/core/time.ts';
import { readFigures } from '../../src/store/runs/night-calendar.ts';
import type { CalendarNight, NightFigures } from '../../src/store/runs/night-calendar.ts';
import type { DbOrTransaction } from '../../src/store/schema/schema.ts';

/** Accounts times nights that one look reads: half a year of a thousand accounts, in a tenth of a second. */
const ROWS_MAX = 200_000;
/** Nights that are remembered; beyond, those that were looked at least lately are read anew. */
const KEPT_MAX = 2_000;

export interface KnownFigures {
  of: (night: CalendarNight) => NightFigures | undefined;
  /** How many nights are left for the next look. */
  left: number;
}

export class FiguresMemory {
  readonly #kept = new Map<string, NightFigures>();
  readonly #rowsMax: number;
  /** Accounts of a night, as the one that was read last had them; first it is found out with one night. */
  #accounts: number;

  constructor(rowsMax = ROWS_MAX) {
    this.#rowsMax = rowsMax;
    this.#accounts = rowsMax;
  }

  /**
   * @param nights the latest first: these are read first
   * @param of whose accounts, and since when the list has them so; undefined: all of each night
   */
  async look(
    db: DbOrTransaction,
    nights: readonly CalendarNight[],
    of?: { group: string; asOf: Instant | null },
  ): Promise<KnownFigures> {
    const keyOf = (night: CalendarNight): string =>
      `${nightKey(night)} ${of === undefined ? '' : jsonText(of)}`;
    const seen = new Map<string, NightFigures>();
    const unread: CalendarNight[] = [];
    for (const night of nights) {
      const known = this.#kept.get(keyOf(night));
      if (known === undefined) unread.push(night);
      else seen.set(night.runId, known);
    }
    let rows = 0;
    while (unread.length > 0 && rows < this.#rowsMax) {
      const some = unread.splice(0, Math.max(1, Math.floor((this.#rowsMax - rows) / this.#accounts)));
      const read = await readFigures(
        db,
        some.map(({ runId }) => runId),
        of?.group,
      );
      for (const night of some) {
        const figures = read.get(night.runId) ?? NOTHING;
        this.#keep(keyOf(night), figures);
        seen.set(night.runId, figures);
        // Those of a group are looked for among all of the night.
        if (of === undefined) this.#accounts = Math.max(1, figures.accounts);
        rows += this.#accounts;
      }
    }
    return { of: ({ runId }) => seen.get(runId), left: unread.length };
  }

  #keep(key: string, figures: NightFigures): void {
    this.#kept.delete(key);
    this.#kept.set(key, figures);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** A night that is proven anew has other instants. */
function nightKey({ runId, finishedAt, publishedAt }: CalendarNight): string {
  return `${runId} ${finishedAt} ${publishedAt ?? ''}`;
}

const NOTHING: NightFigures = {
  verdicts: { reconciled: 0, reconciled_with_timing: 0, breaks: 0, unverified: 0, incomplete: 0 },
  accounts: 0,
  platformFen: null,
  ledgerFen: null,
  unexplainedFen: null,
};
