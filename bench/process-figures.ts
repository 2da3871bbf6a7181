/** What the kernel has noted of a process, by its number or `self`; nothing where it has ended. */
import { readFile } from 'node:fs/promises';

/** The most memory it ever held, in megabytes. */
export async function peakOf(pid: string): Promise<number> {
  const status = await noted(pid, 'status');
  return Number.parseInt(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? '0', 10) / 1_024;
}

/** A tick of the kernel's clock. */
const TICK_MS = 10;

/** CPU of it and of its children that have ended, in milliseconds. */
export async function cpuOf(pid: string): Promise<number> {
  const ticks = (await noted(pid, 'stat'))
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number.parseInt(each || '0', 10), 0) * TICK_MS;
}

async function noted(pid: string, what: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
