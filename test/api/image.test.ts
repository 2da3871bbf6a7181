/** The targets of the Dockerfile, without an engine: what each starts is started here as the image would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended } from '../helpers/cli.ts';
import { firstDocument, startRecon } from '../helpers/child.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const LIMIT_MS = 60_000;

interface Stage {
  name: string;
  from: string;
  text: string;
}

interface Said {
  controls: string;
  settings: { PLATFORM_URL: string };
}

async function stages(): Promise<Stage[]> {
  const text = await readFile(path.join(ROOT, 'Dockerfile'), 'utf8');
  return text
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => {
      const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)/.exec(stage) ?? [];
      return { name, from, text: stage };
    });
}

function commandIn(text: string, instruction: string): string[] {
  const found = new RegExp(`^${instruction}.*?(\\[.*\\])$`, 'm').exec(text)?.[1];
  return JSON.parse(found ?? '[]') as string[];
}

test('what runs in a container is not root, and where no target is named it is the job', async () => {
  const all = await stages();
  expect(all.map(({ name }) => name)).toEqual(['program', 'sandbox', 'job']);
  for (const { name, from, text } of all.slice(1))
    expect([name, from, /^USER node$/m.test(text)]).toEqual([name, 'program', true]);
  expect(commandIn(all.at(-1)?.text ?? '', 'CMD')).toEqual(['schedule']);
});

test('the job is healthy while it lives, whatever becomes of its database', async () => {
  const { text } = (await stages()).at(-1) ?? { text: '' };
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(request.url === '/livez' ? 200 : 503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(/^ENV .*HEALTH_PORT=9090 /m.test(text)).toBe(true);
  const [program = '', ...args] = commandIn(text, 'HEALTHCHECK');
  const check = args.map((arg) => arg.replace('127.0.0.1:9090', `127.0.0.1:${port}`));
  const ask = async () => (await ended(spawn(program, check, { stdio: ['ignore', 'pipe', 'pipe'] }))).status;
  expect([await ask(), paths]).toEqual([0, ['/livez']]);
  server.close();
  expect(await ask()).toBe(1);
});

test(
  'the target sandbox starts the sandbox with its control surface, and its check finds it healthy',
  async () => {
    const { text } = (await stages()).find(({ name }) => name === 'sandbox') ?? { text: '' };
    const child = startRecon([...commandIn(text, 'CMD'), '--port', '0'], {});
    const { controls, settings } = (await firstDocument(child)) as Said;
    expect(controls).toBe(`${settings.PLATFORM_URL}/control`);
    const [program = '', ...args] = commandIn(text, 'HEALTHCHECK');
    const check = args.map((arg) => arg.replace('http://127.0.0.1:8080', settings.PLATFORM_URL));
    expect(check).not.toEqual(args);
    expect((await ended(spawn(program, check, { stdio: ['ignore', 'pipe', 'pipe'] }))).status).toBe(0);
    child.process.kill('SIGTERM');
    expect((await child.ended).status).toBe(0);
    expect((await ended(spawn(program, check, { stdio: ['ignore', 'pipe', 'pipe'] }))).status).toBe(1);
  },
  LIMIT_MS,
);
