/** The type of each answer as the compiler knows it: of a declared type, or of what a function puts in `document`. */
import path from 'node:path';
import * as ts from 'typescript';

const ROOT = path.join(import.meta.dirname, '..', '..');

export interface MadeTypes {
  checker: ts.TypeChecker;
  /** @throws Error when there is no such declaration, or it makes no document */
  typesOf(where: string): ts.Type[];
}

export function readMadeTypes(places: readonly string[]): MadeTypes {
  const config = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const files = [...new Set(places.map((place) => path.join(ROOT, place.split('#')[0] ?? '')))];
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return {
    checker,
    typesOf: (where) => {
      const [file = '', name = ''] = where.split('#');
      const source = program.getSourceFile(path.join(ROOT, file));
      const found = source && declarationOf(source, name);
      const types = found === undefined ? [] : typesMadeBy(checker, found);
      if (types.length === 0) throw new Error(`${where} makes no document`);
      return types;
    },
  };
}

type Declaration = ts.FunctionDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

function declarationOf(source: ts.SourceFile, name: string): Declaration | undefined {
  return source.statements.find(
    (statement): statement is Declaration =>
      (ts.isFunctionDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement)) &&
      statement.name?.text === name,
  );
}

function typesMadeBy(checker: ts.TypeChecker, declaration: Declaration): ts.Type[] {
  if (!ts.isFunctionDeclaration(declaration)) return [checker.getTypeAtLocation(declaration)];
  const types = documentsIn(checker, declaration);
  if (types.length > 0) return types;
  const signature = checker.getSignatureFromDeclaration(declaration);
  return signature === undefined ? [] : [checker.getReturnTypeOfSignature(signature)];
}

/** Whatever stands under `document` in an object that the function makes. */
function documentsIn(checker: ts.TypeChecker, within: ts.Node): ts.Type[] {
  const types: ts.Type[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'document')
      types.push(checker.getTypeAtLocation(node.initializer));
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'document') {
      const symbol = checker.getShorthandAssignmentValueSymbol(node);
      if (symbol !== undefined) types.push(checker.getTypeOfSymbolAtLocation(symbol, node));
    }
    ts.forEachChild(node, walk);
  };
  walk(within);
  return types;
}
