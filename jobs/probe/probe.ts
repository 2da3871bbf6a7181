/**
 * `recon probe`: harmless queries that find out which values of the profile the platform confirms, contradicts or
 * leaves open. Nothing is stored but the profile file that was asked for.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readProfileFile } from '../../src/core/config/config.ts';
import { WrongInput, codeOf } from '../../src/core/errors.ts';
import { isJsonObject, jsonText } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { parseDayOption, requirePast } from '../context/day-arguments.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome, Surroundings } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { readFacts } from './probe-facts.ts';
import type { GivenFacts } from './probe-facts.ts';
import type { Finding, Judged } from './probe-finding.ts';
import { ProbeLine } from './probe-line.ts';
import { profileFound } from './probe-profile.ts';
import { probe } from './probe-run.ts';
import { probeText } from './probe-text.ts';

export interface ProbeOptions extends CommonOptions {
  account?: string;
  batch?: string;
  withdrawal?: string;
  day?: string;
  thorough?: boolean;
  write?: string;
  force?: boolean;
}

interface ProbeCall {
  given: GivenFacts;
  isThorough: boolean;
  /** Absolute; undefined: the profile is only shown. */
  file: string | undefined;
  mayReplace: boolean;
}

export function probeCommand(options: ProbeOptions): Promise<void> {
  const needs = { platform: true, arguments: (at: Surroundings) => readCall(options, at) };
  return withContext(options, needs, probeOnce);
}

/** @throws WrongInput naming every fault, before anything is asked */
export async function readCall(options: ProbeOptions, { zone, clock }: Surroundings): Promise<ProbeCall> {
  const faults: string[] = [];
  const { account, batch, withdrawal, write } = options;
  for (const [name, number] of Object.entries({ account, batch, withdrawal })) {
    if (number !== undefined && !/^\S{1,64}$/.test(number))
      faults.push(`--${name} ${jsonText(number)} is no number of the platform`);
  }
  const day = readDay(options.day, { zone, clock }, faults);
  const file = write === undefined ? undefined : path.resolve(write);
  const mayReplace = options.force === true;
  if (file !== undefined) faults.push(...(await fileFaults(file, mayReplace)));
  if (faults.length > 0)
    throw faults.length === 1 ? new WrongInput(faults[0] ?? '') : new WrongInput('wrong call:', faults);
  return {
    given: { account, batch, withdrawal, day },
    isThorough: options.thorough === true,
    file,
    mayReplace,
  };
}

function readDay(
  text: string | undefined,
  { zone, clock }: Surroundings,
  faults: string[],
): string | undefined {
  try {
    if (text === undefined) return undefined;
    return requirePast('--day', parseDayOption('--day', text), zone.dayOf(clock.wall()));
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** Looked at before the platform is asked, and again before the file is written. */
async function fileFaults(file: string, mayReplace: boolean): Promise<string[]> {
  const folder = path.dirname(file);
  if (!(await isFolder(folder))) return [`--write ${file}: there is no folder ${folder}`];
  if (await isFolder(file)) return [`--write ${file} is a folder`];
  const isThere = (await readdir(folder)).includes(path.basename(file));
  return isThere && !mayReplace ? [`--write ${file} is there already; --force replaces it`] : [];
}

async function isFolder(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

async function probeOnce(context: Context, call: ProbeCall): Promise<Outcome> {
  const { profile, settings, files } = context;
  const findings = await askPlatform(context, call);
  const changed = profileFound(profileGiven(settings), profile, findings);
  if (call.file !== undefined) {
    const [fault] = await fileFaults(call.file, call.mayReplace);
    if (fault !== undefined) throw new WrongInput(fault);
    await files.writeWhole(call.file, `${jsonText(changed, 2)}\n`);
  }
  const document = { schema: 1, findings: findings.map(finding), profile: changed };
  return { status: 0, document, text: probeText(findings, { profile: changed, file: call.file }) };
}

async function askPlatform(context: Context, call: ProbeCall): Promise<Judged[]> {
  const { settings, profile, zone, clock, ids, credentials, signal, db } = context;
  const { platform } = settings;
  if (platform === undefined || credentials === undefined) throw new Error('Bug: a probe without a platform');
  const { openTransport } = await import('../../src/platform/transport.ts');
  const http = openTransport({
    baseUrl: platform.url,
    timeouts: profile.http.timeouts,
    retryAfterMaxSeconds: profile.http.retryAfterMaxSeconds,
    connections: profile.http.rate.concurrency,
  });
  try {
    const line = new ProbeLine({
      baseUrl: platform.url,
      credentials,
      profile,
      zone,
      http,
      clock,
      ids,
      signal,
    });
    const facts = await readFacts(db, call.given, { zone, today: zone.dayOf(clock.wall()) });
    return await probe(line, facts, call.isThorough);
  } finally {
    await http.close();
  }
}

/** What the file in force says itself; it was read and checked when the settings were. */
function profileGiven(settings: Context['settings']): JsonObject {
  const { text } = readProfileFile(settings);
  const given: unknown = text === undefined ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));
  return isJsonObject(given) ? given : {};
}

function finding({ u, key, tried, answer, inForce, found, verdict }: Judged): Finding {
  return { u, key, tried, answer, inForce, found, verdict };
}
