/** What is wrong with a filled-in list, cell by cell; a file with any is refused as a whole. */
import { WrongInput } from '../../../src/core/errors.ts';
import { FAULTS_KEPT_MAX, shownValue } from '../../../src/intake/fault-list.ts';

export class CellFaults {
  readonly #lines: string[] = [];
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get count(): number {
    return this.#count;
  }

  /** @param place `差异!R7`, or a row where no cell is at fault */
  add(place: string, value: string, reason: string): void {
    this.#count++;
    if (this.#lines.length >= FAULTS_KEPT_MAX) return;
    const shown = value === '' ? '' : ` "${shownValue('', value)}"`;
    this.#lines.push(`${place}${shown}: ${reason}`);
  }

  /** @throws WrongInput naming them */
  throwAny(file: string): void {
    if (this.isEmpty) return;
    const more = this.#count - this.#lines.length;
    const rest = more > 0 ? [`and ${more} more`] : [];
    throw new WrongInput(`nothing was changed: ${file} is not as it was written:`, [...this.#lines, ...rest]);
  }
}
