/** What the source says beside its values: the comment above a member, and constants that nothing exports. */
import * as ts from 'typescript';

import { parseSource, readText, walk } from '../tidy/source-tree.ts';

/**
 * The comment above each member of an object that a file declares; a member without one belongs to the member
 * before it and has the same.
 */
export function memberNotes(path: string, declared: string): ReadonlyMap<string, string> {
  const { tree, text } = parseSource(path, readText(path));
  const notes = new Map<string, string>();
  walk(tree, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText(tree) !== declared) return;
    let note = '';
    for (const member of objectIn(node)?.properties ?? []) {
      if (!ts.isPropertyAssignment(member)) continue;
      note = noteAbove(text, member) ?? note;
      notes.set(member.name.getText(tree), note);
    }
  });
  if (notes.size === 0) throw new Error(`${path} declares no object ${declared}`);
  return notes;
}

/** The object itself, or the one that a schema is made of. */
function objectIn({ initializer }: ts.VariableDeclaration): ts.ObjectLiteralExpression | undefined {
  if (initializer === undefined) return undefined;
  const value = ts.isCallExpression(initializer) ? initializer.arguments[0] : initializer;
  return value !== undefined && ts.isObjectLiteralExpression(value) ? value : undefined;
}

function noteAbove(text: string, node: ts.Node): string | undefined {
  const last = ts.getLeadingCommentRanges(text, node.getFullStart())?.at(-1);
  return last && text.slice(last.pos, last.end).replaceAll(/^\/\*\*\s*|\s*\*\/$|\n\s*\*/g, '');
}

/** The whole number that a file gives a constant: a literal, or literals that are multiplied. */
export function constantIn(path: string, name: string): number {
  let found: number | undefined;
  const { tree } = parseSource(path, readText(path));
  walk(tree, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText(tree) !== name) return;
    const factors = node.initializer?.getText(tree).replaceAll(/_|n$/g, '').split(' * ') ?? [];
    found = factors.reduce((product, factor) => product * Number(factor), 1);
  });
  if (found === undefined || !Number.isSafeInteger(found)) throw new Error(`${path} has no number ${name}`);
  return found;
}
