/** A program of one's own may leave something running behind; nothing of it is held here. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from '../../../jobs/alerts/channels/own-command.ts';
import type { Sending } from '../../../jobs/alerts/channels/sending.ts';

const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;

test('what a program leaves running with our pipe keeps no process from ending', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-command-'));
  const file = path.join(folder, 'tell.sh');
  await writeFile(file, '#!/bin/sh\ncat > /dev/null\nsleep 5 &\nexit 0\n');
  await chmod(file, 0o755);
  const before = pipes();
  await runCommand({ file }, { document: {}, signal: new AbortController().signal } as unknown as Sending);
  await vi.waitFor(() => expect(pipes()).toBe(before));
  await rm(folder, { recursive: true });
});
