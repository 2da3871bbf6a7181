/**
 * What is planned of one kind for coming calls (CTL): numbered, each for so many times or for always. What a call
 * takes counts once it is kept, so that a call that is refused uses nothing up.
 */

interface Planned<T> {
  no: number;
  item: T;
  left: number;
}

export class PlanList<T extends { times: number | null }> {
  readonly #name: string;
  #planned: Planned<T>[] = [];
  #count = 0;

  /** @param name of the item where plans are listed */
  constructor(name: string) {
    this.#name = name;
  }

  /** @returns the number under which it can be dropped */
  add(item: T): number {
    this.#planned.push({ no: ++this.#count, item, left: item.times ?? Infinity });
    return this.#count;
  }

  /** Drops one, or all. */
  drop(no?: number): void {
    this.#planned = no === undefined ? [] : this.#planned.filter((planned) => planned.no !== no);
  }

  /** As the control surface shows them; `left` is null where it decides all. */
  list(): readonly unknown[] {
    const shown = (left: number): number | null => (Number.isFinite(left) ? left : null);
    return this.#planned.map(({ no, item, left }) => ({ no, [this.#name]: item, left: shown(left) }));
  }

  /** Begins a call. */
  draft(): PlanDraft<T> {
    return new PlanDraft(this.#planned, () => {
      this.#planned = this.#planned.filter(({ left }) => left > 0);
    });
  }
}

/** What one call takes from the plan. */
export class PlanDraft<T> {
  readonly #planned: readonly Planned<T>[];
  readonly #taken = new Map<Planned<T>, number>();
  readonly #tidy: () => void;

  constructor(planned: readonly Planned<T>[], tidy: () => void) {
    this.#planned = planned;
    this.#tidy = tidy;
  }

  /** The item of the highest rank, of equals the first; one of rank 0 was planned for another. */
  take(rankOf: (item: T, no: number) => number): T | undefined {
    let [best, bestRank]: [Planned<T> | undefined, number] = [undefined, 0];
    for (const planned of this.#planned) {
      const isOpen = planned.left > (this.#taken.get(planned) ?? 0);
      const rank = isOpen ? rankOf(planned.item, planned.no) : 0;
      if (rank > bestRank) [best, bestRank] = [planned, rank];
    }
    if (best) this.#taken.set(best, (this.#taken.get(best) ?? 0) + 1);
    return best?.item;
  }

  /** @returns whether something will decide less from then on */
  keep(): boolean {
    for (const [planned, times] of this.#taken) planned.left -= times;
    this.#tidy();
    return [...this.#taken.keys()].some(({ left }) => Number.isFinite(left));
  }
}

/** How closely a plan fits by what it names, the weightiest first; 0 where it names another. */
export function rankBy(
  ...named: readonly (readonly [planned: string | undefined, is: string | undefined])[]
): number {
  if (named.some(([planned, is]) => planned !== undefined && planned !== is)) return 0;
  return named.reduce((rank, [planned]) => 2 * rank + (planned === undefined ? 0 : 1), 1);
}
