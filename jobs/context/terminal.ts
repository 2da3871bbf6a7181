/** Text for a terminal, whatever it quotes. */

/** Controls and marks that turn the direction of text: with them a name from outside could forge what is shown. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

export function forTerminal(text: string): string {
  return text.replace(CONTROLS, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A line beside the result, on stderr. */
export function tellLine(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}
