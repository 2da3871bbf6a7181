/** What completes commands in a shell is made from the commands as they are declared, and a shell understands it. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';

async function scriptOf(shell: string): Promise<string> {
  const { status, stdout, stderr } = await runCli(['completion', shell]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** What bash offers for the last of these words. */
function offered(script: string, ...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr, status } = spawnSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _recon; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash is offered commands, options, and the values an option knows', async () => {
  const script = await scriptOf('bash');
  expect(offered(script, 'recon', 'ex')).toEqual(['explain']);
  expect(offered(script, 'recon', 'ledger', '')).toEqual([
    'import',
    'pull',
    'list',
    'sources',
    'withdraw',
    '--help',
  ]);
  expect(offered(script, 'recon', 'nightly', '--no-')).toEqual(['--no-vouchers', '--no-settle']);
  expect(offered(script, 'recon', 'nightly', '--log-level', '')).toEqual(['debug', 'info', 'warn', 'error']);
  expect(offered(script, 'recon', 'nightly', '--day', '')).toEqual([]);
  expect(offered(script, 'recon', 'completion', 'b')).toEqual(['bash']);
});

test('zsh and fish are offered the same, with what each does', async () => {
  const zsh = await scriptOf('zsh');
  expect(zsh).toMatch(/^#compdef recon\n/);
  expect(zsh).toContain("'explain:traces any figure, order, entry or break");
  const fish = await scriptOf('fish');
  expect(fish).toContain(
    "complete -c recon -n '__recon_at \\'recon nightly\\'' -l log-level -x -a 'debug info warn error' -d 'how much to log'",
  );
});

test('--version says which version this is, and an unknown shell is refused', async () => {
  expect(await runCli(['--version'])).toMatchObject({ status: 0, stdout: 'recon 0.1.0\n', stderr: '' });
  expect((await runCli(['completion', 'csh'])).status).toBe(2);
});
