/**
 * What the database has used: blocks, and CPU of every process of a server on this machine, so nothing else may use it;
 * elsewhere CPU is left out.
 */
import { readFile, readdir } from 'node:fs/promises';
import pg from 'pg';

/** A hundred clock ticks a second, as Linux counts the time of processes. */
const TICK_MS = 10;

export interface DatabaseCost {
  cpuMs: number | undefined;
  blocks: number;
}

/** By now, since the server began. */
export async function databaseCost(url: string): Promise<DatabaseCost> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Backends report what they touched when they end, and at the latest a second after.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await client.query<{ blocks: string; pid: number }>(`
      select blks_hit + blks_read as blocks, pg_backend_pid() as pid
      from pg_stat_database where datname = current_database()`);
    const { blocks = '0', pid = 0 } = rows[0] ?? {};
    return { cpuMs: await serverCpuMs(pid), blocks: Number(blocks) };
  } finally {
    await client.end();
  }
}

/** Of that work, if nothing else uses the server. */
export async function databaseCpuOf(url: string, work: () => Promise<void>): Promise<number | undefined> {
  const { cpuMs: before } = await databaseCost(url);
  await work();
  const { cpuMs: after } = await databaseCost(url);
  return before === undefined || after === undefined ? undefined : after - before;
}

/** Of the server's first process with all that ended, and of those that live; undefined where it is not on this machine. */
async function serverCpuMs(backend: number): Promise<number | undefined> {
  const own = await statOf(backend);
  if (own === undefined || !own.name.startsWith('postgres')) return undefined;
  const first = await statOf(own.parent);
  if (first === undefined) return undefined;
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const all = await Promise.all(pids.map(statOf));
  const living = all.filter((stat) => stat?.parent === own.parent);
  const ticks = living.reduce((sum, stat) => sum + (stat?.ownTicks ?? 0), first.ownTicks + first.endedTicks);
  return ticks * TICK_MS;
}

interface ProcessStat {
  name: string;
  parent: number;
  ownTicks: number;
  endedTicks: number;
}

async function statOf(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text ?? '') ?? [];
  if (name === '') return undefined;
  const fields = rest.split(' ').map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { name, parent: fields[1] ?? 0, ownTicks: user + system, endedTicks: endedUser + endedSystem };
}
