/** Which outcomes are planned for the next calls (CTL). A call that is refused uses none of them up. */
import type { Outcome, OutcomeKind, OutcomeOf } from './order-schema.ts';

interface Planned {
  no: number;
  outcome: Outcome;
  left: number;
}

/** What an outcome may have been planned for. */
interface Match {
  outBatchNo?: string;
  outOrderNo?: string;
  accountNo?: string;
}

export class OutcomePlan {
  #planned: Planned[] = [];
  #count = 0;

  /** @returns the number under which it can be dropped */
  add(outcome: Outcome): number {
    this.#planned.push({ no: ++this.#count, outcome, left: outcome.times ?? Infinity });
    return this.#count;
  }

  /** Drops one, or all. */
  drop(no?: number): void {
    this.#planned = no === undefined ? [] : this.#planned.filter((planned) => planned.no !== no);
  }

  /** `left` is null where it decides all. */
  list(): readonly { no: number; outcome: Outcome; left: number | null }[] {
    return this.#planned.map(({ no, outcome, left }) => ({
      no,
      outcome,
      left: Number.isFinite(left) ? left : null,
    }));
  }

  /** Begins a call: what it takes counts once it is kept. */
  draft(): OutcomeDraft {
    return new OutcomeDraft(this.#planned, () => {
      this.#planned = this.#planned.filter(({ left }) => left > 0);
    });
  }
}

/** What one call takes from the plan. */
export class OutcomeDraft {
  readonly #planned: readonly Planned[];
  readonly #taken = new Map<Planned, number>();
  readonly #tidy: () => void;

  constructor(planned: readonly Planned[], tidy: () => void) {
    this.#planned = planned;
    this.#tidy = tidy;
  }

  /** The first that was planned for this order by its number, then by its account, then for any. */
  take<K extends OutcomeKind>(kind: K, match: Match): OutcomeOf<K> | undefined {
    const open = this.#planned.filter(
      (planned) => planned.outcome.kind === kind && planned.left > (this.#taken.get(planned) ?? 0),
    );
    const ranked = open
      .map((planned) => ({ planned, rank: rankOf(planned.outcome, match) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank);
    const best = ranked[0]?.planned;
    if (!best) return undefined;
    this.#taken.set(best, (this.#taken.get(best) ?? 0) + 1);
    return best.outcome as OutcomeOf<K>;
  }

  keep(): void {
    for (const [planned, times] of this.#taken) planned.left -= times;
    if (this.#taken.size > 0) this.#tidy();
  }
}

/** 0: it was planned for another. */
function rankOf(outcome: Outcome, match: Match): number {
  const number =
    'outBatchNo' in outcome ? outcome.outBatchNo : 'outOrderNo' in outcome ? outcome.outOrderNo : undefined;
  const account = accountOf(outcome);
  if (number !== undefined && number !== (outcome.kind === 'batch' ? match.outBatchNo : match.outOrderNo))
    return 0;
  if (account !== undefined && account !== match.accountNo) return 0;
  return 1 + (number === undefined ? 0 : 2) + (account === undefined ? 0 : 1);
}

function accountOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'batch') return undefined;
  return outcome.kind === 'withdrawal' ? outcome.acctNo : outcome.payeeAcctNo;
}
