/**
 * What raw SQL is declared to give: for each `sql<Row>` of the product its columns, and of what kind their values may be,
 * as the compiler understands the type. Kysely believes such a type; the tests hold it against what the database gives.
 */
import ts from 'typescript';
import { keyOf } from './declared-key.ts';
import type { Columns } from './declared-key.ts';

/** By `keyOf` of the statement; one that stands in two places under different types, or is one blank, is left out. */
export function declaredStatements(root: string): Record<string, Columns> {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}/tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (fault) => {
        throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
      },
    },
  );
  if (config === undefined) throw new Error('there is no tsconfig.json');
  const own = config.fileNames.filter((name) => /\/(?:src|jobs|reports)\//.test(name));
  const program = ts.createProgram(own, config.options);
  const checker = program.getTypeChecker();
  const found = new Map<string, Columns | undefined>();
  const visit = (node: ts.Node): void => {
    const statement = statementOf(node);
    const columns = statement && columnsOf(checker, checker.getTypeFromTypeNode(statement.row));
    if (statement && columns) {
      const known = found.get(statement.key);
      const isOther = found.has(statement.key) && JSON.stringify(known) !== JSON.stringify(columns);
      found.set(statement.key, isOther ? undefined : columns);
    }
    ts.forEachChild(node, visit);
  };
  for (const name of own) {
    const file = program.getSourceFile(name);
    if (file !== undefined) visit(file);
  }
  return Object.fromEntries([...found].filter((one): one is [string, Columns] => one[1] !== undefined));
}

function statementOf(node: ts.Node): { key: string; row: ts.TypeNode } | undefined {
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'sql') return undefined;
  const row = node.typeArguments?.[0];
  if (row === undefined) return undefined;
  const { template } = node;
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  return parts.join('').trim() === '' ? undefined : { key: keyOf(parts), row };
}

/** Undefined for what is no row: the value of an expression, a type parameter. */
function columnsOf(checker: ts.TypeChecker, row: ts.Type): Columns | undefined {
  if ((row.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return undefined;
  const columns = checker.getPropertiesOfType(row).map((property): [string, string[]] => {
    const type = checker.getTypeOfSymbol(property);
    const kinds = (type.isUnion() ? type.types : [type]).map(kindOf);
    return [property.name, [...new Set(kinds)].toSorted()];
  });
  return columns.length === 0 ? undefined : Object.fromEntries(columns);
}

const KINDS: readonly (readonly [number, string])[] = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.Undefined, 'undefined'],
];

/** A string or number with a brand is an intersection with one. */
function kindOf(type: ts.Type): string {
  const kinds = type.isIntersection() ? type.types.map(kindOf) : [];
  const plain = kinds.find((kind) => kind !== 'object');
  return plain ?? KINDS.find(([flag]) => (type.flags & flag) !== 0)?.[1] ?? 'object';
}
