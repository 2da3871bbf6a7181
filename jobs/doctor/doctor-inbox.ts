/** Whether the inbox can be read and its files be moved, and what waits there that no night takes in. */
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, messageOf } from '../../src/core/errors.ts';
import { epochMs } from '../../src/core/time.ts';
import type { Instant, Zone } from '../../src/core/time.ts';
import { AWAY, KINDS, lookAtInbox } from '../inbox/inbox-place.ts';
import type { Check } from './doctor-check.ts';

const NAME = 'inbox';

/** Changes nothing. */
export async function checkInbox(
  inbox: string | undefined,
  at: { zone: Zone; now: Instant; realNow: Instant },
): Promise<Check[]> {
  if (inbox === undefined) return [];
  try {
    await access(inbox, constants.R_OK | constants.W_OK | constants.X_OK);
    const faults = (await Promise.all([...KINDS, ...AWAY].map((name) => folderFault(inbox, name)))).flat();
    if (faults.length > 0) return faults.map((detail) => ({ name: NAME, state: 'fail', detail }));
    return [await contentCheck(inbox, at)];
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    return [{ name: NAME, state: 'fail', detail: `${inbox} cannot be used: ${why}` }];
  }
}

/** A folder that is not there is made by whoever delivers, or by the first file that is moved. */
async function folderFault(inbox: string, name: string): Promise<string[]> {
  const folder = path.join(inbox, name);
  try {
    if (!(await stat(folder)).isDirectory()) return [`${folder} is no folder`];
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    return [`files of ${folder} cannot be moved: ${messageOf(error)}`];
  }
}

async function contentCheck(
  inbox: string,
  { zone, now, realNow }: { zone: Zone; now: Instant; realNow: Instant },
): Promise<Check> {
  const today = zone.dayOf(now);
  const found = await lookAtInbox({ inbox, zone, today, nowMs: epochMs(realNow) });
  const wrong = found.filter(({ left }) => left !== null && left.as !== 'waiting');
  const [first] = wrong;
  if (first === undefined) {
    return {
      name: NAME,
      state: 'ok',
      detail: `${inbox} can be read and moved from, files that wait: ${found.length}`,
    };
  }
  const more = wrong.length > 1 ? `; and ${wrong.length - 1} more` : '';
  return { name: NAME, state: 'warn', detail: `${first.path}: ${first.left?.reason ?? ''}${more}` };
}
