/** Members of an answer that are set, written or left out otherwise, as a seed or a fault has it. */

/** What is listed instead of what is true: members set, set as raw JSON lexemes, or left out. */
export interface WirePatch {
  set?: Readonly<Record<string, unknown>> | undefined;
  raw?: Readonly<Record<string, string>> | undefined;
  remove?: readonly string[] | undefined;
}

/** A JSON value written exactly so: `1e3`, `100.0`, `9007199254740993`. @throws SyntaxError if it is none */
export function lexeme(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

export function isLexeme(text: string): boolean {
  try {
    lexeme(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function applyPatch(target: Record<string, unknown>, patch: WirePatch): void {
  Object.assign(target, patch.set ?? {});
  for (const [name, text] of Object.entries(patch.raw ?? {})) target[name] = lexeme(text);
  for (const name of patch.remove ?? []) delete target[name];
}
