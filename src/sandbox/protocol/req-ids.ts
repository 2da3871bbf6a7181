/** Which request numbers have been used of late (ENV-16, U17). */

const LIFE_MS = 600_000;

export class ReqIds {
  /** When each was used, by scope; oldest first. */
  readonly #used = new Map<string, Map<string, number>>();
  #first: boolean | undefined;
  #ruled: boolean | undefined;

  /**
   * An input begins.
   * @param ruled what the first question of it is answered with: a request that is played again is judged as it
   * was, though what was used by mere reading has been forgotten (state/)
   */
  begin(ruled?: boolean): void {
    this.#first = undefined;
    this.#ruled = ruled;
  }

  /** How the first question of the running input was answered; undefined when none was asked. */
  get first(): boolean | undefined {
    return this.#first;
  }

  isUsed(scope: string, reqId: string, nowMs: number): boolean {
    const used = this.#ruled ?? this.#isKnown(scope, reqId, nowMs);
    this.#ruled = undefined;
    this.#first ??= used;
    return used;
  }

  consume(scope: string, reqId: string, nowMs: number): void {
    const used = this.#usedIn(scope);
    used.delete(reqId);
    used.set(reqId, nowMs);
  }

  #isKnown(scope: string, reqId: string, nowMs: number): boolean {
    const used = this.#usedIn(scope);
    for (const [id, usedAtMs] of used) {
      if (nowMs - usedAtMs <= LIFE_MS) break;
      used.delete(id);
    }
    const usedAtMs = used.get(reqId);
    return usedAtMs !== undefined && nowMs - usedAtMs <= LIFE_MS;
  }

  #usedIn(scope: string): Map<string, number> {
    const known = this.#used.get(scope);
    if (known) return known;
    const used = new Map<string, number>();
    this.#used.set(scope, used);
    return used;
  }
}
