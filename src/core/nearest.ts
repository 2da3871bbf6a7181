/** The known name a mistyped one was probably meant to be. */

/** More than three slips is another word. */
const SLIPS_MAX = 3;

/** The known name with the fewest slips, or undefined when none is near. Letter case counts as no slip. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.min(SLIPS_MAX, Math.floor(name.length / 3));
  let best: { name: string; slips: number } | undefined;
  for (const candidate of known) {
    const slips = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (slips <= limit && (best === undefined || slips < best.slips)) best = { name: candidate, slips };
  }
  return best?.name;
}

/** Insertions, deletions and replacements that lead from one text to the other. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
