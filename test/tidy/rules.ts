/** The rules of the source that hold file by file. Each says where it holds and what it finds wrong there. */
import * as ts from 'typescript';

import { importsOf, layerOf, lineOf, nameOf, walk } from './source-tree.ts';
import type { Source } from './source-tree.ts';

export interface Rule {
  /** The sentence that must be true. */
  name: string;
  /** Why, for the person whose change broke it. */
  reason: string;
  holdsIn: (path: string) => boolean;
  find: (source: Source) => string[];
}

const inProduct = (path: string): boolean => /^(?:src|jobs|reports)\//.test(path);
const everywhere = (): boolean => true;

/** Findings are `path:line what`. */
function at(source: Source, node: ts.Node, what: string): string {
  return `${source.path}:${lineOf(source, node)} ${what}`;
}

function collect(source: Source, check: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    const what = check(node);
    if (what !== undefined) found.push(at(source, node, what));
  });
  return found;
}

/** Which folders each folder may import; the table of docs/architecture.md 1. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/platform': ['src/core'],
  'src/store': ['src/core'],
  'src/orders': ['src/core', 'src/store'],
  'src/settlements': ['src/core', 'src/store', 'src/orders'],
  'src/intake': ['src/core', 'src/store'],
  'src/reconcile': ['src/core', 'src/store'],
  'src/vouchers': ['src/core', 'src/store'],
  'src/excel': ['src/core'],
  'src/sandbox': ['src/core'],
  reports: ['src/core', 'src/store', 'src/settlements', 'src/excel'],
};
/** Jobs, tests and benchmarks may import everything; but the sandbox is for three jobs only. */
const IMPORT_ALL = ['jobs', 'test', 'bench'];
const SHARED_WITH_SANDBOX = /^src\/platform\/(?:contract(?:-[a-z]+)*|sign)\.ts$/;
const KNOWS_SANDBOX = /^(?:src\/sandbox\/|test\/|bench\/|jobs\/(?:main\.ts$|demo\/))/;

function mayImport(path: string, target: string): boolean {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (to === 'src/sandbox' && !KNOWS_SANDBOX.test(path)) return false;
  if (to === 'test' && from !== 'test') return false;
  if (from === to || IMPORT_ALL.includes(from)) return true;
  if (from === 'src/sandbox' && SHARED_WITH_SANDBOX.test(target)) return true;
  return MAY_IMPORT[from]?.includes(to) ?? false;
}

const imports: Rule = {
  name: 'imports go jobs → reports → src and along the table of folders',
  reason: 'a folder that imports freely cannot be changed, tested or replaced alone',
  holdsIn: everywhere,
  find: (source) =>
    importsOf(source)
      .filter(({ target }) => target !== undefined && !mayImport(source.path, target))
      .map(({ target, line }) => `${source.path}:${line} imports ${target}`),
};

const importEndings: Rule = {
  name: 'relative imports name their .ts file',
  reason: 'Node runs the sources as they are and guesses no ending',
  holdsIn: everywhere,
  find: (source) =>
    importsOf(source)
      .filter(
        ({ specifier, target, kind }) =>
          target !== undefined && kind !== 'dynamic' && !specifier.endsWith('.ts'),
      )
      .map(({ specifier, line }) => `${source.path}:${line} imports ${specifier}`),
};

const LINES_MAX = 300;
const FUNCTION_LINES_MAX = 60;

const shortFiles: Rule = {
  name: `a file has at most ${LINES_MAX} lines`,
  reason: 'what does not fit on a few screens holds more than one thing',
  holdsIn: everywhere,
  find: ({ path, text }) => {
    const lines = text.replace(/\n$/, '').split('\n').length;
    return lines > LINES_MAX ? [`${path} has ${lines} lines`] : [];
  },
};

const shortFunctions: Rule = {
  name: `a function has at most ${FUNCTION_LINES_MAX} lines`,
  reason: 'a reader must see its beginning and its end at once',
  holdsIn: inProduct,
  find: (source) =>
    collect(source, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return undefined;
      const end = source.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
      const lines = end - lineOf(source, node) + 1;
      return lines > FUNCTION_LINES_MAX ? `a function of ${lines} lines` : undefined;
    }),
};

/** `process.env`, also taken apart or imported by name. */
const environment: Rule = {
  name: 'process.env is read in core/config.ts only',
  reason: 'settings are read once, whole, and named together when wrong',
  holdsIn: (path) => inProduct(path) && path !== 'src/core/config/config.ts',
  find: (source) => {
    const named = importsOf(source).filter(({ specifier }) => /^(?:node:)?process$/.test(specifier));
    return [
      ...named.map(({ line }) => `${source.path}:${line} imports process`),
      ...collect(source, (node) => {
        const text = ts.isIdentifier(node) && node.text === 'process' ? node.parent.getText(source.tree) : '';
        return /^process\??\.env$|^process\[|=\s*process$/.test(text) ? text : undefined;
      }),
    ];
  },
};

const noConsole: Rule = {
  name: 'console is used in jobs/ only',
  reason: 'stdout belongs to the result and stderr to the log, whose lines are masked',
  holdsIn: (path) => inProduct(path) && !path.startsWith('jobs/'),
  find: (source) =>
    collect(source, (node) => (ts.isIdentifier(node) && node.text === 'console' ? 'console' : undefined)),
};

const PORT_ADAPTERS = ['src/core/clock.ts', 'src/core/ids.ts', 'src/core/time.ts'];
const WORLD_NAMES = /^(?:setTimeout|setInterval|randomUUID|hrtime)$/;
const WORLD_CALLS = /^(?:Date\.now|Math\.random|performance\.now|performance\.timeOrigin|process\.uptime)$/;

const worldThroughPorts: Rule = {
  name: 'time and chance come through the ports of core',
  reason: 'a whole night runs in a seeded simulation only when nothing reaches the real world beside them',
  holdsIn: (path) => inProduct(path) && !PORT_ADAPTERS.includes(path),
  find: (source) =>
    collect(source, (node) => {
      if (ts.isIdentifier(node) && WORLD_NAMES.test(node.text)) return node.text;
      if (ts.isPropertyAccessExpression(node) && WORLD_CALLS.test(node.getText(source.tree))) {
        return node.getText(source.tree);
      }
      const makesDate =
        (ts.isNewExpression(node) || ts.isCallExpression(node)) && isNamed(node.expression, 'Date');
      return makesDate ? 'Date' : undefined;
    }),
};

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

const TO_NUMBER = /^(?:Number|parseInt|parseFloat|Number\.parseInt|Number\.parseFloat)$/;
const MONEY_NAME = /Fen$|_fen$/;

const moneyStaysWhole: Rule = {
  name: 'money is never made a number',
  reason:
    'a double is exact only by luck; fen are bigint, and core/fen.ts and core/json.ts turn them at the edge',
  holdsIn: (path) => inProduct(path) && path !== 'src/core/json.ts' && path !== 'src/core/fen.ts',
  find: (source) =>
    collect(source, (node) => {
      const byCall = ts.isCallExpression(node) && TO_NUMBER.test(node.expression.getText(source.tree));
      if (byCall && namesMoney(node.arguments)) return node.getText(source.tree);
      const bySign = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.PlusToken;
      return bySign && namesMoney([node.operand]) ? node.getText(source.tree) : undefined;
    }),
};

function namesMoney(nodes: readonly ts.Node[]): boolean {
  let found = false;
  for (const node of nodes) {
    walk(node, (inner) => {
      if ((ts.isIdentifier(inner) || ts.isStringLiteralLike(inner)) && MONEY_NAME.test(inner.text))
        found = true;
    });
  }
  return found;
}

const WORLD_IN_SQL = [
  /\b(?:now|random|gen_random_uuid)\s*\(\s*\)/i,
  /\b(?:current_(?:timestamp|date|time)|(?:clock|statement|transaction)_timestamp)\b/i,
  /\b(?:localtime(?:stamp)?|LOCALTIME(?:STAMP)?)\b/,
];

/** What SQL may not ask of the database's own clock and dice; the text of one statement or file. */
export function worldInSql(text: string): string | undefined {
  const statements = text.replace(/--.*$/gm, '');
  return WORLD_IN_SQL.map((words) => words.exec(statements)?.[0]).find((found) => found !== undefined);
}

const DATABASE_CLOCK = [
  'src/store/database/leases.ts',
  'src/store/orders/order-claims.ts',
  'src/store/units/platform-rate.ts',
  'src/intake/pull/books-postgres.ts',
];

const sqlWithoutWorld: Rule = {
  name: 'SQL asks for no time and no chance of its own',
  reason: 'the clock of the run decides; a database has another one, and a rehearsal would not reach it',
  // By it alone machines agree on leases, claims and turns; and the company's alone knows when what is read was fixed.
  holdsIn: (path) => inProduct(path) && !DATABASE_CLOCK.includes(path),
  find: (source) =>
    collect(source, (node) => {
      const literal =
        ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddle(node) ||
        ts.isTemplateTail(node);
      return literal ? worldInSql(node.text) : undefined;
    }),
};

const BANNED_NAMES = /^(?:.*-)?(?:utils?|helpers?|managers?)$|^(?:service|services|common|index|misc|lib)$/;

const tellingNames: Rule = {
  name: 'files are named for what they hold',
  reason: 'utils, helpers, manager, service, common and index name nothing, so everything ends up in them',
  holdsIn: everywhere,
  find: ({ path }) => {
    const folders = path
      .split('/')
      .slice(0, -1)
      .join('/')
      .replace(/^test\/helpers/, 'test')
      .split('/');
    const bad = [...folders, nameOf(path)].filter((name) => BANNED_NAMES.test(name));
    const cased = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(nameOf(path)) ? [] : [nameOf(path)];
    return [...bad, ...cased].map((name) => `${path} (${name})`);
  },
};

const namedExports: Rule = {
  name: 'there is no default export',
  reason: 'a thing has one name wherever it is used',
  holdsIn: everywhere,
  find: (source) =>
    collect(source, (node) => {
      const assigned = ts.isExportAssignment(node);
      const marked = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isDefault);
      return assigned || marked ? 'a default export' : undefined;
    }),
};

function isDefault(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.DefaultKeyword;
}

/** In two parts, because this file is read as well. */
const UNFINISHED = new RegExp(['\\b(?:TO', 'DO|FIX', 'ME)\\b'].join(''));

const finished: Rule = {
  name: 'nothing is left for later',
  reason: 'what is open stands in an issue, where someone looks for it',
  holdsIn: everywhere,
  find: ({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (UNFINISHED.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
};

const checkedTypes: Rule = {
  name: 'types are not switched off',
  reason: 'any, ! and ignored errors hide exactly the mistakes the compiler is here for',
  holdsIn: everywhere,
  find: (source) => [
    ...collect(source, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
      return ts.isNonNullExpression(node) ? node.getText(source.tree) : undefined;
    }),
    ...source.text.split('\n').flatMap((line, at) => {
      const ignored = /@ts-(?:ignore|nocheck|expect-error)/.test(line) && !line.includes('@ts-(');
      return ignored ? [`${source.path}:${at + 1} ${line.trim()}`] : [];
    }),
  ],
};

export const RULES: readonly Rule[] = [
  imports,
  importEndings,
  shortFiles,
  shortFunctions,
  environment,
  noConsole,
  worldThroughPorts,
  moneyStaysWhole,
  sqlWithoutWorld,
  tellingNames,
  namedExports,
  finished,
  checkedTypes,
];
