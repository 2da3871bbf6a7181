/** What happened in a seed, line by line: always as a digest, and as text for people when they ask for it. */
import { textHash } from './world/random.ts';

export class Trace {
  readonly lines: string[] = [];
  readonly #keeps: boolean;
  #first = 0x811c9dc5;
  #second = 0x01000193;
  #count = 0;

  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  add(atMs: number, who: string, what: string): void {
    const line = `${clockText(atMs)} ${who} ${what}`;
    this.#first = textHash(line, this.#first);
    this.#second = textHash(line, (this.#second + this.#count) >>> 0);
    this.#count += 1;
    if (this.#keeps) this.lines.push(line);
  }

  /** The same for two seeds only when all their lines are. */
  digest(): string {
    return `${this.#first.toString(16).padStart(8, '0')}${this.#second.toString(16).padStart(8, '0')}-${this.#count}`;
  }
}

/** Minutes, seconds and milliseconds since the beginning. */
function clockText(atMs: number): string {
  const minutes = Math.floor(atMs / 60_000);
  const seconds = ((atMs % 60_000) / 1_000).toFixed(3).padStart(6, '0');
  return `${String(minutes).padStart(3, '0')}:${seconds}`;
}
