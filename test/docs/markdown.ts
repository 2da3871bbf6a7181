/** Tables of Markdown, and the places of a document that the code fills. */

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const PLACE = /<!-- generated: (?<name>[a-z-]+) -->\n.*?<!-- end -->/gs;

/** The names of the places a document has. */
export function placesOf(markdown: string): string[] {
  return [...markdown.matchAll(PLACE)].map(({ groups }) => groups?.['name'] ?? '');
}

/** The document with every place filled anew. @throws Error for a place that no table is for */
export function filled(markdown: string, tables: Readonly<Record<string, () => string>>): string {
  return markdown.replaceAll(PLACE, (_whole, name: string) => {
    const text = tables[name];
    if (!text) throw new Error(`there is no table "${name}"; there are ${Object.keys(tables).join(', ')}`);
    return `<!-- generated: ${name} -->\n\n${text()}\n\n<!-- end -->`;
  });
}
