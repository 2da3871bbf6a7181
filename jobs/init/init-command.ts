/**
 * `recon init`: what a first night needs, in a folder of its own, and what comes next. Settings name their files by whole
 * paths, so that the commands may be called from anywhere. What is there already stays as it is.
 */
import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { WrongInput, codeOf } from '../../src/core/errors.ts';
import { diskFiles } from '../../src/core/files.ts';
import { jsonText } from '../../src/core/json.ts';
import { readProfile } from '../../src/core/profile/profile.ts';
import { EXIT, finish } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { inQuotes } from '../completion/shell-text.ts';
import { askPerson } from './ask.ts';
import type { Answers } from './ask.ts';
import { envText, NEEDED } from './env-text.ts';
import { SAMPLES } from './sample-files.ts';

export interface InitOptions extends CommonOptions {
  dryRun?: boolean;
  /** False: nothing is asked, on a terminal either. */
  ask?: boolean;
}

export function initCommand(folder: string, options: InitOptions): Promise<void> {
  return finish(options, async () => {
    const root = path.resolve(folder);
    requirePlainPath(root);
    await requireFolder(root);
    const isDry = options.dryRun === true;
    const made: Made[] = [];
    const answers = (await isToBeAsked(root, options)) ? await askPerson(root) : UNASKED;
    for (const part of partsOf(root, answers)) made.push(await (isDry ? rehearse : make)(part));
    return outcomeOf({ root, isDry, made, answers });
  });
}

const UNASKED: Answers = { settings: {}, companyName: '' };

/** A person is at the terminal, and the settings are not there yet: those stay as they are. */
async function isToBeAsked(root: string, { ask, dryRun, json }: InitOptions): Promise<boolean> {
  if (ask === false || dryRun === true || json === true) return false;
  return process.stdin.isTTY && process.stdout.isTTY && !(await isThere(path.join(root, '.env')));
}

/** A file with its text, or a folder. */
interface Part {
  path: string;
  text: string | undefined;
}

interface Made {
  path: string;
  kind: 'file' | 'folder';
  /** `kept`: it was there already, and stays as it is. */
  outcome: 'made' | 'kept';
}

function partsOf(root: string, { settings: answered, companyName }: Answers): Part[] {
  const at = (...names: string[]): string => path.join(root, ...names);
  const [home, inbox, profile] = [at('var'), at('inbox'), at('profile.json')];
  const settings = envText({
    ...NEEDED,
    ...answered,
    PLATFORM_PROFILE: profile,
    RECON_HOME: home,
    INTAKE_INBOX: inbox,
  });
  const folder = (name: string): Part => ({ path: name, text: undefined });
  return [
    folder(root),
    { path: at('.env'), text: settings },
    { path: profile, text: `${jsonText(firstProfile(companyName), 2)}\n` },
    folder(at('samples')),
    ...Object.entries(SAMPLES).map(([name, text]) => ({ path: at('samples', name), text: text() })),
    folder(home),
    folder(inbox),
    ...['accounts', 'orders', 'ledger'].map((name) => folder(path.join(inbox, name))),
  ];
}

/** What a person has to look at first; all other keys have their defaults. */
function firstProfile(companyName: string) {
  const { company, service } = readProfile(undefined, 'the defaults');
  return { company: { name: companyName || company.name }, service: { timeZone: service.timeZone } };
}

/** Anything else in the path of a setting would be a fault of the setting. */
function requirePlainPath(root: string): void {
  const marks = ["'", '"', '`'].filter((mark) => root.includes(mark));
  if (!/\p{Cc}/u.test(root) && marks.length < 2) return;
  throw new WrongInput(`the path of the folder has characters that no setting can hold: ${jsonText(root)}`);
}

async function requireFolder(root: string): Promise<void> {
  try {
    if (!(await stat(root)).isDirectory()) throw new WrongInput(`${root} is no folder`);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') throw new WrongInput(`${root}: a part of the path is no folder`);
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function make({ path: place, text }: Part): Promise<Made> {
  const files = diskFiles();
  if (text !== undefined) {
    return { path: place, kind: 'file', outcome: (await files.writeNew(place, text)) ? 'made' : 'kept' };
  }
  const wasThere = await isThere(place);
  await files.makeFolder(place);
  return { path: place, kind: 'folder', outcome: wasThere ? 'kept' : 'made' };
}

async function rehearse({ path: place, text }: Part): Promise<Made> {
  const outcome = (await isThere(place)) ? 'kept' : 'made';
  return { path: place, kind: text === undefined ? 'folder' : 'file', outcome };
}

async function isThere(place: string): Promise<boolean> {
  try {
    await lstat(place);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function forShell(place: string): string {
  return /^[\w./+:@-]+$/.test(place) ? place : inQuotes(place);
}

function outcomeOf({
  root: folder,
  isDry: dryRun,
  made,
  answers,
}: {
  root: string;
  isDry: boolean;
  made: Made[];
  answers: Answers;
}): Outcome {
  const settings = path.join(folder, '.env');
  const accounts = path.join(folder, 'accounts.csv');
  const migrating = answers.settings.DATABASE_URL === undefined ? [] : ['migrate'];
  const calls = [...migrating, 'doctor', `accounts import ${forShell(accounts)}`, 'nightly'].map(
    (call) => `recon ${call} --env-file ${forShell(settings)}`,
  );
  const missing = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).filter((name) => !answers.settings[name]);
  const lines = [
    ...made.map(({ path: place, kind, outcome }) => {
      const what = kind === 'folder' ? `${place}${path.sep}` : place;
      return outcome === 'kept'
        ? `there already  ${what}`
        : `${dryRun ? 'would be made' : 'made'.padEnd(13)}  ${what}`;
    }),
    ...(dryRun ? ['', 'nothing was made (--dry-run)'] : []),
    '',
    `${missing.length === 0 ? 'List' : `Fill in ${missing.join(', ')} in ${settings}, and list`} your accounts in`,
    `${accounts}, with the columns of ${path.join(folder, 'samples', 'accounts.csv')}. Then:`,
    '',
    ...calls.map((call) => `  ${call}`),
    '',
    `The books of a day go to ${path.join(folder, 'inbox', 'ledger')} before its night, with the day in the name of the`,
    'file (erp-2026-03-01.csv); a night without them is incomplete.',
  ];
  return {
    status: EXIT.done,
    document: { schema: 1, folder, dryRun, made, next: calls },
    text: lines.join('\n'),
  };
}
