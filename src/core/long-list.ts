/** Lists too long to be held at once: each walk reads them anew, piece by piece. */

export type ConsumePiece<T> = (items: readonly T[]) => Promise<void>;

export class LongList<T> {
  /** Hands over all of it, in its order; the next piece is read when the one before is consumed. */
  readonly forEachPiece: (consume: ConsumePiece<T>) => Promise<void>;

  constructor(forEachPiece: (consume: ConsumePiece<T>) => Promise<void>) {
    this.forEachPiece = forEachPiece;
  }

  map<U>(turn: (item: T) => U): LongList<U> {
    return new LongList((consume) => this.forEachPiece((items) => consume(items.map(turn))));
  }

  /** All of it at once, where it is known to be short. */
  async whole(): Promise<T[]> {
    const all: T[] = [];
    await this.forEachPiece(async (items) => void all.push(...items));
    return all;
  }
}
