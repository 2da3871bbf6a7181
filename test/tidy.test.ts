/**
 * The project's own rules (docs/architecture.md 1, CONTRIBUTING.md), checked on its source; each fails with its
 * reason.
 */
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';

import { brokenCitations, statedNumbers, unstatedNumbers } from './tidy/citations.ts';
import type { Citing, Library } from './tidy/citations.ts';
import { RULES, worldInSql } from './tidy/rules.ts';
import {
  circlesOf,
  filesBelow,
  filesOfProject,
  importsOf,
  parseSource,
  reachedFrom,
  readSources,
  readText,
} from './tidy/source-tree.ts';

const PRODUCT = ['src', 'jobs', 'reports'];
const sources = readSources([...PRODUCT, 'test', 'bench']);
const product = sources.filter(({ path }) => /^(?:src|jobs|reports)\//.test(path));
const ENTRY = 'jobs/main.ts';
/** What a program imports (`exports` of package.json). */
const PACKAGE = 'jobs/api/package.ts';

const paths = filesOfProject([...PRODUCT, 'test', 'bench', 'migrations', 'docs', '.ci']);
/** They cite documents that were never here; a migration that landed is never changed. */
const FROZEN = ['0003_orders', '0012_order_refused', '0018_settle_shown', '0023_break_lives_on'].map(
  (name) => `migrations/${name}.sql`,
);
const citing: readonly Citing[] = paths
  .filter((path) => /\.(?:md|ts|sql|sh)$/.test(path) && !FROZEN.includes(path))
  .map((path) => ({ path, text: readText(path) }));

describe('the source', () => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    const found = sources.filter(({ path }) => rule.holdsIn(path)).flatMap((source) => rule.find(source));
    expect(found, `${rule.name}: ${rule.reason}`).toEqual([]);
  });

  test('every file is reached from jobs/main.ts or from what programs import', () => {
    const reached = new Set(
      [ENTRY, PACKAGE].flatMap((entry) => [...reachedFrom(entry, sources, ['type', 'static', 'dynamic'])]),
    );
    const lost = product.map(({ path }) => path).filter((path) => !reached.has(path));
    expect(lost, 'a file that nothing reaches is code that is kept, read and never run').toEqual([]);
  });

  test('no file imports itself in a circle, types included', () => {
    const built = sources.filter(({ path }) => !path.startsWith('test/'));
    const targets = new Map(
      built.map((source) => [source.path, importsOf(source).flatMap(({ target }) => target ?? [])]),
    );
    expect(circlesOf(targets), 'two files that need each other are one, or lack a third').toEqual([]);
  });

  test('a folder holds at most 25 files', () => {
    const folders = Map.groupBy(product, ({ path }) => dirname(path));
    const full = [...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder);
    expect(full, 'nobody finds a rule among more').toEqual([]);
  });

  test('heavy packages are loaded by the command that needs them', () => {
    const heavy = [
      'exceljs',
      'pdf-lib',
      'fastify',
      'undici',
      '@electric-sql/pglite',
      'pg',
      'pg-boss',
      'pg-copy-streams',
    ];
    const eager = reachedFrom(ENTRY, sources, ['static']);
    const loaded = product
      .filter(({ path }) => eager.has(path))
      .flatMap((source) => importsOf(source).map((found) => ({ ...found, path: source.path })))
      .filter(({ specifier, kind }) => kind === 'static' && heavy.some((name) => belongsTo(specifier, name)))
      .map(({ path, line, specifier }) => `${path}:${line} loads ${specifier}`);
    expect(eager.has(ENTRY), `${ENTRY} is there`).toBe(true);
    expect(loaded, 'recon --help must start at once: import() heavy packages in their command').toEqual([]);
  });

  test('documents and comments cite documents, sections and files that are there', () => {
    const library: Library = { paths: new Set(paths), read: readText };
    const found = citing.flatMap((one) => brokenCitations(one, library));
    expect(found, 'who follows a citation must find what it names').toEqual([]);
  });

  test('every requirement number that is cited is stated in docs/requirements.md', () => {
    const stated = statedNumbers(readText('docs/requirements.md'));
    const found = citing.flatMap((one) => unstatedNumbers(one, stated));
    expect(found, 'a number that nobody can look up says nothing').toEqual([]);
  });

  test('migrations have at most 300 lines, ask for no time or chance, and say why they exist', () => {
    for (const path of filesBelow('migrations', '.sql')) {
      const text = readText(path);
      expect(text.split('\n').length, `${path} is too long to be read`).toBeLessThanOrEqual(301);
      expect(worldInSql(text), `${path}: the clock of the run decides, not the database's`).toBeUndefined();
      expect(text.trimStart().startsWith('--'), `${path} opens with a comment saying why`).toBe(true);
    }
  });
});

function belongsTo(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}

describe('the rules see what they are for', () => {
  test('a circle of three is told once, and what leads into it is none of it', () => {
    const targets = { a: ['b'], b: ['c'], c: ['d', 'gone'], d: ['b', 'e'], e: [] };
    expect(circlesOf(new Map(Object.entries(targets)))).toEqual([['b', 'c', 'd']]);
  });

  const LATER = ['// TO', 'DO later'].join('');
  const findings = (path: string, text: string): string[] => {
    const source = parseSource(path, text);
    return RULES.filter((rule) => rule.holdsIn(path))
      .flatMap((rule) => rule.find(source))
      .map((finding) => finding.replace(`${path}:`, ''));
  };

  test.each([
    ['src/core/a.ts', "import { x } from '../store/b.ts';", '1 imports src/store/b.ts'],
    ['src/store/a.ts', "import type { x } from '../platform/b.ts';", '1 imports src/platform/b.ts'],
    ['src/sandbox/a.ts', "import { x } from '../platform/client.ts';", '1 imports src/platform/client.ts'],
    ['src/excel/a.ts', "const x = await import('../../reports/b.ts');", '1 imports reports/b.ts'],
    ['reports/a.ts', "export * from '../jobs/b.ts';", '1 imports jobs/b.ts'],
    ['jobs/commands/nightly.ts', "import { x } from '../../src/sandbox/b.ts';", '1 imports src/sandbox/b.ts'],
    ['jobs/a.ts', "import { x } from '../test/helpers/b.ts';", '1 imports test/helpers/b.ts'],
    ['src/core/a.ts', "import { x } from './b.js';", '1 imports ./b.js'],
    ['src/core/a.ts', 'const home = process.env.HOME;', '1 process.env'],
    ['jobs/a.ts', "const home = process['env'];", "1 process['env']"],
    ['jobs/a.ts', 'const { env } = process;', '1 { env } = process'],
    ['jobs/a.ts', "import { env } from 'node:process';", '1 imports process'],
    ['src/store/a.ts', "console.log('x');", '1 console'],
    ['src/store/a.ts', '\nconst now = new Date();', '2 Date'],
    ['reports/a.ts', 'const now = Date.now();', '1 Date.now'],
    ['jobs/a.ts', "import { setTimeout } from 'node:timers/promises';", '1 setTimeout'],
    ['jobs/a.ts', 'const x = Math.random();', '1 Math.random'],
    ['jobs/a.ts', "import { randomUUID } from 'node:crypto';", '1 randomUUID'],
    ['jobs/a.ts', 'const t = performance.now();', '1 performance.now'],
    ['reports/a.ts', 'const x = Number(row.amountFen);', '1 Number(row.amountFen)'],
    ['reports/a.ts', "const x = Number(row['amount_fen']);", "1 Number(row['amount_fen'])"],
    ['reports/a.ts', 'const x = +feeFen;', '1 +feeFen'],
    ['src/store/a.ts', 'const q = sql`select now() - ${x}`;', '1 now()'],
    ['src/store/a.ts', "const q = 'order by RANDOM()';", '1 RANDOM()'],
    ['src/store/a.ts', 'const q = sql`${x} < current_timestamp`;', '1 current_timestamp'],
    ['src/core/utils.ts', '', 'src/core/utils.ts (utils)'],
    ['src/store/index.ts', '', 'src/store/index.ts (index)'],
    ['src/common/a.ts', '', 'src/common/a.ts (common)'],
    ['src/core/dateHelper.ts', '', 'src/core/dateHelper.ts (dateHelper)'],
    ['src/core/a.ts', 'export default function x(): void {}', '1 a default export'],
    ['src/core/a.ts', 'const x = 1;\nexport default x;', '2 a default export'],
    ['src/core/a.ts', LATER, `1 ${LATER}`],
    ['src/core/a.ts', 'const x: any = 1;', '1 any'],
    ['src/core/a.ts', 'const y = x!.z;', '1 x!'],
    ['src/core/a.ts', `x();${'\n'.repeat(301)}y();`, 'src/core/a.ts has 302 lines'],
    ['src/core/a.ts', `const f = () => {${'\n'.repeat(60)}};`, '1 a function of 61 lines'],
  ])('%s: %j', (path, text, finding) => {
    expect(findings(path, text)).toEqual([finding]);
  });

  test.each([
    ['src/sandbox/a.ts', "import { x } from '../platform/contract-subject.ts';"],
    ['jobs/demo/demo.ts', "import { x } from '../src/sandbox/b.ts';"],
    ['src/core/config/config.ts', 'const copy = { ...process.env };'],
    ['src/core/clock.ts', 'const x = () => setTimeout(f, Date.now());'],
    ['src/core/json.ts', 'const x = Number(amountFen);'],
    ['src/store/a.ts', 'const x = sql`select created_at from knowledge where now_at = ${clock.now()}`;'],
    ['test/helpers/a.ts', 'const home = process.env.HOME;'],
    ['jobs/a.ts', 'process.exitCode = 1; console.log(process.argv);'],
  ])('%s: %j is in order', (path, text) => {
    expect(findings(path, text)).toEqual([]);
  });

  test('a type import loads nothing, an import of a type by name does', () => {
    const source = parseSource(
      'jobs/a.ts',
      "import type { A } from 'pg';\nimport { type B } from 'pg';\nexport type { C } from 'pg';",
    );
    expect(importsOf(source).map(({ kind }) => kind)).toEqual(['type', 'static', 'type']);
  });
});

describe('citations are followed', () => {
  /** In two parts, because this file is read as well. */
  const BEHIND = ['const x = 1; /', '/ as core/none.ts has it'].join('');
  const documents: Readonly<Record<string, string>> = {
    'README.md': '# Recon\n\n## Trying it out\n',
    'docs/proof.md': '# Proof\n\n## 3.4 Openings\n\n## 5. Files\n',
  };
  const library: Library = {
    paths: new Set([...Object.keys(documents), 'src/core/fen.ts', 'test/foreign/client.sh']),
    read: (path) => documents[path] ?? '',
  };
  const findings = (path: string, text: string): string[] =>
    brokenCitations({ path, text }, library).map((finding) => finding.replace(`${path}:`, ''));

  test.each([
    ['src/core/a.ts', '/** As spec/proof.md says. */', '1 spec/proof.md'],
    ['src/core/a.ts', '/** The proof (proof.md). */', '1 proof.md'],
    ['src/core/a.ts', '\n// (docs/proof.md 3.5)', '2 docs/proof.md 3.5'],
    ['src/core/a.ts', '/**\n * What opens (U1; docs/proof.md\n * 3.5).\n */', '2 docs/proof.md 3.5'],
    ['src/core/a.ts', BEHIND, '1 core/none.ts'],
    ['src/core/a.ts', '/** Below `src/none/`. */', '1 src/none/'],
    ['migrations/a.sql', 'select 1; -- docs/none.md', '1 docs/none.md'],
    ['test/foreign/client.sh', 'true # see src/core/none.ts', '1 src/core/none.ts'],
    ['README.md', 'See [the proof](docs/none.md).', '1 docs/none.md'],
    ['README.md', 'See [the proof](docs/proof.md#closings).', '1 docs/proof.md#closings'],
    ['README.md', 'Amounts are in `src/core/none.ts`.', '1 src/core/none.ts'],
    ['docs/proof.md', '[Recon](README.md)', '1 docs/README.md'],
  ])('%s: %j', (path, text, finding) => {
    expect(findings(path, text)).toEqual([finding]);
  });

  test.each([
    ['src/core/a.ts', '/** As docs/proof.md 3.4 and 5 say (core/fen.ts, README.md). */'],
    ['src/core/a.ts', "const name = 'spec/none.md';"],
    ['src/core/a.ts', '// https://example.org/none.md and `reports/<day>/none-<n>.md`'],
    ['README.md', 'See [the proof](docs/proof.md#34-openings), [below](#trying-it-out), [docs](docs/).'],
    ['docs/proof.md', '[Recon](../README.md) begins in [proof.md](proof.md) 3.4, with `src/core/`.'],
  ])('%s: %j is in order', (path, text) => {
    expect(findings(path, text)).toEqual([]);
  });

  test('a number is stated by an item of its own', () => {
    const stated = statedNumbers('- **U1** What? And U2.\n- **DEP-03**: no more than a month');
    const text = '/** U1, U2, DEP-03 and DEP-04. */\nconst u9 = `U9`;';
    expect(unstatedNumbers({ path: 'a.ts', text }, stated)).toEqual(['a.ts:1 U2', 'a.ts:1 DEP-04']);
  });
});
