/** The file of `--env-file`: lines of `NAME=value`, read as Node reads them, but a line that says nothing is a fault. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

import { fileFault } from './config-checks.ts';
import type { AddFault } from './config-checks.ts';

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*(.*)$/;

/** The variables of the file; faults name the file and the line, never a value. */
export function readEnvFile(path: string, addFault: AddFault): Readonly<Record<string, string | undefined>> {
  const fault = fileFault(path);
  if (fault !== undefined) {
    addFault(`the file of --env-file cannot be read: ${JSON.stringify(path)} (${fault})`);
    return {};
  }
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  for (const line of linesWithoutSense(text)) addFault(`line ${line} of ${path} is not NAME=value`);
  return { ...parseEnv(text) };
}

function linesWithoutSense(text: string): number[] {
  const found: number[] = [];
  let openQuote: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (openQuote !== undefined) {
      if (line.includes(openQuote)) openQuote = undefined;
      continue;
    }
    const value = ASSIGNMENT.exec(line)?.[1];
    if (value === undefined && !/^\s*(?:#|$)/.test(line)) found.push(at + 1);
    openQuote = quoteLeftOpen(value ?? '');
  }
  return found;
}

/** The quote a value begins with and does not close on its line. */
function quoteLeftOpen(value: string): string | undefined {
  const quote = /^["'`]/.exec(value)?.[0];
  return quote !== undefined && !value.includes(quote, 1) ? quote : undefined;
}
