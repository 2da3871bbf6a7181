/** Drawing on a page: the operators of a content stream, and text set in the fonts at hand. */
import { hexCode } from './slip-font.ts';
import type { EmbeddedFont, SlipFace } from './slip-font.ts';

/** The fonts of a file under their names in its resources; a character is set in the first that has it. */
export interface FontSet {
  face: SlipFace;
  fonts: readonly { name: string; font: EmbeddedFont }[];
}

/** As the entry of a page's or a form's resources. */
export function fontResources({ fonts }: FontSet): string {
  return `/Font<<${fonts.map(({ name, font }) => `/${name} ${font.no} 0 R`).join('')}>>`;
}

export interface Place {
  x: number;
  y: number;
  size: number;
}

export class Canvas {
  readonly #operators: string[] = [];
  readonly #set: FontSet;

  constructor(set: FontSet) {
    this.#set = set;
  }

  /** Raw operators. */
  draw(...operators: string[]): void {
    this.#operators.push(...operators);
  }

  line(from: { x: number; y: number }, to: { x: number; y: number }): void {
    this.draw(`${from.x} ${from.y} m ${to.x} ${to.y} l S`);
  }

  widthOf(text: string, size: number): number {
    let width = 0;
    for (const character of text) {
      width += this.#set.face.widthOf(character);
    }
    return (width * size) / 1_000;
  }

  /** From its left end. @param matrix instead of a place, for text that is turned */
  text(text: string, at: Place, matrix?: string): void {
    let shown = '';
    for (const { name, codes } of this.#runs(text)) {
      shown += `/${name} ${at.size} Tf <${codes.map(hexCode).join('')}> Tj `;
    }
    this.draw(`BT ${matrix ?? `1 0 0 1 ${rounded(at.x)} ${rounded(at.y)}`} Tm ${shown}ET`);
  }

  centred(text: string, at: Place): void {
    this.text(text, { ...at, x: at.x - this.widthOf(text, at.size) / 2 });
  }

  right(text: string, at: Place): void {
    this.text(text, { ...at, x: at.x - this.widthOf(text, at.size) });
  }

  /** Bold without a bold font: its outline is drawn as well. */
  bold(text: string, at: Place & { stroke: number }): void {
    this.draw(`q 2 Tr ${at.stroke} w`);
    this.centred(text, at);
    this.draw('Q');
  }

  /** Within a width, smaller if it must be, on two lines if it still must, cut if even that is too little. */
  fitted(text: string, at: Place & { width: number }): void {
    for (let { size } = at; size >= at.size - 1.5; size -= 0.5) {
      if (this.widthOf(text, size) <= at.width) {
        this.text(text, { ...at, size });
        return;
      }
    }
    const size = at.size - 1.5;
    const first = this.#beginning(text, { size, width: at.width });
    const rest = text.slice(first.length);
    const second = this.#beginning(rest, { size, width: at.width });
    const isCut = second.length < rest.length;
    const shortened = isCut ? `${this.#beginning(rest, { size, width: at.width - 2 * size })}...` : second;
    this.text(first, { x: at.x, y: at.y + 0.6 * size, size });
    this.text(shortened, { x: at.x, y: at.y - 0.6 * size, size });
  }

  #beginning(text: string, within: { size: number; width: number }): string {
    let [beginning, width] = ['', 0];
    for (const character of text) {
      width += this.widthOf(character, within.size);
      if (width > within.width) break;
      beginning += character;
    }
    return beginning;
  }

  /** Neighbours of one font together. */
  #runs(text: string): { name: string; codes: number[] }[] {
    const runs: { name: string; codes: number[] }[] = [];
    for (const character of text) {
      const { name, code } = this.#codeOf(character);
      const last = runs.at(-1);
      if (last?.name === name) last.codes.push(code);
      else runs.push({ name, codes: [code] });
    }
    return runs;
  }

  #codeOf(character: string): { name: string; code: number } {
    for (const { name, font } of this.#set.fonts) {
      const code = font.codes.get(character);
      if (code !== undefined) return { name, code };
    }
    throw new Error(`Bug: no font was embedded for ${JSON.stringify(character)}`);
  }

  content(): string {
    return this.#operators.join('\n');
  }
}

/** Coordinates need no more than a hundredth of a point. */
export function rounded(coordinate: number): number {
  return Math.round(coordinate * 100) / 100;
}

/** A circle of four curves. */
export function circle(x: number, y: number, radius: number): string {
  const bend = radius * 0.5523;
  const point = (dx: number, dy: number): string => `${rounded(x + dx)} ${rounded(y + dy)}`;
  return [
    `${point(radius, 0)} m`,
    `${point(radius, bend)} ${point(bend, radius)} ${point(0, radius)} c`,
    `${point(-bend, radius)} ${point(-radius, bend)} ${point(-radius, 0)} c`,
    `${point(-radius, -bend)} ${point(-bend, -radius)} ${point(0, -radius)} c`,
    `${point(bend, -radius)} ${point(radius, -bend)} ${point(radius, 0)} c h`,
  ].join(' ');
}
