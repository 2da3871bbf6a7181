/** A MariaDB server of one test, that speaks TLS with one certificate. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = '/usr/sbin/mariadbd';
/** Where it is not installed, tests of it say so and are left out. */
export const hasMariadb = existsSync(PROGRAM) && existsSync('/usr/bin/mariadb-install-db');

export interface MariadbServer {
  port: number;
  close(): Promise<void>;
}

/** @param certificate path without `.crt` and `.key` */
export async function mariadbWithTls(certificate: string): Promise<MariadbServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-mariadb-'));
  const who = ownerOf(folder, certificate);
  const data = path.join(folder, 'data');
  const common = ['--no-defaults', `--datadir=${data}`];
  const made = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync('mariadb-install-db', [...common, ...made], { cwd: folder, stdio: 'pipe', ...who });
  const port = await freePort();
  const files = [`--ssl-cert=${certificate}.crt`, `--ssl-key=${certificate}.key`];
  const places = [`--socket=${folder}/socket`, `--port=${port}`, '--bind-address=127.0.0.1'];
  const server = spawn(PROGRAM, [...common, ...files, ...places, '--skip-name-resolve'], {
    cwd: folder,
    stdio: 'ignore',
    ...who,
  });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries > 600 || server.exitCode !== null) throw new Error('MariaDB does not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    async close() {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** It refuses to be root: then it is the user that its package made, who has to be able to read our files. */
function ownerOf(folder: string, certificate: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (which: string): number => Number(execFileSync('id', [which, 'mysql'], { encoding: 'utf8' }));
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  chownSync(folder, uid, gid);
  const given = path.dirname(certificate);
  chmodSync(given, 0o755);
  for (const name of readdirSync(given)) chmodSync(path.join(given, name), 0o644);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
