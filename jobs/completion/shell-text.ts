/** What the scripts of all shells are made of. */
import type { CompletedCommand } from './command-tree.ts';

/** As bash and zsh read a text that means nothing but itself. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** All commands below the first. */
export function pathsOf(tree: readonly CompletedCommand[]): string[] {
  return tree.slice(1).map(({ path }) => path);
}

/** Where a value stands, by what stands before it: `recon nightly --log-level`; those with the same choices together. */
export function valuesOf(
  tree: readonly CompletedCommand[],
): { before: string[]; choices: readonly string[] }[] {
  const values = tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ word, choices }) => ({ before: `${path} ${word}`, choices })),
  );
  const groups = Map.groupBy(values, ({ choices }) => choices.join(' '));
  return [...groups.values()].map((group) => ({
    before: group.map(({ before }) => before),
    choices: group[0]?.choices ?? [],
  }));
}
