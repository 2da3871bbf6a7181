/** What people type for `recon call`: the endpoint's name and its data, from the command line, a file or stdin. */
import { readFile } from 'node:fs/promises';
import { WrongInput, codeOf, messageOf } from '../../src/core/errors.ts';
import { isJsonObject, parseJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { nearest } from '../../src/core/nearest.ts';
import { ENDPOINT_NAMES, PATH_PREFIX } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';

/** The largest transfer of twenty orders has some kilobytes. */
const BYTES_MAX = 1_048_576;

/**
 * The text of the data: `-` is stdin, `@FILE` a file, all else is the data itself.
 * @throws WrongInput when it cannot be read, or is longer than a megabyte
 */
export async function readData(given: string): Promise<string> {
  if (given !== '-' && !given.startsWith('@')) return given;
  const where = given === '-' ? 'stdin' : given.slice(1);
  const bytes = given === '-' ? await readStdin() : await readDataFile(where);
  if (bytes.length > BYTES_MAX) throw new WrongInput(`the data in ${where} has more than ${BYTES_MAX} bytes`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

async function readDataFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new WrongInput(`the data cannot be read: ${reasonOf(error, file)}`, [], {}, { cause: error });
  }
}

function reasonOf(error: unknown, file: string): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no file ${file}`;
  if (code === 'EISDIR') return `${file} is a folder`;
  return code === 'EACCES' ? `${file} may not be read by this user` : messageOf(error);
}

/**
 * A JSON object with its numbers as they were written: an integer too long for a number is kept as text
 * (`recordId`, ENV-25), a fraction stays one, so that `--unchecked` sends it. Undefined for all else.
 */
export function parseData(text: string): JsonObject | undefined {
  try {
    // Says first whether it is JSON, and not too deep.
    parseJson(text);
    const value: unknown = JSON.parse(text, keepLongDigits);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function keepLongDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const isKept = Number.isSafeInteger(value) || (Number.isFinite(value) && !/^-?\d+$/.test(source));
  return isKept ? value : source;
}

export function findEndpoint(name: string): EndpointName | undefined {
  return ENDPOINT_NAMES.find((known) => known === name);
}

/** A sentence with the names it was probably meant to be. */
export function unknownEndpoint(name: string): string {
  const near = nearEndpoints(name);
  const hint =
    near.length === 0
      ? `: ${ENDPOINT_NAMES.join(', ')} (recon call --list)`
      : ` (did you mean ${near.join(' or ')}?)`;
  return `${JSON.stringify(name)} is no endpoint${hint}`;
}

/** More than that help nobody. */
const NEAR_MAX = 3;

/** By the whole name, by its last part, and by a part of it, also with the path's beginning before it. */
function nearEndpoints(given: string): EndpointName[] {
  const name = given.replace(PATH_PREFIX, '').replace(/^\/+|\/+$/g, '');
  const last = lastPart(name);
  const whole = nearest(name, ENDPOINT_NAMES);
  const part = nearest(last, ENDPOINT_NAMES.map(lastPart));
  const isNear = (known: EndpointName): boolean =>
    known === whole ||
    lastPart(known) === part ||
    (last.length >= 3 && lastPart(known).toLowerCase().includes(last.toLowerCase()));
  return ENDPOINT_NAMES.filter(isNear).slice(0, NEAR_MAX);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
