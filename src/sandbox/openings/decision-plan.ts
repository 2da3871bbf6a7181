/** Which decisions are planned for the next openings and changes (CTL). A call that is refused uses none up. */
import type { Decision, DecisionKind, DecisionOf } from './decision-schema.ts';

interface Planned {
  no: number;
  decision: Decision;
  left: number;
}

/** What a decision may have been planned for. */
interface Match {
  outReqNo: string;
  subjectId?: string;
  recordId?: string;
}

export class DecisionPlan {
  #planned: Planned[] = [];
  #count = 0;

  /** @returns the number under which it can be dropped */
  add(decision: Decision): number {
    this.#planned.push({ no: ++this.#count, decision, left: decision.times ?? Infinity });
    return this.#count;
  }

  /** Drops one, or all. */
  drop(no?: number): void {
    this.#planned = no === undefined ? [] : this.#planned.filter((planned) => planned.no !== no);
  }

  /** `left` is null where it decides all. */
  list(): readonly { no: number; decision: Decision; left: number | null }[] {
    return this.#planned.map(({ no, decision, left }) => ({
      no,
      decision,
      left: Number.isFinite(left) ? left : null,
    }));
  }

  /** The first that was planned for this application or its subject, else for any; `use` counts it. */
  find<K extends DecisionKind>(
    kind: K,
    match: Match,
  ): { decision: DecisionOf<K> | undefined; use: () => void } {
    const ranked = this.#planned
      .filter(({ decision }) => decision.kind === kind)
      .map((planned) => ({ planned, rank: rankOf(planned.decision, match) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank);
    const planned = ranked[0]?.planned;
    if (!planned) return { decision: undefined, use: () => undefined };
    const use = (): void => {
      planned.left--;
      this.#planned = this.#planned.filter(({ left }) => left > 0);
    };
    return { decision: planned.decision as DecisionOf<K>, use };
  }
}

/** 0: it was planned for another. */
function rankOf(decision: Decision, match: Match): number {
  const holder = decision.kind === 'opening' ? decision.subjectId : decision.recordId;
  const held = decision.kind === 'opening' ? match.subjectId : match.recordId;
  if (decision.outReqNo !== undefined && decision.outReqNo !== match.outReqNo) return 0;
  if (holder !== undefined && holder !== held) return 0;
  return 1 + (decision.outReqNo === undefined ? 0 : 2) + (holder === undefined ? 0 : 1);
}
