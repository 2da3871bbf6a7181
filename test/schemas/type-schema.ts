/** A type as JSON Schema (draft 2020-12): what `src/core/json.ts` writes of a value of that type. */
import * as ts from 'typescript';

export type Schema = { [name: string]: unknown };

const INSTANT = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;
const DAY = String.raw`^\d{4}-\d{2}-\d{2}$`;

/** What is known while a type is walked: the objects it stands within, and those that hold themselves. */
interface Walk {
  checker: ts.TypeChecker;
  within: readonly ts.Type[];
  recursive: Map<string, ts.Type>;
}

export function schemaOf(checker: ts.TypeChecker, types: readonly ts.Type[]): Schema {
  const walk: Walk = { checker, within: [], recursive: new Map() };
  const schema = oneOf(types.map((type) => ofType(walk, type)));
  const definitions = [...walk.recursive].map(([name, type]) => [name, ofObject(walk, type)]);
  return definitions.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) as Schema };
}

function ofType(walk: Walk, type: ts.Type): Schema {
  if (type.isUnion()) return ofUnion(walk, type);
  return ofPlain(walk, type) ?? ofList(walk, type) ?? ofObject(walk, type);
}

function ofPlain({ checker }: Walk, type: ts.Type): Schema | undefined {
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.NonPrimitive)) return {};
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
  if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return { type: 'string' };
  if (type.flags & ts.TypeFlags.BigIntLike) return { type: 'integer' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  return undefined;
}

/** What is undefined is not written. */
function ofUnion(walk: Walk, type: ts.UnionType): Schema {
  const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
  const schemas = distinct(parts.map((part) => ofType(walk, part)));
  const values = schemas.filter((schema) => 'const' in schema).map((schema) => schema['const']);
  const others = schemas.filter((schema) => !('const' in schema));
  const isBoolean = values.includes(true) && values.includes(false);
  const named = values.filter((value) => !isBoolean || typeof value !== 'boolean');
  const all: Schema[] = [
    ...(isBoolean ? [{ type: 'boolean' }] : []),
    ...(named.length === 1 ? [{ const: named[0] }] : named.length > 1 ? [{ enum: named.toSorted(byText) }] : []),
    ...others,
  ];
  return oneOf(all);
}

/** Arrays, and the long lists that are written as such. */
function ofList(walk: Walk, type: ts.Type): Schema | undefined {
  const { checker } = walk;
  const isList = checker.isArrayType(type) || checker.isTupleType(type) || type.symbol?.name === 'LongList';
  if (!isList) return undefined;
  const items = checker.getTypeArguments(type as ts.TypeReference);
  return { type: 'array', items: oneOf(items.map((item) => ofType(walk, item))) };
}

function ofObject(walk: Walk, type: ts.Type): Schema {
  const { checker, recursive } = walk;
  if (walk.within.includes(type)) {
    recursive.set(type.symbol.name, type);
    return { $ref: `#/$defs/${type.symbol.name}` };
  }
  const inside = { ...walk, within: [...walk.within, type] };
  const written = checker
    .getPropertiesOfType(type)
    .filter((property) => checker.getTypeOfSymbol(property).getCallSignatures().length === 0);
  const properties = Object.fromEntries(written.map((one) => [one.name, ofProperty(inside, one)]));
  const required = written
    .filter((one) => !mayBeAbsent(one, checker.getTypeOfSymbol(one)))
    .map(({ name }) => name);
  const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  return {
    type: 'object',
    ...(written.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(values !== undefined && { additionalProperties: ofType(inside, values) }),
  };
}

function mayBeAbsent(property: ts.Symbol, type: ts.Type): boolean {
  const isUndefined = (part: ts.Type): boolean => (part.flags & ts.TypeFlags.Undefined) !== 0;
  const holdsUndefined = isUndefined(type) || (type.isUnion() && type.types.some(isUndefined));
  return holdsUndefined || (property.flags & ts.SymbolFlags.Optional) !== 0;
}

/** With what is said of it where it is declared; instants and days by the name of their type. */
function ofProperty(walk: Walk, property: ts.Symbol): Schema {
  const { checker } = walk;
  const schema = ofType(walk, checker.getTypeOfSymbol(property));
  const description = ts.displayPartsToString(property.getDocumentationComment(checker)).trim();
  return { ...(description !== '' && { description }), ...withPattern(schema, declaredAs(property)) };
}

function declaredAs(property: ts.Symbol): string {
  const [declaration] = property.declarations ?? [];
  const isTyped =
    declaration !== undefined && (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration));
  return (isTyped ? declaration.type?.getText() : undefined) ?? '';
}

/** It binds texts alone, so that a member which may be null may be null. */
function withPattern(schema: Schema, declared: string): Schema {
  const pattern = /^Instant\b/.test(declared) ? INSTANT : /^Day\b/.test(declared) ? DAY : undefined;
  const mayBeText = [schema['type']].flat().includes('string');
  return pattern !== undefined && mayBeText ? { ...schema, pattern } : schema;
}

/** In an order of its own: that of the compiler depends on what else it has read. */
function oneOf(schemas: readonly Schema[]): Schema {
  const different = distinct(schemas).toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
  const [first = {}] = different;
  if (different.length <= 1) return first;
  const isPlain = different.every((schema) => textOf(Object.keys(schema)) === '["type"]');
  return isPlain ? { type: different.map((schema) => schema['type']) } : { anyOf: different };
}

function distinct(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [textOf(schema), schema])).values()];
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

function byText(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : 1;
}
