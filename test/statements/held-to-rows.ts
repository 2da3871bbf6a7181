/** Refuses a row that is not what the statement's type declares: too many columns, too few, values of another kind. */
import { readFileSync } from 'node:fs';
import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely';
import { keyOf } from './declared-key.ts';
import type { Columns } from './declared-key.ts';

/** Undefined where nothing was declared: a run that is not a full one. */
export function heldToRows(): KyselyPlugin | undefined {
  const file = process.env['TEST_STATEMENTS'];
  return file === undefined
    ? undefined
    : pluginOf(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Columns>);
}

export function pluginOf(declared: Readonly<Record<string, Columns>>): KyselyPlugin {
  const running = new WeakMap<QueryId, { text: string; columns: Columns }>();
  return {
    transformQuery: ({ node, queryId }) => {
      const text = textOf(node);
      const columns = text === undefined ? undefined : declared[text];
      if (text !== undefined && columns !== undefined) running.set(queryId, { text, columns });
      return node;
    },
    transformResult: ({ result, queryId }) => {
      const query = running.get(queryId);
      if (query !== undefined) {
        for (const row of result.rows) {
          const fault = faultOf(row, query);
          if (fault !== undefined)
            return Promise.reject(new Error(`${fault}, in what was read by:\n${query.text}`));
        }
      }
      return Promise.resolve(result);
    },
  };
}

function textOf(node: RootOperationNode): string | undefined {
  return node.kind === 'RawNode' ? keyOf(node.sqlFragments) : undefined;
}

/** Who reads a whole record need not use all of it. */
const WHOLE_RECORD = /\bselect \w*\.?\*/;

function faultOf(row: unknown, { text, columns }: { text: string; columns: Columns }): string | undefined {
  const record = row as Readonly<Record<string, unknown>>;
  const isWhole = WHOLE_RECORD.test(text);
  for (const name of Object.keys(record)) {
    if (!isWhole && !Object.hasOwn(columns, name)) return `column ${name} is read and not declared`;
  }
  for (const [name, kinds] of Object.entries(columns)) {
    const value = record[name];
    const kind = value === null ? 'null' : typeof value;
    if (!kinds.includes(kind)) return `column ${name} is ${kind} and declared ${kinds.join(' | ')}`;
  }
  return undefined;
}
