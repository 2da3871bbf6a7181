/** The project's source as the TypeScript parser sees it, and who imports whom. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** One file; paths are relative to the project's root, with forward slashes. */
export interface Source {
  path: string;
  text: string;
  tree: ts.SourceFile;
}

export interface Import {
  /** As it is written: `./fen.ts`, `pino`, `node:fs`. */
  specifier: string;
  /** For a relative import the path it means, else undefined. */
  target: string | undefined;
  /** `type`: erased before anything runs; `static`: loaded with the file; `dynamic`: loaded when reached. */
  kind: 'type' | 'static' | 'dynamic';
  line: number;
}

export function parseSource(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** All files of a folder and below with that ending, in order; none when there is no such folder. */
export function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => normalize(join(entry.parentPath, entry.name)).slice(ROOT.length))
    .toSorted();
}

/** Every file that is the project's own: of its folders and beside them. */
export function filesOfProject(folders: readonly string[]): string[] {
  const beside = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [...beside.map(({ name }) => name), ...folders.flatMap((folder) => filesBelow(folder, ''))];
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function readSources(folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .map((path) => parseSource(path, readText(path)));
}

/** Calls `visit` for every node, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export function lineOf(source: Source, node: ts.Node): number {
  return source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree)).line + 1;
}

/** Every import, re-export, dynamic import and worker file (`new URL('./x.ts', import.meta.url)`). */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import['kind'], node: ts.Node): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const relative = /^\.{1,2}\//.test(specifier.text);
    const target = relative ? normalize(join(dirname(source.path), specifier.text)) : undefined;
    found.push({ specifier: specifier.text, target, kind, line: lineOf(source, node) });
  };
  walk(source.tree, (node) => {
    if (ts.isImportDeclaration(node)) {
      const erased = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      add(node.moduleSpecifier, erased ? 'type' : 'static', node);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static', node);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, 'type', node);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'dynamic', node);
    } else if (ts.isNewExpression(node) && node.expression.getText(source.tree) === 'URL') {
      const [file, base] = node.arguments ?? [];
      if (base?.getText(source.tree) === 'import.meta.url') add(file, 'dynamic', node);
    }
  });
  return found;
}

/** The files that are reached from one file through imports of these kinds, itself included. */
export function reachedFrom(
  entry: string,
  sources: readonly Source[],
  kinds: readonly Import['kind'][],
): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const { target, kind } of importsOf(source)) {
      if (target !== undefined && kinds.includes(kind)) waiting.push(target);
    }
  }
  return reached;
}

/** Groups of files each of which reaches every other of its group. */
export function circlesOf(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map([...targets.keys()].map((path) => [path, reachFrom(path, targets)]));
  const circles = new Map<string, string[]>();
  for (const [path, reached] of reach) {
    if (!reached.has(path)) continue;
    const circle = [...reached].filter((other) => reach.get(other)?.has(path) === true).toSorted();
    circles.set(circle.join(' '), circle);
  }
  return [...circles.values()];
}

/** What is reached in one step or more. */
function reachFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(targets.get(path) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(targets.get(next) ?? []));
  }
  return reached;
}

/** `src/core/fen.ts` → `src/core`; `jobs/main.ts` → `jobs`. */
export function layerOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? `${top}/${second}` : top;
}

export function nameOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '');
}
