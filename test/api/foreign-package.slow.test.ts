/** A foreign folder installs the folder of recon, and the example of docs/building-upon.md is sound there: its types, and what it prints. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Zone, addDays } from '../../src/core/time.ts';
import { firstDocument } from '../helpers/child.ts';
import { ended, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const BIN = path.join(ROOT, 'node_modules', '.bin');
const LIMIT_MS = 600_000;
const DAY = addDays(new Zone('Asia/Shanghai').dayOf(systemClock().wall()), -1);

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  const page = await readFile(path.join(ROOT, 'docs', 'building-upon.md'), 'utf8');
  await writeFile(path.join(folder.path, 'package.json'), '{"private": true, "type": "module"}');
  await writeFile(path.join(folder.path, 'tsconfig.json'), blockOf(page, 'json'));
  await writeFile(path.join(folder.path, 'night.ts'), blockOf(page, 'ts'));
  const installed = await run('npm', 'install', '--offline', '--no-audit', '--no-fund', ROOT);
  expect([installed.status, installed.stderr]).toEqual([0, '']);
  await mkdir(path.join(folder.path, 'node_modules', '@types'));
  for (const name of ['@types/node', 'undici-types'])
    await symlink(path.join(ROOT, 'node_modules', name), path.join(folder.path, 'node_modules', name));
}, LIMIT_MS);
afterAll(() => folder.remove());

function blockOf(page: string, language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no block of ${language}`);
  return found;
}

/** In the foreign folder, with its programs and ours; nothing of the environment but where programs are. */
function run(program: string, ...args: string[]): Promise<CliOutcome> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH: `${BIN}:${path.join(folder.path, 'node_modules', '.bin')}:${PATH}`, HOME };
  return ended(spawn(program, args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

test(
  'its types are sound under the settings the page names',
  async () => {
    const { status, stdout } = await run('tsc', '-p', '.');
    expect([status, stdout]).toEqual([0, '']);
  },
  LIMIT_MS,
);

test(
  'it prints what the page says, and nothing else on stdout',
  async () => {
    const { status, stdout, stderr } = await run('node', 'night.ts', DAY);
    expect([status, stdout]).toEqual([0, 'platform_only D1 500\n']);
    expect(stderr).toContain('deposits');
  },
  LIMIT_MS,
);

test(
  'the sandbox starts there as a command and says where it is',
  async () => {
    const { PATH = '' } = process.env;
    const program = path.join(folder.path, 'node_modules', '.bin', 'recon');
    const env = { PATH: `${BIN}:${PATH}` };
    const args = ['sandbox', '--json', '--port', '0', '--scenario', 'empty', '--controls'];
    const child = spawn(program, args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ending = ended(child);
    const { controls } = (await firstDocument({ process: child, ended: ending })) as { controls: string };
    const reply = await fetch(`${controls}/accounts`);
    expect(await reply.json()).toEqual({ accounts: [] });
    child.kill('SIGTERM');
    expect((await ending).status).toBe(0);
  },
  LIMIT_MS,
);
